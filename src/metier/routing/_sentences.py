"""Notes of a decision as code and values, rendered in English or Chinese on demand.

Messages are routed far more often than explained, so rendering is lazy.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Self

from metier.json_values import JsonObject
from metier.language import Note, Sentences, values_to_json

# The web page renders the same codes: `make docs` writes this table into its sources.
SENTENCES: Final = Sentences(
    {
        # reasons of the verdict
        "no_words": ("the message has no words", "消息里没有文字"),
        "asks_nothing": ("the message asks for nothing", "消息没有提出要求"),
        "asks_nothing_else": ("the message asks for nothing else", "除此之外，消息没有提出别的要求"),
        "too_little": ("the message says too little to be found by its words", "消息的内容太少，只凭词语无法判断"),
        "nothing_offered": ("no skill can be offered", "没有可以提供的技能"),
        "denies": ("the message denies {word}", "消息里说了不要「{word}」"),
        "refuses": ("the message refuses something: “{text}”", "消息里有否定的要求：「{text}」"),
        "several": ("the message asks for {count} things", "消息提出了 {count} 项要求"),
        "part": ("“{text}” asks for '{skill}'", "「{text}」要的是「{skill}」"),
        "part_unfit": ("no skill fits “{text}”", "没有技能适合「{text}」"),
        "spelling": ("'{written}' is read as '{read}'", "「{written}」按「{read}」理解"),
        "near_but_none": (
            "'{skill}' is near, but may not be what is meant",
            "「{skill}」相近，但未必是所要的",
        ),
        "may_be_several": (
            "the message may ask for more than one thing: {skills}",
            "消息可能提出了不止一项要求：{skills}",
        ),
        "other_subject": (
            "the message is about something else than '{skill}', which is in use",
            "消息说的是别的事，与正在使用的「{skill}」无关",
        ),
        "recalls": (
            "the message takes up words of the last answer: {words}",
            "消息用到了上一次回答里的词：{words}",
        ),
        "passage": (
            "the request is sentence {place} of {count}: “{text}”",
            "要求在第 {place} 句（共 {count} 句）：「{text}」",
        ),
        "words_of_others": (
            "the message has words of other people: what they ask for is offered and not started",
            "消息里有别人说的话：其中的要求只作建议，不会直接执行",
        ),
        "quoted": (
            "what stands in quotation marks is what the request is about, and was not searched for",
            "引号里的内容是要处理的对象，没有用来查找技能",
        ),
        "goes_on": ("the message goes on with '{skill}'", "消息接着「{skill}」往下说"),
        "asks_detail": (
            "the message asks about details of '{skill}', which is in use",
            "消息追问正在使用的「{skill}」的细节",
        ),
        "reads_earlier": (
            "the message goes on with an earlier one, which was read instead",
            "消息接着前面的话往下说，因此按前面那条消息判断",
        ),
        "not_better": (
            "'{other}' is not clearly better than '{skill}', which is in use",
            "「{other}」并不明显好于正在使用的「{skill}」",
        ),
        "other_service": (
            "“{text}” asks for a service of which '{skill}' says nothing",
            "「{text}」要的是另一种服务，「{skill}」没有提到",
        ),
        "priority": (
            "'{skill}' goes before '{other}': the message fits both alike, and its priority is higher",
            "「{skill}」先于「{other}」：消息对两者同样合适，而它的优先级更高",
        ),
        "listed": ("/{skill}  {title}", "/{skill}  {title}"),
        "attached": (
            "the message speaks of what '{skill}' works on, such as a document in the conversation or a known place",
            "消息说的是「{skill}」处理的对象，例如对话里的文件或已知的地点",
        ),
        "attached_as": (
            "{because}, and '{skill}' is for what the message wants of it",
            "{because}，消息要的正是「{skill}」对它做的事",
        ),
        "order": ("the message is an order that '{skill}' understands whole", "整条消息是「{skill}」能看懂的操作"),
        "named": ("the message names '{skill}'", "消息点名了「{skill}」"),
        "named_but": ("the message names '{skill}', but {why}", "消息点名了「{skill}」，但{why}"),
        "unknown": ("no skill is called '{name}'", "没有名为「{name}」的技能"),
        "unknown_near": ("no skill is called '{name}'; near: {near}", "没有名为「{name}」的技能，相近的有：{near}"),
        "words_alone": ("no vectors: decided by words alone", "没有语义向量，只凭词语判断"),
        "no_vectors": ("no vectors from {view}: {why}", "{view} 没有给出技能的向量：{why}"),
        "no_vector": ("no vector from {view}: {why}", "{view} 没有给出消息的向量：{why}"),
        "bad_vector": ("no vector from {view}: what it gave is not one", "{view} 没有给出消息的向量：给出的不是向量"),
        # why a skill is not eligible
        "disabled": ("it is switched off", "它已停用"),
        "not_offered": ("only a person may start it, by name", "它只能由人点名启用"),
        "not_by_name": ("it cannot be started by name", "它不能点名启用"),
        "host": ("it is for {hosts}, not for {host}", "它用于 {hosts}，不用于 {host}"),
        "group": ("group '{group}' is not allowed here", "这里不允许使用分组「{group}」"),
        "missing_skill": (
            "it needs the skill '{skill}', which is not loaded",
            "它需要技能「{skill}」，而该技能没有加载",
        ),
        "required_off": (
            "it needs the skill '{skill}', which is switched off",
            "它需要技能「{skill}」，而该技能已停用",
        ),
        "missing_tool": ("it needs the tool '{tool}', which is not there", "它需要工具「{tool}」，而这里没有"),
        # features of a candidate
        "words": ("its words cover {percent}% of the message", "技能的用词覆盖消息的 {percent}%"),
        "synonyms": ("the glossary adds words of it", "词汇表补充了它的用词"),
        "translated": (
            "its description has English words for words of the message",
            "它的英文说明里有消息用词的译词",
        ),
        "meaning": ("number {place} of {count} skills in meaning", "语义接近度在 {count} 个技能中排第 {place}"),
        "meaning_first": ("nearest of {count} skills in meaning", "在 {count} 个技能中语义最接近"),
        "triggers": ("the message has its triggers", "消息里有它的触发词"),
        "phrases": ("the message has phrases that its description quotes", "消息里有它的说明引用的说法"),
        "excluded": ("its description says it is not for this", "它的说明写明不用于这些"),
        "same_example": ("the message says the same as an example of it", "消息与它的示例说的是同一件事"),
        "asks_meaning": (
            "the message asks what a term means, as its examples do",
            "消息问的是术语的含义，与它的示例同类",
        ),
        "negated": ("the message denies it", "消息里否定了它"),
    }
)

_LINES: Final = Sentences(
    {
        "auto": ("auto", "直接使用"),
        "suggest": ("suggest", "建议"),
        "none": ("none", "不用技能"),
        "explicit": ("explicit", "点名"),
        "list": ("list", "列出技能"),
        "sticky": ("sticky", "继续当前技能"),
        "search": ("search", "检索"),
        "empty": ("empty", "空消息"),
        "chosen": ("{verdict}: {skills}", "{verdict}：{skills}"),
        "head": ("{chosen} ({route}, {ms} ms)", "{chosen}（{route}，{ms} 毫秒）"),
        "meant": ("{percent}% that a skill is meant", "有 {percent}% 的可能需要某个技能"),
        "not_meant": (
            "{percent}% that a skill is meant; below {least}% none is offered",
            "有 {percent}% 的可能需要某个技能；低于 {least}% 不提供技能",
        ),
        "none_likely": (
            "{percent}% that one of the first {count} is right; below {least}% none is offered",
            "前 {count} 个技能中有一个合适的可能为 {percent}%；低于 {least}% 不提供技能",
        ),
        "not_sure": (
            "'{skill}' is right with {percent}%; it is used without asking from {least}% on",
            "「{skill}」合适的可能为 {percent}%；达到 {least}% 才不经询问直接使用",
        ),
        "filtered": ("not offered: {skill} ({why})", "未参与：{skill}（{why}）"),
        "with_words": ("{text}: {words}", "{text}：{words}"),
        "view": ("{text}", "{text}"),
    }
)


@dataclass(frozen=True, slots=True)
class RoutingNote(Note):
    """Statement about a decision: a code for programs and values for the sentence."""

    sentences: ClassVar[Sentences] = Sentences({**SENTENCES, **_LINES})

    @classmethod
    def from_view(cls, text: str) -> Self:
        """Build a note from a view's own English text, which is shown unchanged."""
        return cls("view", {"text": text})

    def to_json(self) -> JsonObject:
        """Code and values; empty values for a view's own text, which is only in the sentence."""
        return {"code": self.code, "values": {} if self.code == "view" else values_to_json(self.values)}

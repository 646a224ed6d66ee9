"""What a request asks: its subject, its sub-questions, the sources and file formats it names."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final, Literal

from metier.language import Language, choose
from metier.patterns import compile_later
from metier.questions import read_compared
from metier.textsearch import extract_query_terms, fold, has_cjk

SourceKind = Literal["attachments", "folder", "web", "samples"]
MAX_SUB_QUESTIONS: Final = 8

_COMMAND: Final = compile_later(r"^\s*/[\w-]+\s*")
_SOURCES: Final[tuple[tuple[SourceKind, re.Pattern[str]], ...]] = (
    (
        "samples",
        compile_later(r"(?:请)?(?:换|改)?用?示例(?:文章|资料)|use the sample articles?|sample articles?", re.I),
    ),
    (
        "folder",
        compile_later(
            r"(?:请)?(?:换|改)?用?我(?:自己)?的(?:文件夹|资料|文档)|use my (?:own )?(?:folder|documents|files)", re.I
        ),
    ),
    ("attachments", compile_later(r"用?(?:我)?(?:附上|上传|附件)的?(?:文件|资料)?|use the attached files?", re.I)),
    ("web", compile_later(r"(?:请)?用?(?:网上|网络|互联网)的?(?:资料)?(?:搜索)?|use the web|from the web", re.I)),
)
_SAVE: Final = (
    r"(?:[，,]?\s*(?:并|再)?(?:存成|导出为?|保存为|保存成|输出为?|save (?:it )?as|export (?:it )?(?:as|to)|as|in)\s*)?"
    r"(?:an?\s+)?"
)
_FILE: Final = r"(?![A-Za-z])(?:\s?(?:文[件档]|格式|files?|documents?))?"
_FORMATS: Final = tuple(
    (name, compile_later(rf"{_SAVE}(?<![A-Za-z])(?:{words}){_FILE}", re.IGNORECASE))
    for name, words in (("pdf", "pdf"), ("docx", "word|docx"), ("html", "html"), ("md", "markdown|md"))
)
_CITED: Final = compile_later(
    r"[，,]?\s*(?:要|并|请|需要|必须)*(?:带|有|给出|给|注明|附上?|标注)(?:出处|来源|引用)的?"
    r"|[，,]?\s*(?:please )?(?:with|give|name|and cite|citing) (?:the |its |their )?(?:sources?|citations?|references?)"
    r"|\bcited\b",
    re.IGNORECASE,
)
# How long the report is to be is no part of its subject.
# Words beside a length that name no subject: 只要3页, "3 pages only".
_ONLY: Final = compile_later(
    r"(?i)(?:[只就]|要|给我|请|吧|就行|就好|最多|控制|压缩|缩|到|改|成|写|\b(?:only|just|please|max|make|it|keep|no|more|than|at|most)\b|[\s，,。.！!])*"
)
_LENGTH: Final = compile_later(
    r"[，,；;。、]?\s*(?:请|要|并|再)?(?:写|凑|控制在|篇幅|字数|大概|大约|约|至少|不少于|不超过|左右|长度|为|在|来|个|够|满|一篇|一份|\s)*"
    r"(?P<zh>(?:\d[\d,]*|[一两二三四五六七八九十百千万]+)\s*(?:个)?(?:多)?(?:字|页)(?!符|节|典|体|幕|母|面))(?:左右|以内|以上|上下|的)?(?=$|[，,。；;！!\s]|报告|研究)"
    r"|(?<=[份篇个写来做出])\s*(?P<zh2>\d[\d,]*\s*(?:个)?多?[字页])(?:左右|以内|以上|上下)?的"
    r"|[,;]?\s*(?:and\s+)?(?:(?:write|make\s+it|keep\s+it|about|around|roughly|approximately|at\s+least|at\s+most|up\s+to|under|in|of|with"
    r"|some|no\s+more\s+than)\s+)*(?P<en>\d[\d,]*(?:\s*-\s*|\s+)(?:words?|pages?))(?:\s+long)?(?=$|[,.;!]|\s+(?:report|study|and|on|about|only|please|max)\b)",
    re.IGNORECASE,
)
# What is to become of the report is no part of its subject; the next message, or the next task, makes the slides.
_SLIDES: Final = compile_later(
    r"[，,；;。]?\s*(?:然后|再|最后|接着|并且?)*(?:把\S{0,6})?(?:做成|整理成|写成|转成|变成|生成|做|出)(?:一?[个份套])?\s*"
    r"(?:PPTX?|幻灯片?|演示文稿|课件)\S{0,6}$"
    r"|[,;.]?\s*(?:and\s+)?(?:then\s+)?(?:make|turn|put|build|create|prepare)\s+(?:\w+\s+){0,6}(?:slides?|deck|pptx?|presentation)\.?$",
    re.IGNORECASE,
)
_HEADS: Final = compile_later(
    r"^(?:请问|那么|那|还有|请|麻烦|帮我|帮忙|帮|给我|我想|我要|想|再|先|重新|你|能不能|可以|和我|对|就|"
    r"把|将|关于|针对|"
    r"分析|研究|调研|调查|了解|查一下|查找|查|找|搜集|收集|梳理|总结|整理|写|做|出|一下|一份|一篇|一个|份|"
    r"个|的|报告|资料|，|。|：|、|\s|"
    r"(?:please|could you|can you|i want to|i need|research|analy[sz]e|investigate|study|examine|explore|"
    r"look into|find out|"
    r"write|make|do|give me|survey|some|report|on|about|into|for|again|and|what about|how about|what is|"
    r"the|a|an|state of|situation of|"
    r"trends?|outlook|development|of|in|save|export|it|as)\b|存成|导出|保存|再来)++",
    re.IGNORECASE,
)
_TAILS: Final = compile_later(
    r"(?:的|方面|市场|行业|产业|领域|发展|趋势|现状|前景|情况|动态|分析|研究|调研|报告|综述|资料|一下|吧|"
    r"了|呢|吗|怎么样|如何|，|。|！|？|!|\?|\.|,|、|\s|"
    r"\b(?:the|market|markets|industry|sector|trends?|outlook|state|situation|report|analysis|research|"
    r"today|please|now|of|in|and)\b)+$",
    re.IGNORECASE,
)
_ASKS: Final = compile_later(
    r"多少|几[个家年月]|什么|哪些|哪个|哪家|为什么|为何|是否|有没有|怎么|吗[？?。]?$|谁|[？?]$"
    r"|^(?:how|what|which|why|when|who|where|is|are|does|do|did|has|have|was|were)\b",
    re.IGNORECASE,
)
# The words that make a question of what it is about: 电池成本是多少, "what do batteries cost".
_QUESTION_WORDS: Final = compile_later(
    r"(?:大概|大约|究竟|到底|一共|总共)*(?:[是有为])?(?:多少钱?|几[个家年月成]|什么|哪些|哪个|哪家|怎么样|为什么|为何|谁)(?:[呢啊呀])?[？?。]*$"
    r"|^(?:为什么|为何|哪些|哪个|哪家|多少|有没有)|吗[？?。]*$"
    r"|^(?:how (?:much|many|large|big|high)|what|which|why|when|where|who)"
    r"(?:\s+(?:do|does|did|is|are|was|were|has|have|will|can))?(?=\s)",
    re.IGNORECASE,
)
_JOINED: Final = compile_later(r"[和与及、，,]|\b(?:and|or)\b", re.IGNORECASE)
_VERBS: Final = compile_later(
    r"^(?:请|麻烦|帮我|帮忙|给我|我想|我要|想)*(?:分析|研究|调研|调查|了解|梳理|总结)(?![师员所院生])(?:一下)?(?:关于)?\s*"
    r"|^(?:please |could you |can you )*(?:research|analy[sz]e|investigate|study|examine|explore|look into)\s+"
    r"(?:(?:on|about|into|the)\s+)*",
    re.IGNORECASE,
)
# An order for a report is named by what the report is about.
_REPORT_ON: Final = compile_later(
    r"^(?:请问|请|麻烦|帮我|帮忙|给我|我想要?|我要|我需要|能不能|可以|再|先|你)*(?:写|做|出具?|来|给|生成|起草|撰写|整理|准备|提供|弄|搞)(?:出|成|我|我们)?"
    r"(?:[一1]?[份篇个]|一下)?(?:关于|有关|针对|对于?)?\s*(?P<zh>(?![一1][份篇个]).{2,}?)的?(?:市场|行业|专题|深度)*(?:研究|调研|调查|分析)?(?:报告|综述|简报|研究|调研|分析)[吧。.！!]*$"
    r"|^(?:please\s+|could\s+you\s+|can\s+you\s+|i\s+(?:need|want|would\s+like)\s+(?:you\s+to\s+)?)*"
    r"(?:(?:write|make|do|give\s+me|prepare|create|draft|produce|put\s+together|compile)\s+(?:me\s+)?)?(?:an?\s+|the\s+)?"
    r"(?:short\s+|brief\s+|detailed\s+|full\s+|market\s+|research\s+)*(?:report|analysis|study|overview|survey|brief)\s+(?:on|about|of|into|for)\s+(?:the\s+)?(?P<en>.{2,}?)[.!]*$",
    re.IGNORECASE,
)
# What the material says about something is a research about that thing.
_SAYS: Final = compile_later(
    r"^(?:what|tell me what) (?:do|does|is in)?\s*(?:my|our|the|these|all)\s(?:own |attached |sample )*"
    r"(?:documents?|files?|notes|papers|articles|sources|folder|material)\s+(?:say|tell (?:me|us))s?\s+(?:about|on)\s+"
    r"|^(?:资料|文档|文件|文章)?(?:里面?|中|上)?(?:关于|对于?|有关)(?=.+(?:怎么[说讲写]|说了|写了|讲了|有什么说法))",
    re.IGNORECASE,
)
_SAID: Final = compile_later(r"(?:是|都)?(?:怎么[说讲写]的?|[说写讲]了些?(?:什么|啥)|有什么说法)[？?。]?$")
_MAX_SUBJECT: Final = 60


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A part of the question: how it is asked, and the words an answer has; none for a question taken as it is."""

    text: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResearchQuestion:
    """A request as a research: what is asked, about what, in which parts, and what it says about sources and files.

    `topic` is the question that a follow-up belongs to; otherwise the question itself. `length` is how long the report
    is wished to be, in the user's words.
    """

    question: str
    subject: str
    sub_questions: tuple[SubQuestion, ...]
    topic: str
    sources: SourceKind | None = None
    formats: tuple[str, ...] = ()
    length: str = ""


@dataclass(frozen=True, slots=True)
class _Aspect:
    id: str
    zh: str
    en: str
    words: tuple[str, ...]
    asked_by: tuple[str, ...]


def read_question(message: str, language: Language, *, known: str = "") -> ResearchQuestion:
    """Read a request; a short follow-up such as "and the price?" goes on with the `known` question.

    `question` is empty if the request names no subject and none is known.
    """
    found = _LENGTH.search(message)
    length = "" if found is None else next(filter(None, found.groups()), "").strip()
    rest = message if found is None else _LENGTH.sub(" ", message)
    if known and (other := read_compared(rest)):  # 跟去年比 is a question about the subject in hand
        return ResearchQuestion(rest, f"{find_subject(known)} {other}", (SubQuestion(rest),), known, length=length)
    read = _read_question(known if length and known and _ONLY.fullmatch(rest) else rest, language, known)
    return replace(read, length=length)


def _read_question(message: str, language: Language, known: str) -> ResearchQuestion:
    text, sources, formats = _COMMAND.sub("", message), None, []
    for kind, pattern in _SOURCES:
        if found := pattern.search(text):
            sources = sources or kind
            text = f"{text[: found.start()]} {text[found.end() :]}"
    for name, pattern in _FORMATS:
        if pattern.search(text):
            formats.append(name)
            text = pattern.sub(" ", text)
    question = _SLIDES.sub("", _CITED.sub(" ", text).strip()).strip(" ，,。.：:；;、")
    if _SAYS.search(question):
        question = _SAID.sub("", _SAYS.sub("", question)).strip(" ，,？?")
    subject = find_subject(question)
    base = find_subject(known)
    said = (sources, tuple(formats))
    plain = _drop_question_words(question)
    if base and _is_follow_up(plain, find_subject(plain)):
        if _is_about_one_thing(question):
            return ResearchQuestion(question, base, (SubQuestion(question),), known, *said)
        asked = tuple(_ask(aspect, base, language) for aspect in _named_aspects(question))
        if not asked:
            return _complete(known, base, language, *said)
        return ResearchQuestion(" ".join(one.text for one in asked), base, asked, known, *said)
    if not subject:
        return ResearchQuestion("", "", (), "", *said)
    return _complete(question, subject, language, *said)


def find_subject(question: str) -> str:
    """What a question is about: "分析新能源汽车市场趋势" is about 新能源汽车; empty if nothing is left."""
    ordered = _REPORT_ON.match(question.strip())
    text = _HEADS.sub("", question.strip() if ordered is None else ordered["zh"] or ordered["en"])
    text = _TAILS.sub("", text)
    return text.strip(" ，,。.：:；;、的")[:_MAX_SUBJECT]


def name_topic(question: str) -> str:
    """The question as a heading: without the verb that asks for it, and with a capital letter."""
    if (ordered := _REPORT_ON.match(question.strip())) is not None:
        return _capitalize(ordered["zh"] or ordered["en"])
    return _capitalize(_VERBS.sub("", question.strip()) or question)


def list_names(subject: str) -> tuple[str, ...]:
    """Names by which sources may call the subject, folded; the subject itself comes first."""
    own = _to_singular(fold(subject))
    groups = _load()["same"]
    same = [name for group in groups for name in group if any(_to_singular(fold(one)) in own for one in group)]
    return tuple(dict.fromkeys((own, *(_to_singular(fold(name)) for name in same))))


def list_measures() -> tuple[tuple[str, ...], ...]:
    """Groups of words for measures whose figures are compared between sources."""
    return tuple(tuple(group) for group in _load()["measures"])


def list_other_questions(question: ResearchQuestion) -> tuple[SubQuestion, ...]:
    """What might be asked about the subject too: sentences that answer it belong there. A plain question has none."""
    if not question.sub_questions[0].words:
        return ()
    asked = {one.words for one in question.sub_questions}
    return tuple(SubQuestion("", one.words) for one in _list_aspects() if one.words not in asked)


def asks_for(question: ResearchQuestion, measure: str) -> bool:
    """Whether figures of a measure are among what is asked: by a word for its aspect, or by its own name."""
    names = [fold(name) for group in list_measures() if measure in group for name in group]
    words = {fold(word) for one in question.sub_questions for word in one.words}
    asked = fold(" ".join((question.question, *(one.text for one in question.sub_questions))))
    return any(name in asked or any(word in name for word in words) for name in names)


def list_rates() -> tuple[str, ...]:
    """Measures that are percentages; percentages beside other measures are changes or parts, and are not compared."""
    return tuple(group[0] for group in _load()["rates"])


def name_measure(measure: str, language: Language) -> str:
    """Name of a measure in a language."""
    group = next((group for group in list_measures() if measure in group), (measure,))
    return next((word for word in group if has_cjk(word) == choose(language, zh=True, en=False)), measure)


def _complete(
    question: str, subject: str, language: Language, sources: SourceKind | None, formats: tuple[str, ...]
) -> ResearchQuestion:
    aspects = _named_aspects(question)
    if _ASKS.search(question) and (not aspects[1:] or _is_about_one_thing(question)):
        return ResearchQuestion(question, subject, (SubQuestion(question),), question, sources, formats)
    core = _drop_aspects(subject, aspects) or subject
    asked = tuple(_ask(aspect, core, language) for aspect in (aspects or _list_aspects()))
    return ResearchQuestion(question, core, asked[:MAX_SUB_QUESTIONS], question, sources, formats)


def _is_follow_up(question: str, subject: str) -> bool:
    """Whether a request names nothing but aspects: "价格呢", "and the risks?"."""
    rest = fold(subject)
    for word in sorted((word for one in _named_aspects(question) for word in one.asked_by), key=len, reverse=True):
        rest = rest.replace(fold(word), " ")
    return not find_subject(_JOINED.sub(" ", rest).strip(" s"))


def _drop_question_words(question: str) -> str:
    return _QUESTION_WORDS.sub("", question).strip(" ？?。.")


def _is_about_one_thing(question: str) -> bool:
    """Whether the aspects that a question names are one thing together: 电池成本是多少, not 价格和风险怎么样."""
    plain = _drop_question_words(question)
    return plain != question and len(_named_aspects(plain)) > 1 and _JOINED.search(plain) is None


def _named_aspects(question: str) -> tuple[_Aspect, ...]:
    low = fold(question)
    return tuple(one for one in _list_aspects() if any(fold(word) in low for word in one.asked_by))


def _drop_aspects(subject: str, aspects: tuple[_Aspect, ...]) -> str:
    """Subject without the words for its aspects at its end: 新能源汽车价格 is about 新能源汽车."""
    before = ""
    while subject != before:
        before = subject
        for word in (word for aspect in aspects for word in aspect.asked_by):
            if fold(subject).endswith(fold(word)) and len(subject) > len(word):
                subject = find_subject(subject[: -len(word)].rstrip(" 的和与及、")) or subject
    return subject


def _ask(aspect: _Aspect, subject: str, language: Language) -> SubQuestion:
    return SubQuestion(_capitalize(choose(language, zh=aspect.zh, en=aspect.en).format(subject=subject)), aspect.words)


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def query_terms(text: str) -> tuple[str, ...]:
    """Terms of a question that an answer should have."""
    return tuple(extract_query_terms(_drop_question_words(text) or text))


def _to_singular(text: str) -> str:
    return text[:-1] if text[-1:] == "s" and text[-2:] != "ss" else text


@cache
def _list_aspects() -> tuple[_Aspect, ...]:
    rows = _read_file()["aspects"]
    return tuple(
        _Aspect(row["id"], row["zh"], row["en"], tuple(row["words"]), (*row["words"], *row.get("asked_by", ())))
        for row in rows
    )


@cache
def _read_file() -> dict[str, list[dict[str, str]]]:
    file = resources.files("metier.packs.workspace.research") / "aspects.toml"
    return tomllib.loads(file.read_text("utf-8"))


def _load() -> Mapping[str, list[list[str]]]:
    names: object = _read_file()["names"]
    assert isinstance(names, Mapping)
    return names

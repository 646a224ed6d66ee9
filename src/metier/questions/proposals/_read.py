"""Reads a whole message as a question about the rows that an approval shows: which, why, or what one of them says."""

from dataclasses import dataclass
from typing import Final, Literal

from metier.patterns import compile_later
from metier.questions.proposals._places import NamedPlace, find_places, mark_places
from metier.questions.proposals._untouched import read_untouched
from metier.textsearch import to_simplified

ProposalKind = Literal["rows", "why", "untouched"]

_MAX_CHARS: Final = 80
_STRIP: Final = " \t\r\n。.!！~～，,?？…"
_OPENING: Final = compile_later(
    r"^(?:(?:那么?|可是?|但是?|请问|所以|等一?下|等等|稍等|嗯|哦|好的?|先|且慢|慢着)[，,、\s]*){1,4}"
    r"|^(?:(?:wait|but|and|so|ok(?:ay)?|well|hm+|hold on|sorry|then|before that)[,.]?\s+){1,4}",
)
_THEM_ZH: Final = "(?:这|那|它|这些|那些|它们|这个|那个|这里|那里|这几[处条个行]|上面|以上|方案|提议|你)?"
_CHANGE_ZH: Final = "改动|修改|变动|变化|更改|批注|替换|调整|问题|建议"
_DO_ZH: Final = "改动|修改|更改|写入|替换|调整|添加|批注|改|写|动|变|加"
_WILL_ZH: Final = "(?:具体|到底|究竟|都|一共|总共|要|会|会被|将|准备|打算|想|需要|建议|提议|是|在|有){0,5}"
_PLACE_ZH: Final = "(?:个|条|处|行|点|项|段|里|儿|地方|些|部分|内容|东西){0,5}"
_WHICH_ZH: Final = f"(?:哪几|哪些|哪|几|多少){_PLACE_ZH}"
_END_ZH: Final = "(?:了|的|呢|啊|呀|吗|么|来着){0,5}"
_ROWS_ZH: Final = (
    rf"{_THEM_ZH}{_WILL_ZH}{_WHICH_ZH}{_WILL_ZH}(?:{_DO_ZH}|{_CHANGE_ZH})?"
    rf"|{_THEM_ZH}{_WILL_ZH}(?:{_DO_ZH})(?:了|的|到|成){{0,5}}{_WILL_ZH}(?:什么|啥|些什么|{_WHICH_ZH}){_PLACE_ZH}"
    rf"|{_THEM_ZH}的?(?:{_CHANGE_ZH})(?:都|一共|总共){{0,5}}(?:是|有|在)(?:什么|啥|些什么|{_WHICH_ZH})"
    rf"|(?:请|再|把|将|给我|让我|我想|想|能不能|可以){{0,5}}(?:所有|全部)?的?(?:(?:{_CHANGE_ZH}|方案|提议"
    rf"|预览)(?:清单|列表"
    rf"|内容)?)"
    r"(?:再|都|给我){0,5}(?:列|显示|展示|看|说|讲)(?:一?[下遍]|看|看看|出来|给我|我){0,5}"
    r"|(?:请|再|给我|让我|我想|想|能不能|可以|都){0,5}(?:列|显示|展示|看|说|讲)(?:一?[下遍]|看|出|给我"
    r"|我){0,5}(?:所有|全部"
    r"|有)?的?"
    rf"(?:{_WHICH_ZH}|具体)?的?(?:{_CHANGE_ZH}|方案|提议|预览)(?:清单|列表|内容|有?{_WHICH_ZH})?"
)
_WHY_WORD_ZH: Final = "(?:为什么|为啥|为何|凭什么|凭啥|怎么)"
_WRONG_ZH: Final = "问题|毛病|错误|不对|不行|不好|不妥|风险|错"
_MUST_ZH: Final = "(?:就|都|会|要|说|是|算|有|得|必须|需要|建议|非要|非得|这样|这么|存在|成|被|一定){0,5}"
_WHY_ZH: Final = (
    rf"{_THEM_ZH}{_WHY_WORD_ZH}{_THEM_ZH}{_MUST_ZH}(?:{_THEM_ZH}(?:{_WRONG_ZH}|{_DO_ZH}))(?:{_THEM_ZH})"
    rf"|{_THEM_ZH}{_MUST_ZH}(?:{_DO_ZH}|{_CHANGE_ZH})?的?(?:理由|原因|依据|根据)(?:是|有|在|呢){{0,5}}(?:什么|啥|哪些"
    rf"|哪里"
    rf"|哪)?"
    rf"|{_THEM_ZH}{_MUST_ZH}(?:什么|啥|哪些)(?:{_WRONG_ZH}|理由|原因|依据)"
    rf"|{_THEM_ZH}(?:{_WRONG_ZH})(?:出)?(?:在|是)(?:哪里?|哪儿|什么(?:地方)?|啥)"
    rf"|{_THEM_ZH}(?:到底)?(?:是)?哪里(?:出了?|有|是)?(?:{_WRONG_ZH})"
    r"|(?:请|给我|能不能|可以){0,5}(?:解释|说明|讲)(?:一下|下)?(?:原因|理由|依据|为什么(?:要?改)?)"
)
_THESE_ZH: Final = (
    r"(?:就?(?:是|选|挑)?[这那](?:些|几|\d+|[一二两三四五六七八九十]+)[个处条行项台]?"
    r"(?:小区|站点|设备|改动|参数|地方)?)?"
)
_PLAIN_WHY: Final = compile_later(
    rf"{_WHY_WORD_ZH.replace('怎么', '为什么')}{_THESE_ZH}{_END_ZH}"
    r"|why(?: so| is that)?"
    r"|why (?:these|those)(?: \d+| two| three)?(?: (?:cells?|rows?|ones|sites?|changes?|parameters?))?"
)
_PLACE_QUESTION_ZH: Final = (
    rf"{_THEM_ZH}(?:□|{_WHY_WORD_ZH}{_MUST_ZH}(?:{_DO_ZH})?□(?:{_MUST_ZH}(?:{_WRONG_ZH}|{_DO_ZH}))?)"
    rf"(?:的?(?:{_WHY_WORD_ZH}{_MUST_ZH}(?:{_WRONG_ZH}|{_DO_ZH}|回事)?|{_MUST_ZH}(?:什么|啥|哪里)(?:意思|{_WRONG_ZH}"
    rf"|内容|{_DO_ZH})?"
    rf"|{_WILL_ZH}(?:{_DO_ZH})(?:成|了|的|到){{0,5}}(?:什么|啥|多少|哪里|哪)(?:样|样子)?|说(?:了"
    rf"|的){{0,5}}(?:是)?(?:什么|啥)"
    rf"|在(?:哪里?|哪儿)"
    rf"|(?:原文|依据|理由|原因|建议|内容|问题|{_CHANGE_ZH})(?:是|在|有|呢){{0,5}}(?:什么|啥|哪里?)?|怎么(?:回事"
    rf"|{_DO_ZH}"
    rf"|说)))?"
)
_THEM_EN: Final = (
    r"(?: (?:that|this|it|these|those|they|them|you|we|i|the (?:proposal|step|plan|changes?|rows?|edits?|comments?)))?"
)
_ROW_EN: Final = (
    "(?:rows?|places?|ones?|lines?|changes?|items?|parts?|points?|edits?|comments?|passages?|spots?|cells?)"
)
_DO_EN: Final = (
    "(?:be )?(?:chang(?:e|ed|ing)|fix(?:ed)?|edit(?:ed)?|writ(?:e|ten|ing)|propos(?:e|ed|ing)|touch(?:ed)?|add(?:ed)?"
    "|affected|meant|mean|suggest(?:ed)?|happen|do(?:ne|ing)?)"
)
_WILL_EN: Final = (
    "(?: (?:is|are|was|were|would|will|do|does|did|exactly|precisely|going to|want to|be|being|there)){0,5}"
)
_IN_EN: Final = (
    r"(?: (?:exactly|precisely|then|now|please|again|(?:to|in|into) (?:it|the|my|this) ?(?:document|file|text"
    r"|contract|table)?)){0,5}"
)
_ROWS_EN: Final = (
    rf"(?:which|what) {_ROW_EN}{_WILL_EN}{_THEM_EN}{_WILL_EN}(?: {_DO_EN})?{_IN_EN}"
    rf"|which|what{_WILL_EN}{_THEM_EN}{_WILL_EN} {_DO_EN}{_IN_EN}|how "
    rf"many(?: {_ROW_EN})?{_WILL_EN}{_THEM_EN}(?: {_DO_EN})?{_IN_EN}"
    rf"|where(?: exactly)?(?:{_WILL_EN}{_THEM_EN}(?: {_DO_EN})?)?{_IN_EN}"
    rf"|(?:please |can you |could you ){{0,5}}(?:show|list|repeat|name|tell)(?: me)?(?: all)?(?: of)?(?: (?:the|your"
    rf"|these"
    rf"|those))?"
    rf"(?: proposed| suggested)? (?:{_ROW_EN}|proposal|preview|list){_IN_EN}"
    rf"|what(?:'s| is| are)(?: (?:the|your|these|those))?(?: proposed| suggested)? (?:changes|edits|comments|proposal"
    rf"|preview){_IN_EN}"
)
_WRONG_EN: Final = (
    "(?:an? )?(?:problems?|issues?|wrong|bad|errors?|mistakes?|incorrect|risky|risks?|necessary|needed|important)"
)
_WHY_EN: Final = (
    rf"why(?:{_WILL_EN}{_THEM_EN})(?: {_WRONG_EN})"
    rf"|why(?: (?:is|are|would|do|does|should|must|did|have to|need to|want to|is it necessary "
    rf"to)){{0,5}}{_THEM_EN}(?: "
    rf"(?:want|need|have|wants|needs|has) to)?"
    rf" {_DO_EN}{_THEM_EN}{_IN_EN}"
    r"|what(?:'s| is| are| was)(?: the| your)? (?:problems?|issues?|matter|reasons?|wrong|reasoning)"
    rf"(?: (?:with|for|behind|of|here)(?! you\b){_THEM_EN})?|what (?:problems?|issues?|reasons?){_WILL_EN}{_THEM_EN}"
    rf"|(?:for )?what reasons?|(?:please |can you |could you ){{0,5}}(?:give me|tell me|explain)(?: me)?(?: the| "
    rf"your)? "
    rf"(?:reasons?|reasoning|why|problems?|issues?){_THEM_EN}"
)
_PLACE_QUESTION_EN: Final = (
    rf"(?:what about |how about |show me |tell me about |explain |and )?□"
    rf"|(?:what|why|where|how)(?:'s)?{_WILL_EN}(?: (?:wrong|the (?:problem|issue|matter|reason|change|advice"
    rf"|basis))(?: (?:with|for|in|of|about))?| (?:change|fix|touch))?"
    rf" □(?: (?:{_WRONG_EN}|about|say|saying|mean|for|to|{_DO_EN})){{0,5}}"
)
_SPACED: Final = r"(?: please| exactly| then)?"
_PATTERNS: Final = (
    ("why", compile_later(rf"(?:{_WHY_ZH}){_END_ZH}|(?:{_WHY_EN}){_SPACED}")),
    ("rows", compile_later(rf"(?:{_ROWS_ZH}){_END_ZH}|(?:{_ROWS_EN}){_SPACED}")),
)
_OF_PLACE: Final = compile_later(rf"(?:{_PLACE_QUESTION_ZH}){_END_ZH}|(?:{_PLACE_QUESTION_EN}){_SPACED}")


@dataclass(frozen=True, slots=True)
class ProposalQuestion:
    """A question about proposed rows: which they are, why, or whether something is left alone (`subject`).

    `places` are those that it names, none for all. `is_plain` says that it is only "why?", which may be about the work
    before as well.
    """

    kind: ProposalKind
    places: tuple[NamedPlace, ...] = ()
    is_plain: bool = False
    subject: str = ""


def read_proposal_question(message: str) -> ProposalQuestion | None:
    """What a message asks of the rows that are proposed; None if any of its words asks for something else."""
    said = " ".join(to_simplified(message.strip(_STRIP)).replace("’", "'").lower().split())
    said = _OPENING.sub("", said)
    if not said or len(said) > _MAX_CHARS:
        return None
    said = said if said.isascii() else "".join(said.split())
    if _PLAIN_WHY.fullmatch(said):
        return ProposalQuestion("why", is_plain=True)
    if (subject := read_untouched(message)) is not None:
        return ProposalQuestion("untouched", subject=subject)
    if places := find_places(said):
        marked = mark_places(said, "□")
        asks = marked.count("□") == 1 and _OF_PLACE.fullmatch(marked) is not None
        return ProposalQuestion("why", places) if asks else None
    for kind, pattern in _PATTERNS:
        if pattern.fullmatch(said):
            return ProposalQuestion("rows" if kind == "rows" else "why")
    return None

"""What a message says to an open question: yes or no in many wordings, which choice, "never mind", or "go on".

For questions and for a no only: an approval takes the plain yes of `read_assent` and nothing else.
"""

import re
from collections.abc import Sequence
from typing import Final

from metier.agent.adapters._assent import Assent, hesitates, read_assent
from metier.agent.adapters._reply_chinese import read_chinese
from metier.agent.adapters._reply_english import read_english
from metier.language import choose, resolve_language
from metier.patterns import compile_later, read_chinese_integer, read_english_number

_GO_ON: Final = compile_later(
    r"(?:好的?|嗯|请|那|那就|我们|可以)*[，, ]*(?:继续|接着|接着做|继续做|恢复|往下走|继续往下|接着来|接着说)"
    r"(?:刚才|之前|上面|上次|剩下)?的?"
    r"(?:问题|仿真|计划|流程|步骤|任务|分析|工作)?(?:执行|进行|做|下去)?[吧啊了]?"
    r"|(?:请)?回到(?:刚才|之前|上面|上一个)的?(?:问题|步骤|流程|计划|仿真|任务)吧?"
    r"|(?:ok(?:ay)?,? |yes,? |please,? )*(?:go on|continue|resume|carry on|keep going|proceed"
    r"|pick up where (?:we|you|i) left off"
    r"|(?:go )?back to (?:the|that|my|our) (?:question|plan|simulation|task|steps?))"
    r"(?: (?:with )?(?:it|that|the (?:plan|simulation|task|question|analysis|rest)))?(?:,? please)?",
    re.IGNORECASE,
)
# Refuses not only what is asked now: 都不用了, never mind all of it.
_WORK: Final = r"(?:的?(?:任务|事情?|工作))?"
_DROPS_ALL: Final = compile_later(
    r"(?:算了|不了|那就?|我看|还是|这)*[，, ]*"
    rf"(?:(?:两[个件项]|所有|全部|什么)?{_WORK}(?:都|全都?|统统)|(?:一[个件项]|什么){_WORK}也)"
    r"(?:不用|不要|不必|不需要|别|甭|不|取消|算)(?:再|做|弄|搞|查|看|写|要|继续|执行|了|吧|啦)*"
    rf"|(?:请|帮我|把)*(?:全部|所有|两个|一切){_WORK}(?:都|全)?"
    r"(?:取消|停(?:止|下|掉)?|不做|不用|放弃)(?:做|了|吧|掉)*"
    r"|(?:算了|不了|那就?)*[，, ]*(?:后面|后边|剩下|其余|余下|剩余|接下来|另外|别)的?"
    rf"(?:那)?(?:一|两|几)?[个件项]?{_WORK}"
    r"(?:也|都|就|全)*(?:不用|不要|不必|不需要|别|甭|不|取消|算)(?:再|做|弄|搞|查|看|写|要|继续|执行|了|吧|啦)+"
    rf"|(?:请|帮我)*(?:取消|停止|放弃)(?:全部|所有|一切|两个){_WORK}[了吧]*"
    r"|(?:ok(?:ay)?,? |please,? |no,? )*(?:never ?mind|forget|cancel|drop|skip|stop|leave|abort)(?: about)? "
    r"(?:all(?: of (?:it|them|this|that)| that)?|everything|both(?: of (?:them|it))?|(?:it|them) (?:all|both))"
    r"(?:,? please)?"
    r"|(?:i )?(?:don't|do not) (?:do|want|need) (?:any of (?:it|them|this|that)|either(?: of them)?)(?: any ?more)?"
    r"|(?:none|neither) of (?:it|them|this|that)(?:,? please| any ?more)?",
    re.IGNORECASE,
)
_ORDINAL_ZH: Final = compile_later(
    r"(?:我?(?:选|要|用|就))*(?:第)?([一二两三四五六七八九十]|\d{1,2})(?:个|项|条|种|号)?(?:吧|的|就行|好了)*"
)
_ORDINAL_EN: Final = compile_later(
    r"(?:i(?:'ll| will)? (?:take|want|choose|pick|go with) |take |choose |pick |let's take |use )?(?:the )?"
    r"(?:(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th))"
    r"(?: one| option| choice)?"
    r"|(?:option|number|no\.?|#|choice) ?(one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}))(?:,? please)?",
    re.IGNORECASE,
)
_LAST: Final = compile_later(
    r"(?:我?(?:选|要))?最后(?:一)?(?:个|项|条|种)(?:吧)?|后者|(?:the )?(?:last|latter)(?: one| option)?", re.I
)
_FORMER: Final = compile_later(r"前者|(?:the )?former(?: one)?", re.IGNORECASE)
_CLAUSE_END: Final = compile_later(r"(?:[，,。;；!！]|\.(?![A-Za-z0-9]))+\s*")  # 不.docx is the name of a file
_INSTEAD: Final = compile_later(r"\binstead\b|^(?:还是|改为|那就?|rather|but)\s*", re.IGNORECASE)
_OTHER_WAY: Final = compile_later(
    r"(?:请|你|那|就|再|还是|我们)*(?:换|想|找|用|试)(?:[一个种的]|别的|其他|另外?)*"
    r"(?:办法|方法|方式|做法|法子|思路|路子)(?:吧|试试|看看|来|做)*"
    r"|(?:please )?(?:try|find|use|do)(?: it)? (?:something else|another (?:way|approach)|a different (?:way|approach)"
    r"|some other way|differently)(?:,? please)?",
    re.IGNORECASE,
)
# A question whether to leave something out: to take it out is the yes, and to keep it the no.
_PART: Final = r"(?:it|that|this|(?:that|this|the) (?:part|bit|one|column|row|section|page))"
_PART_ZH: Final = r"(?:它|这[一个]?[处个项段页]?|那[一个]?[处个项段页]?|[这那]部分)?"
_REMOVAL: Final = compile_later(
    r"去掉|删[除去掉]|略[过去]|\b(?:leave\b[^,;]{1,40}\bout|remove|delete|omit|without)\b", re.IGNORECASE
)
_TAKES_OUT: Final = compile_later(
    rf"(?:(?:yes|ok|okay|sure),? )?(?:please )?(?:(?:leave|take) {_PART} out|(?:remove|delete|omit) {_PART}"
    rf"|(?:go on |do (?:it|the rest) )?without {_PART})(?:,? please)?"
    rf"|(?:好的?|行|可以|嗯)?[，, ]*(?:那就|就|请|先)?(?:把{_PART_ZH})?(?:去掉|删掉|删除|略过){_PART_ZH}"
    r"(?:吧|好了|就行|了)?",
    re.IGNORECASE,
)
_KEEPS_IT: Final = compile_later(
    rf"(?:no,? )?(?:please )?(?:keep|retain) {_PART}|leave {_PART} in"
    rf"|(?:不，?)?(?:请|要)?(?:保留|留着|留下){_PART_ZH}(?:吧|了)?",
    re.IGNORECASE,
)
_ABOUT_KEEPING: Final = compile_later(
    rf"\b(?:keep|retain|need|want|include)\b|\bwith {_PART}|\b(?:leave|drop|skip) {_PART}"
    r"|保留|留[着下]|需要[它这那]|少不了",
    re.IGNORECASE,
)
_MIN_WANTED_CHARS: Final = 3
# A longer message answers no question in words; reading 50,000 characters clause by clause took a second.
_MAX_REPLY_CHARS: Final = 500
_STRIP: Final = " \t\r\n。.!！~～，,"


def read_reply(message: str, question: str = "") -> Assent | None:
    """Whether the message says yes or no to a question; None if it says anything else, or yes while it trails off.

    Words of the question's last sentence may be repeated ("可以，仿真吧", "yes, simulate it"); other content may not.
    """
    found = _read_reply(message, question) if len(message) <= _MAX_REPLY_CHARS else None
    return None if found == "yes" and hesitates(message) else found


def _read_reply(message: str, question: str) -> Assent | None:
    said = " ".join(message.strip(_STRIP).split()).replace("’", "'")
    if (plain := read_assent(said)) is not None:
        return plain
    if drops_all(said) or _wants_other_way(said):
        return "no"
    asked = _last_sentence(question)
    if _REMOVAL.search(asked) and (_TAKES_OUT.fullmatch(said) or _ABOUT_KEEPING.search(said)):
        return _read_of_removal(said)
    read = choose(resolve_language("auto", said), en=read_english, zh=read_chinese)
    return read(said, asked.casefold())


def _read_of_removal(said: str) -> Assent | None:
    """What words of taking out or keeping say to a question whether to leave something out; "I need it" is neither."""
    if _TAKES_OUT.fullmatch(said):
        return "yes"
    is_no = _KEEPS_IT.fullmatch(said) is not None or re.match(r"(?:不|别|don't|do not)", said, re.IGNORECASE)
    return "no" if is_no else None


def _wants_other_way(said: str) -> bool:
    """Whether the message says no and asks for another way to the same end: 不同意，换个办法."""
    found = _CLAUSE_END.search(said)
    if found is None or read_assent(said[: found.start()]) != "no":
        return False
    return _OTHER_WAY.fullmatch(said[found.end() :].strip(_STRIP)) is not None


def is_dismissal(message: str, question: str = "") -> bool:
    """Whether the message only says that nothing (more) shall be done: "算了", "不用仿真了", "never mind"."""
    said = message.strip(_STRIP)
    if re.fullmatch(r"n|no|不|否|stop|停", said, re.IGNORECASE):
        return True
    return read_reply(message, question) == "no"


def drops_all(message: str) -> bool:
    """Whether the message refuses everything that was asked for: "都不用了", "cancel both"."""
    return _DROPS_ALL.fullmatch(message.strip(_STRIP).replace("’", "'")) is not None


def split_refusal(message: str, question: str = "") -> str | None:
    """What a message asks for after it has said no: "no, show me the map instead"; None if it does not say both.

    The no may repeat words of the question: 先不仿真，哪个最严重.
    """
    said = message.strip()
    found = _CLAUSE_END.search(said)
    if found is None or not is_dismissal(said[: found.start()], question):
        return None
    wanted = _INSTEAD.sub("", said[found.end() :].strip(_STRIP)).strip(_STRIP)
    return wanted if len(wanted) >= _MIN_WANTED_CHARS and read_reply(wanted) is None else None


def is_go_on(message: str) -> bool:
    """Whether the message asks to go on with what was stopped or put aside."""
    return _GO_ON.fullmatch(message.strip(_STRIP)) is not None


def read_ordinal(message: str, count: int) -> int | None:
    """Place of the choice that the message names, from 0: "第二个", "the first one", "最后一个"; None for others."""
    said = message.strip(_STRIP)
    if _LAST.fullmatch(said):
        return count - 1
    if _FORMER.fullmatch(said):
        return 0 if count == 2 else None
    place = _ordinal_zh(said) or _ordinal_en(said.casefold())
    return place - 1 if place and place <= count else None


def _ordinal_zh(said: str) -> int:
    found = _ORDINAL_ZH.fullmatch(said)
    if found is None or (said[0] not in "第选要用就我" and not re.search("[个项条种号]", said)):
        return 0
    text = found.group(1)
    return int(text) if text.isdecimal() else read_chinese_integer(text) or 0


def _ordinal_en(said: str) -> int:
    found = _ORDINAL_EN.fullmatch(said)
    if found is None:
        return 0
    text = found.group(1) or found.group(2)
    if digits := re.match(r"\d+", text):
        return int(digits.group())
    return read_english_number(text) or 0


def _last_sentence(question: str) -> str:
    parts = [part for part in re.split(r"[。！!？?\n]|(?<=\w)\.\s", question) if part.strip()]
    return parts[-1] if parts else ""


def match_text(message: str, texts: Sequence[str]) -> int | None:
    """Place of the only text that contains what the message says, beside words like "the one"; None otherwise."""
    said = message.strip(_STRIP).casefold()
    core = re.sub(r"^(?:我?(?:选|要|用|就)|那个)+|(?:那个|这个|的|吧|就行|好了)+$", "", said)
    core = re.sub(r"^(?:the|i want|i'll take|take|choose|pick)\s+|\s+(?:one|option|please)$", "", core).strip()
    if len(core) < 2:
        return None
    found = [at for at, text in enumerate(texts) if core in text.casefold()]
    return found[0] if len(found) == 1 else None

"""Messages that only react to what was done: thanks, praise, impatience, displeasure. They ask for nothing."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from metier.patterns import compile_later
from metier.routing import read_small_talk
from metier.textsearch import fold, to_simplified

Reaction = Literal["thanks", "praise", "slow", "bad"]

_MAX_CHARS: Final = 60
_CLAUSE: Final = compile_later(r"[，,。.!！?？~～；;、\n]+|(?<=谢谢)(?=[^你您啦了])|\b(?:and|but)\b")
_OPENING: Final = compile_later(
    r"(?:ok(?:ay)?|yes|yeah|well|oh|wow|hey|hm+|right|sure|fine|alright|好的?[呀啊]?|行|可以|嗯+|哦|哇|是的?|对|没问题)"
)
_ZH_SUBJECT: Final = (
    r"(?:我?(?:觉得|感觉)|这个?|那个?|结果|报告|图|表|你|做得|写得|画得|干得|弄得|看起来|看着|都|也|还|倒)*"
)
_EN_SUBJECT: Final = (
    r"(?:(?:this|that|it|the\s(?:result|report|chart|table|answer)|you)(?:\s(?:is|was|looks?|are)|'s|'re)?\s)?"
    r"(?:(?:so|very|really|just|pretty|quite|absolutely|too|completely|much)\s)*"
)
_PRAISE: Final = (
    rf"{_ZH_SUBJECT}(?:真的?|非常|太|很|挺|蛮|相当|特别|确实|比较)*(?:不错|棒|赞|完美|漂亮|厉害|到位|满意|清楚|好用|有用|专业|给力)(?:[的了啊呀哦呢]|极了)*"
    rf"|{_ZH_SUBJECT}(?:真的?|非常|太|很|挺|蛮|相当|特别|还)+(?:好|可以|行)(?:[的了啊呀哦呢]|极了)*"
    rf"|{_EN_SUBJECT}(?:great|good|nice|perfect|excellent|awesome|amazing|lovely|wonderful|brilliant|fantastic|helpful"
    r"|useful|beautiful|cool|impressive)(?:\s(?:job|work|one))?|well\sdone|love\sit|i\s(?:really\s)?(?:love|like)\s(?:it|this|that)"
    r"|(?:that|this|it)\s(?:works|helps)(?:\sfor\sme)?"
)
_SLOW: Final = (
    r"(?:怎么|咋|为什么)?(?:都|还|也)?(?:这么|那么|好|太|真|有点|实在)+(?:慢|卡|久)(?:[了啊吧呀呢]|死了)*"
    r"|(?:我)?(?:都)?(?:等|跑|算)了?(?:好久|半天|很久|太久|这么久)了?|(?:怎么)?(?:还|还是)(?:没|没有)(?:好|完|弄好|做完|跑完|出来|结果)[吗啊呢]?"
    r"|(?:麻烦|请)?(?:再)?快一?点[吧啊儿]*|why\s(?:is|are|does)\s(?:this|it|that|you)(?:\s(?:take|taking))?\s(?:so|too)\s(?:slow|long)"
    rf"|{_EN_SUBJECT}slow(?:\stoday)?|(?:this|it)(?:\sis|'s)?\s(?:takes|taking|took)\s(?:too\slong|so\slong|forever|ages)|hurry\sup"
)
_BAD: Final = (
    rf"{_ZH_SUBJECT}(?:真的?|太|好|这么|简直|实在)*(?:差劲|垃圾|烂|不靠谱|糟糕|难用|不好用)(?:[了啊呀]|透了|死了)*|你(?:真|太|怎么这么)(?:没用|笨|蠢|傻)(?:[了啊呀])*"
    r"|(?:这|你)?(?:是|都)?什么(?:破|垃圾|烂)(?:玩意儿?|东西|软件|程序|系统)"
    rf"|{_EN_SUBJECT}(?:useless|terrible|awful|rubbish|garbage|crap|stupid|dumb|horrible|hopeless)|(?:this|that|it)\s(?:really\s)?sucks"
)
# Only beside one of the others: alone they may be about a life.
_ANNOYED: Final = compile_later(
    r"(?:真|好|太)?(?:烦|急|气)(?:死)?(?:我)?了?(?:人)?|烦人|无语|我的天|天[哪啊]|服了|(?:so\s|how\s)?annoying|ugh+|argh+|damn|come\son|seriously"
)
_PATTERNS: Final[Mapping[Reaction, re.Pattern[str]]] = MappingProxyType(
    {"slow": compile_later(_SLOW), "bad": compile_later(_BAD), "praise": compile_later(_PRAISE)}
)

# Neither a yes nor a no to an open question, and no other request either.
_HALF: Final = compile_later(
    r"(?:那?就|先)这样(?:了)?(?:吧|了)"
    r"|(?:我?(?:怎么)?都(?:行|可以|成|好)|随[你您]|随便|无所谓|[你您]看着办|(?:我)?不(?:反对|介意)|(?:好|可以|行|对|成)不)(?:吧|了|啊|呀|的)?"
    r"|(?:ok(?:ay)?,? |yes,? |fine,? |sure,? )?(?:whatever|i don't care|up to you|as you like|later|no worries|not no)"
    r"|(?:i )?(?:keep|need|want) (?:it|that|this)(?: part)?|(?:leave|drop) (?:it|that|this)",
    re.IGNORECASE,
)
_STRIP: Final = " \t\r\n。.!！~～，,"


def read_reaction(message: str) -> Reaction | None:
    """What a whole message reacts with; None if any of its clauses says something else, or it only says yes."""
    said = to_simplified(message.strip()).replace("’", "'").lower()
    if len(said) > _MAX_CHARS:
        return None
    clauses = [" ".join(one.split()) for one in _CLAUSE.split(said) if one.strip()]
    kinds: list[Reaction | None] = [
        _read_clause(one) for one in clauses if not _OPENING.fullmatch(one) and not _ANNOYED.fullmatch(one)
    ]
    if not kinds or not all(kinds):
        return None
    return next(one for one in ("bad", "slow", "thanks", "praise") if one in kinds)


def is_half_answer(message: str) -> bool:
    """Whether a whole message leaves open if it means yes or no: 随你, 不反对, "whatever", "keep it"."""
    return _HALF.fullmatch(to_simplified(message.strip(_STRIP)).replace("’", "'")) is not None


def _read_clause(clause: str) -> Reaction | None:
    if read_small_talk(fold(clause)) == "thanks":
        return "thanks"
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(clause)), None)

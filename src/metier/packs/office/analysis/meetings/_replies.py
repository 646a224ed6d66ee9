"""What the person who was asked says to it: takes it, refuses it, another day, or nothing that settles it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from metier.language import split_sentences
from metier.packs.office.analysis._dates import TIME_PHRASE, has_date_words
from metier.packs.office.analysis.meetings._transcript import Utterance

__all__ = [
    "SpokenReply",
    "agrees",
    "cut_other_work",
    "gives_assent",
    "has_objection",
    "list_assents",
    "read_reply",
    "refuses",
]

Attitude = Literal["accepts", "refuses", "unclear", "silent", "takes"]
_ASSENT: Final = re.compile(
    r"^(?:嗯+|啊|哦|哎|那|那就)?[，,。？?\s]*(?:(?:好+[的说]?|行+|哦(?=[。！!]?$)|成|没问题|可以|收到|明白|嗯|好嘞|好啊|得嘞|妥|了解|晓得|"
    r"知道了|放心|遵命|交给我|包在我身上|记[下住]了|"
    r"ok(?:ay)?|sure|yes|yep|yeah|will do|no problem|not a problem|of course|certainly|absolutely|got it|fine|"
    r"on it|agreed|"
    r"understood|why not|happy to|right away|consider it done|noted|my pleasure|sounds good|great)"
    r"(?=[的呀啊吧了啦嘞，,。！!.\s]|$|我)|没事[，,。])",
    re.IGNORECASE,
)
_REFUSAL: Final = re.compile(
    r"没空|不行|没时间|做不了|来不及|不方便|恐怕|不归我|找别人|换个?人|没法|没办法|做不[了到完]|办不到|不合适|"
    r"干不了|不同意|另请|不熟|[\u4e00-\u9fff]不了(?!解)|"
    r"再说(?!明|一[遍次下])|看情况|再看吧|看看吧|凭什么|为什么(?:又|总|老|偏)?(?:是|要|让|找)?我|怎么(?:又|总|"
    r"老)?(?:是|让|找)我|又是我|关我|"
    r"辞职|离职|退休|休假|请假|住院|考虑(?:一下|考虑|看看|$|[。，,])|想得美|免谈|没门|不干|才不|轮不到|不该我|"
    r"不想(?:做|去|干|接)|"
    r"不是我的(?:事|活|职责|工作)|(?:让|叫|找|还是)(?!我|你|大家)[\u4e00-\u9fff]{1,4}(?:来|去|做|弄|干)吧|"
    r"(?:已经?|早就?|刚刚?|昨天就?|上周就?)[^，,]{1,8}了[。！!]?$|\balready\b|\blet (?!me\b|us\b)\w+ (?:do|"
    r"handle|take)\b|"
    r"^ask (?!me\b)\w+|^(?:sorry,? )?no\b(?! problem| worries)|\bwhy (?:is it )?(?:always )?me\b|\bnot my\b|"
    r"\b(?:don't|"
    r"do not) think so\b|\bwe(?:'ll| will) see\b|"
    r"\bi(?:'ve| have)? (?:quit|resign(?:ed)?)\b|\brather not\b|\bno way\b|\bforget it\b|\b(?:someone|somebody|"
    r"anyone) else\b|\bnot sure\b|\b(?:absolutely|certainly|of course|sure|definitely) not\b|\bnot a chance\b|"
    r"\b(?:maybe|perhaps)\b|\bdepends\b|\brefuse\b|\bswamped\b|"
    r"\b(?:can't|cannot|can not|won't|unable|on (?:leave|vacation|holiday)|too busy|not available|no time)\b",
    re.IGNORECASE,
)
# Of a day, not of the work: `周五太赶`.
_TIGHT: Final = re.compile(r"太(?:早|赶|急|紧|快)|有点(?:早|赶|急|紧)|\btoo (?:early|soon|tight)\b", re.IGNORECASE)
_WEAK_REFUSAL: Final = re.compile(r"不会|不太|不了|不想|不好")
# An agreement that hangs on something; `有问题我再问你` does not.
_CONDITION: Final = re.compile(
    r"(?:如果|要是|假如|除非|只要|前提是)(?![^，,。]{0,8}(?:问题|不清楚|不懂|需要))|\b(?:if|unless|"
    r"provided)\b(?! (?:any|there|you))"
)
# Work of the own that answers, and a day by which it will be there: `我周五给你`, `周五前能给到`.
_OWN: Final = re.compile(
    r"(?:今晚|[上中下]午|晚上|一会儿?|待会儿?|回头|马上)就?(?:给|发|交)(?:你|您|大家)|我(?:们)?(?:这边|"
    r"这就)?(?:来|去|会|就|马上|尽快|争取|明|今|后天|周|下周|这周|本周|先|负责|能|可以|抓紧|\d|把)|"
    r"\bI(?:'ll| will| can)\b|\b(?:you(?:'ll| will) (?:have|get) it)\b",
    re.IGNORECASE,
)
_ABLE: Final = re.compile(r"能|可以|争取|给你|给您|给到|交|发|前|之?内|\bby\b|\bcan\b", re.IGNORECASE)
_OWN_THEN: Final = re.compile(rf"^我(?:们)?{TIME_PHRASE}(?:之?前)?(?:就|再|去|来|先)")
_COUNTER: Final = re.compile(
    r"(?:^|[，,。；;.!])\s*(?P<day>[^，,。；;?？.!]{1,24}?)"
    r"(?:行不行|行吗|可以吗|好吗|成吗|好不好|来得及吗|"
    r"\b(?:(?:is|would be) )?(?:ok(?:ay)?|fine|alright|all right|instead|work(?: for you)?))\s*[?？]$",
    re.IGNORECASE,
)
# Another person takes it: `我去吧，你忙`.
_TAKES_OVER: Final = re.compile(
    r"^(?:要不|不用|不如|还是|那|这个|这事|让|[，,])*我(?:来|去|帮(?:他|她|忙)?)(?:[\u4e00-\u9fff]{0,4})?吧|"
    r"^我(?![看想觉同试听说认希怕])[\u4e00-\u9fff]{1,4}吧[。！!]?$|^(?:no,? )?(?:let me|I(?:'ll| can|"
    r" will)) (?:do|take|handle) (?:it|that|this)\b",
    re.IGNORECASE,
)
_ABSENT: Final = re.compile(
    r"休假|[产病婚年事]假|请假|辞职|离职|不在|出差|没空|走了|退休|生病|住院|调走|\b(?:on leave|is off|has left|"
    r"quit|is sick|is busy)\b",
    re.IGNORECASE,
)
_OBJECTS: Final = re.compile(
    r"^(?:我|可|又|并|根本|从来|那|可是|但是?|不过|嗯|诶|哎|[，,])*(?:不同意|反对|不赞成|不行|等一下|等等|等会|"
    r"慢着|且慢|不对|先别|"
    r"别急|不能这么|这不行|保留|弃权|有(?:不同|异议|保留|意见(?!一致))|"
    r"觉得不(?:行|妥|对|合适)|没(?:有)?(?:同意|答应|说|决定)|什么时候(?:决定|同意|说)|谁(?:说|同意|决定))|"
    r"^(?:no\b(?! problem| worries| objection)|wait\b|hold on|not so fast|i (?:disagree|object|don't agree|"
    r"do not agree|never agreed)|"
    r"we (?:did not|didn't|never|haven't)|that's not what|but we)",
    re.IGNORECASE,
)
_NO_OBJECTION: Final = re.compile(
    r"^(?:我|我们|大家)?(?:都)?(?:没(?:有)?(?:意见|异议|问题)?[，,。！!]|没(?:有)?$|同意)"
)
# What a reply says of the same work without adding to it.
_FILLER: Final = re.compile(
    r"好的?|行|那|没问题|可以|收到|明白|嗯|知道了|交给我|包在我身上|我(?:们)?|[你您]|这就|马上|尽快|一定|争取|来|"
    r"去|会|就|把|它|完成|处理|办|弄|做|搞定|落实|解决|"
    r"安排|完|掉|一下|的|了|吧|啊|呀|之前|以前|前|之内|内|后|[，,。！!、\s]"
)
_DATE_WORDS: Final = re.compile(
    r"(?:今|明|后|大后)天|(?:下下|下个?|本|这个?)?(?:周|星期|礼拜)[一二三四五六日天末]?|"
    r"[\d一二三四五六七八九十两]+(?:月|日|号|天|周|个月)|月[底中初]|年底|下班"
)
_HANDS_OVER: Final = re.compile(
    r"[今明][晚早]|[上下中]午|晚上|早上|\d+点半?|[给发交你您大家出弄写做好内把能都该应行吗吧。那]"
)
# What moves the day: `不过要下周一`, `最快周四`, `but not before Monday`.
_MOVES: Final = re.compile(
    r"不过|也|都|但是?|可是|只是|得|需?要|只能|最快|最早|最晚|最迟|才|恐怕|可能|等到?|到|推|延|再|换|改|成|为|"
    r"之?后|以后|上午|"
    r"下午|晚上|早上"
)
_BUT: Final = re.compile(r"不过|但|可是|只是")
_ONLY: Final = re.compile(r"才|最快|最早|最晚|最迟|只能")
_MAX_REST: Final = 2
_MOVES_ENGLISH: Final = re.compile(
    r"\b(?:but|only|not (?:before|until)|no(?:t)? earlier than|make it|rather|instead|earliest|better|works)\b",
    re.IGNORECASE,
)
_SELF: Final = re.compile(r"我|\b(?:I|me|my)\b")
_MAX_AHEAD: Final = 4
# What points at the work or asks about it: `又要改？客户有完没完`, `That's Peter's job, not mine.`
_TO_IT: Final = re.compile(r"^(?:这|那|又|哪|还要|怎么|(?:that|this|it|why|who|how|not)\b)|[?？]", re.IGNORECASE)
_MAX_SHORT: Final = 8
_MAX_WORDS: Final = 5


@dataclass(frozen=True, slots=True)
class SpokenReply:
    """What is said to a request: by whom, at which utterance, and the words of another day if it names one."""

    attitude: Attitude
    speaker: str = ""
    at: int = -1
    text: str = ""
    day: str = ""


def read_reply(said: Sequence[Utterance], at: int, who: str, work: str = "") -> SpokenReply:
    """What the person says who was asked; with no name whoever speaks next was asked."""
    later = [one for one in range(at + 1, min(len(said), at + 1 + _MAX_AHEAD)) if said[one].speaker != said[at].speaker]
    if not later or not said[later[0]].speaker:
        return SpokenReply("silent")
    first = said[later[0]]
    asked = who or first.speaker
    if first.speaker != asked:
        if _TAKES_OVER.match(first.text.strip()):
            return SpokenReply("takes", first.speaker, later[0], first.text)
        if who in first.text and _ABSENT.search(first.text):
            return SpokenReply("refuses", first.speaker, later[0], first.text)
    attitudes: list[SpokenReply] = []
    for one in (one for one in later if said[one].speaker == asked):
        if attitudes and said[one - 1].speaker != asked and said[one - 1].text.rstrip().endswith(("?", "？")):
            break  # Who has spoken to it answers another question now.
        if (day := _find_counter(said, one, said[at].speaker)) is not None:
            return SpokenReply("accepts", asked, one, said[one].text, day)
        reply = _classify(said[one].text.strip(), work)
        found = SpokenReply(reply[0], asked, one, said[one].text, reply[1])
        if found.attitude in ("accepts", "refuses"):
            return found
        attitudes.append(found)
    # What the asked person says later may be about anything; only the next words must settle it.
    return attitudes[0] if attitudes and attitudes[0].at == later[0] else SpokenReply("silent")


def _find_counter(said: Sequence[Utterance], at: int, asker: str) -> str | None:
    """Another day that a reply asks for and the asker agrees to: `周五我休假，下周一行吗？` `行。`"""
    match = _COUNTER.search(said[at].text.strip())
    is_next = at + 1 < len(said) and said[at + 1].speaker == asker
    if match is None or not is_next or not has_date_words(match["day"]) or not _ASSENT.match(said[at + 1].text.strip()):
        return None
    return match["day"]


def has_objection(said: Sequence[Utterance], at: int) -> bool:
    """Whether the next person objects to what was said."""
    following = next((one for one in said[at + 1 :] if one.speaker != said[at].speaker), None)
    return following is not None and bool(following.speaker) and _OBJECTS.search(following.text.strip()) is not None


def gives_assent(said: Sequence[Utterance], at: int) -> bool:
    """Whether the next person says yes to what was put to all."""
    following = next((one for one in said[at + 1 :] if one.speaker != said[at].speaker), None)
    has_speakers = any(one.speaker for one in said)
    if not has_speakers:
        following = said[at + 1] if at + 1 < len(said) else None
    text = following.text.strip() if following is not None and (following.speaker or not has_speakers) else ""
    return _ASSENT.match(text) is not None or _NO_OBJECTION.match(text) is not None


def refuses(text: str) -> bool:
    """Whether what somebody says refuses whatever was asked: `我考虑一下`, `Not my job.`"""
    return _classify(text.strip(), "")[0] == "refuses"


def _classify(text: str, work: str) -> tuple[Attitude, str]:
    parts = [part for part in re.split(r"(?<=[，,。；;！!?？])\s*", text) if part.strip()]
    # `周五不行，下周二给你` refuses a day and names another.
    meant = [part for part in parts if not (has_date_words(part) and (_REFUSAL.search(part) or _TIGHT.search(part)))]
    day = _find_other_day(meant, work)
    plain = "".join(meant)
    if (len(meant) < len(parts) and not day) or _REFUSAL.search(plain) or _CONDITION.search(plain):
        return "refuses", ""
    if _ASSENT.match(plain):
        return "accepts", day
    if _WEAK_REFUSAL.search(plain) or _ABSENT.search(plain):
        return "refuses", ""
    is_question = plain.endswith(("?", "？", "吗", "呢"))
    is_own = _OWN.search(plain) or _OWN_THEN.match(plain)
    if not is_question and (day or is_own or (has_date_words(plain) and _ABLE.search(plain))):
        return "accepts", day
    # Who goes on to another matter says nothing to it; a question, a short word or one of the own is said to it.
    is_short = len(plain) <= _MAX_SHORT or (plain.isascii() and len(plain.split()) <= _MAX_WORDS)
    is_said_to_it = is_question or is_short or _SELF.search(plain) or _TO_IT.search(plain)
    return ("unclear" if is_said_to_it else "silent"), ""


def _find_other_day(parts: Sequence[str], work: str) -> str:
    """The part of a reply that names a day for the work that was asked for."""
    for part in parts:
        if not has_date_words(part) or part.rstrip().endswith(("?", "？", "吗", "吗？")):
            continue
        if not re.search(r"[\u4e00-\u9fff]", part):
            if _MOVES_ENGLISH.search(part) or _MOVES_ENGLISH.search(" ".join(parts)):
                return part
            continue
        moved = _MOVES.sub("", _HANDS_OVER.sub("", _DATE_WORDS.sub("", part)))
        rest = _FILLER.sub("", moved)
        # `但下周五才能出结果` moves the day in other words, `不过下周一我去拜访客户` is other work.
        is_moved = _BUT.match(part.strip()) and _ONLY.search(part) and len(rest) <= _MAX_REST and "我" not in part
        if agrees(moved, work) or is_moved:
            return part
    return ""


def cut_other_work(reply: str, work: str) -> str:
    """The parts of a reply that speak of the work that was asked for; `嗯，明天我去拜访客户` says nothing of it."""
    if not re.search(r"[\u4e00-\u9fff]", reply):
        return reply
    parts = re.split(r"(?<=[，,。；;！!])", reply)
    return "".join(part for part in parts if agrees(_HANDS_OVER.sub("", part), work))


def list_assents(reply: SpokenReply, work: str) -> frozenset[tuple[int, str]]:
    """Sentences of a reply that only take the work, by utterance: `好，我更新，更新完发群里` to 更新话术."""
    if reply.attitude not in ("accepts", "takes"):
        return frozenset()
    sentences = [one.strip() for one in split_sentences(reply.text)]
    return frozenset((reply.at, one) for one in sentences if reply.attitude == "takes" or _takes_only(one, work))


def _takes_only(sentence: str, work: str) -> bool:
    """Whether no clause speaks of other work: each adds nothing, or tells more of a verb of the work."""
    clauses = [one for one in re.split(r"[，,；;]", sentence) if one.strip()]
    clauses = [one for one in clauses if not (_REFUSAL.search(one) or _TIGHT.search(one))]
    plain = [re.sub(rf"{TIME_PHRASE}|[好得][嘞呀]|遵命|群里|[给发交送][你您]|[给发交]大家", "", one) for one in clauses]
    rests = [_FILLER.sub("", _DATE_WORDS.sub("", one)).strip() for one in plain]
    return all(agrees(one, work) or rest[:2] in work for one, rest in zip(plain, rests, strict=True))


def agrees(sentence: str, work: str) -> bool:
    """Whether a sentence adds nothing to the work that was asked for."""
    rest = _FILLER.sub("", _DATE_WORDS.sub("", sentence))
    return all(char in work for char in rest)

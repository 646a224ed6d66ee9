"""Questions that seek somebody for work, and answers that only take it: `谁去接？` `我吧。`, `Who drives?` `Me.`"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from metier.packs.office.analysis._dates import TIME_PHRASE

__all__ = ["SoughtWork", "find_sought", "read_answer", "read_due", "seeks_help", "takes_task"]

_WHO: Final = re.compile(
    r"^(?P<thing>[^。?？]{0,30}?)(?:由|让|要|该|归)?(?:谁|哪位|哪个人)(?:来|去|能|可以|愿意|有空|要|会|帮忙|帮)*"
    r"(?P<verb>[^，,?？的了过]{0,8}?)(?:一下|呢|啊|呀)?[?？]$"
)
_WHO_ENGLISH: Final = re.compile(
    r"\bwho(?:'s|'ll| is| can| will| could| would|se turn is it to)?(?: going to| free to| able to| like to|"
    r" wants? to)? "
    r"(?P<work>[a-z][^?]*)\?$|\b(?:someone|somebody)(?: has to| needs to| must| should|'s got to) (?P<need>[^.?!]+)",
    re.IGNORECASE,
)
_PAST_ENGLISH: Final = re.compile(
    r"^(?:was|were|did|has|had|is it|knows?|said|told|wants?\b(?! to)|\w+ed\b)", re.IGNORECASE
)
_TAKES: Final = re.compile(
    rf"^(?:好的?|行|那|嗯|还是|要不|没事)*[，,]?(?:{TIME_PHRASE})?我(?:{TIME_PHRASE})?(?:来|去|可以|能|就|也行|愿意|试|上)*"
    r"(?P<verb>(?![没不有觉想看听是在手])[\u4e00-\u9fff]{0,3}?)"
    r"(?:我(?P=verb))?[吧呗呀啊]?(?=[，,。！!]|$)[，,。！!]?(?P<rest>.*)$"
)
_TAKES_ENGLISH: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|sure|fine|yes|yeah)[,.]?\s*)?(?:me(?: again)?|on it|mine|I(?:'ll| will| can| could) "
    r"(?:do|take|get|handle|cover|sort|pick|see to|take care of)?\s*(?:it|that|this|them|those)?(?: up)?|I(?:'ll|"
    r" will| can))"
    r"(?P<rest>(?:[ ,]+(?:by |on |(?:mon|tues|wednes|thurs|fri|satur|sun)day|before |after |this |next |tonight|"
    r"tomorrow|today|right|first)[^.;!?]*)?)[.!]?$",
    re.IGNORECASE,
)
_ON_IT: Final = re.compile(
    r"^(?:on it|leave it (?:to|with) me|I'm on it|I've got (?:this|it)|交给我|包在我身上)(?:吧)?[.。!！]?$",
    re.IGNORECASE,
)
_NO_REST: Final = re.compile(r"不|没|了|请|上次|已")
# What calls for somebody without asking: `电梯坏了`, `the board needs …`.
_HELP: Final = re.compile(
    r"谁|哪位|怎么办|坏|破了|漏|不够|不多了|还没|还差|需要|(?:还|也)?得|最好|能不能|要不要|帮|麻烦|太[\u4e00-\u9fff]|偏|松|堵|"
    r"\b(?:needs?|has to|have to|should|could|can|broken?|someone|somebody|who|expired|missing)\b",
    re.IGNORECASE,
)


class SoughtWork(NamedTuple):
    """Work for which somebody is sought: what is done to which thing."""

    verb: str
    thing: str


def find_sought(sentence: str) -> SoughtWork | None:
    """The work of a question such as `总结谁写？`; a question who did something seeks nobody."""
    plain = sentence.strip()
    if (match := _WHO.search(plain)) and (match["thing"] or match["verb"]):
        if re.search(r"的[?？]$|昨天|上次|上期|是$", plain) or match["thing"].endswith("是"):
            return None
        thing = match["thing"].strip("，, ")
        return SoughtWork(match["verb"].strip(), f"（{thing}）" if re.search(r"[，,]", match["thing"]) else thing)
    if match := _WHO_ENGLISH.search(plain):
        work = (match["work"] or match["need"]).strip()
        return None if _PAST_ENGLISH.match(work) else SoughtWork(re.sub(r"^doing\b", "do", work), "")
    return None


# When or whether it is done: `水电图什么时候能给我？` `后天给你。`, `主图出了吗？` `还没，今晚出。`
_WHEN: Final = re.compile(
    r"^(?P<thing>[^，,。?？你他她]{1,12}?)(?:你|大概|最快)?(?:什么时候|几时|啥时候|哪天|几号)(?:能|可以|会)?(?P<verb>[给交发出做写弄改送寄]?)[^?？，,]{0,5}[?？]$"
    r"|^(?P<thing2>[^，,。?？他她]{1,12}?)(?:已经|都)?(?P<verb2>[给交发出做写弄改送寄打印画订买约报补联拍贴洗修装催])(?:好|完|出来|过)?了?(?:没有?|吗|了没)[?？]$"
)
_BY_DAY: Final = re.compile(
    rf"^(?:还没有?|没有?|快了|没呢|没来得及|马上)?(?:[，,])?(?:我)?(?P<day>{TIME_PHRASE}|马上|这就|现在)(?:之?前)?(?:就|再|能|可以|会|我)*"
    r"(?P<verb>[给交发出做写弄改送寄打印画订买约报补联拍贴洗修装催])(?P<rest>[^，,。]{0,4})[。！!]?$"
)


def read_due(sentence: str, asked: str) -> str:
    """What the speaker will have done by a day that answers a question for it; empty for anything else."""
    when, said = _WHEN.match(asked.strip()), _BY_DAY.match(sentence.strip())
    if when is None or said is None or re.search(r"了[。！!]?$", sentence):
        return ""
    thing, verb = when["thing"] or when["thing2"], when["verb"] or when["verb2"]
    if verb and verb != said["verb"] and said["verb"] not in "给交发":
        return ""
    return f"{said['day']}{said['verb']}{said['rest'].rstrip('吧啊呀')}：{thing}"


def seeks_help(sentence: str) -> bool:
    """Whether a sentence calls for somebody to do something about it."""
    return _HELP.search(sentence) is not None


def read_answer(sentence: str, sought: Sequence[SoughtWork]) -> str:
    """What the speaker takes on with an answer that only takes it; empty if it says anything else."""
    plain = sentence.strip().rstrip("。")
    for one in reversed(sought):
        if match := _TAKES.match(plain):
            if _NO_REST.search(match["rest"]) or (match["verb"] and one.verb and match["verb"][0] not in one.verb):
                continue
            rest = match["rest"].strip("，,。 ")
            done = one.verb or match["verb"] or "负责"
            return f"{done}{one.thing}{'，' if rest else ''}{rest}"
        if (match := _TAKES_ENGLISH.match(plain)) and not one.thing:
            return f"{one.verb}{match['rest']}"
    return ""


def takes_task(sentence: str) -> bool:
    """Whether a sentence only takes what was just said to be needed: `On it.`"""
    return _ON_IT.match(sentence.strip()) is not None

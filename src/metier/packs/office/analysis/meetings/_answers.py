"""Questions that seek somebody for work, and the answers that only take it: `谁去接？` `我吧。`, `Who can drive?` `Me.`"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from metier.packs.office.analysis._dates import TIME_PHRASE

__all__ = ["SoughtWork", "find_sought", "read_answer", "seeks_help"]

_WHO: Final = re.compile(
    r"^(?P<thing>[^。?？]{0,30}?)(?:由|让|要|该|归)?(?:谁|哪位|哪个人)(?:来|去|能|可以|愿意|有空|要|会|帮忙|帮)*"
    r"(?P<verb>[^，,?？的了过]{0,8}?)(?:一下|呢|啊|呀)?[?？]$"
)
_WHO_ENGLISH: Final = re.compile(
    r"\bwho(?:'s|'ll| is| can| will| could| would|se turn is it to)?(?: going to| free to| able to| like to| wants? to)? "
    r"(?P<work>[a-z][^?]*)\?$|\b(?:someone|somebody)(?: has to| needs to| must| should|'s got to) (?P<need>[^.?!]+)",
    re.IGNORECASE,
)
_PAST_ENGLISH: Final = re.compile(r"^(?:was|were|did|has|had|is it|knows?|said|told|wants?\b(?! to)|\w+ed\b)", re.IGNORECASE)
_TAKES: Final = re.compile(
    rf"^(?:好的?|行|那|嗯|还是|要不|没事)*[，,]?(?:{TIME_PHRASE})?我(?:{TIME_PHRASE}|来|去|可以|能|就|也行|愿意|试试?|上)*"
    r"(?P<verb>(?![没不有觉想看听是在手])[\u4e00-\u9fff]{0,3}?)"
    r"(?:我(?P=verb))?[吧呗呀啊]?(?=[，,。！!]|$)[，,。！!]?(?P<rest>.*)$"
)
_TAKES_ENGLISH: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|sure|fine|yes|yeah)[,.]?\s*)?(?:me(?: again)?|on it|mine|I(?:'ll| will| can| could) "
    r"(?:do|take|get|handle|cover|sort|pick|see to|take care of)?\s*(?:it|that|this|them|those)?(?: up)?|I(?:'ll| will| can))"
    r"(?P<rest>(?:[ ,]+(?:by |on |before |after |this |next |tonight|tomorrow|today|right|first)[^.;!?]*)?)[.!]?$",
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
        return SoughtWork(match["verb"].strip(), match["thing"].strip("，, "))
    if match := _WHO_ENGLISH.search(plain):
        work = (match["work"] or match["need"]).strip()
        return None if _PAST_ENGLISH.match(work) else SoughtWork(re.sub(r"^doing\b", "do", work), "")
    return None


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
            thing = f"（{one.thing}）" if re.search(r"[，,]", one.thing) else one.thing
            return f"{done}{thing}{'，' if rest else ''}{rest}"
        if (match := _TAKES_ENGLISH.match(plain)) and not one.thing:
            return f"{one.verb}{match['rest']}"
    return ""

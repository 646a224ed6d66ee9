"""Risks with what is done about each, said in a row: “for frost, cover the rows, and for hail, spread nets”."""

import re
from itertools import pairwise
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["restate_said_pairs"]

_ABOUT: Final = re.compile(
    r"风险|对策|应对|问题|隐患|\b(?:risks?|remed(?:y|ies)|mitigations?|problems?|measures?|countermeasures?)\b",
    re.IGNORECASE,
)
_PAIR_EN: Final = re.compile(
    r"(?:for|against|in case of) (?:an? |the )?(?P<what>[a-z][a-z'’ -]{2,40}?), (?P<done>(?!for |against |"
    r"and )[a-z][a-z'’ -]{2,60})",
    re.IGNORECASE,
)
_PAIR_ZH: Final = re.compile(
    r"(?:针对|对于)(?P<what>[^\s,，、;；。:\"的]{2,12})[,，]\s*(?:我们|就|要)?(?P<done>(?!针对|"
    r"对于)[^\s,，、;；。:\"]{2,20})"
)
_BETWEEN: Final = re.compile(r"\s*[,，;；]?\s*(?:and\s+)?")
_END: Final = re.compile(r"\s*(?:[.。!！]\s*|$)")
_ENDING_ORDER: Final = re.compile(r"\b(?:please|table|slide|column|row|title)\b", re.IGNORECASE)


def restate_said_pairs(request: str) -> str:
    """The request with such pairs at the end of a sentence between dashes and semicolons."""
    text = RequestText(request)
    is_chinese = re.search(r"[\u4e00-\u9fff]", text.mask) is not None
    found = list((_PAIR_ZH if is_chinese else _PAIR_EN).finditer(text.mask))
    if len(found) < 2 or not _ABOUT.search(text.mask[: found[0].start()]):
        return request
    if any(_BETWEEN.fullmatch(text.mask[a.end() : b.start()]) is None for a, b in pairwise(found)):
        return request
    if not _END.match(text.mask, found[-1].end()) or any(_ENDING_ORDER.search(one[0]) for one in found):
        return request
    before = request[: found[0].start()].rstrip()
    if before[-1:] not in (":", "：", ",", "，"):
        return request
    pairs = [(request[slice(*one.span("what"))].strip(), request[slice(*one.span("done"))].strip()) for one in found]
    dash, sign, colon = ("——", "；", "：") if is_chinese else (" – ", "; ", ": ")
    said = sign.join(f"{what}{dash}{done}" for what, done in pairs)
    return f"{before[:-1]}{colon}{said}{request[found[-1].end() :]}"

"""Names with a quantity and a price, or with two amounts, in the words that the rules know for them."""

import re
from itertools import pairwise
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["restate_records"]

_NUMBER: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
# One character behind a number counts something, unless it is money or a time.
_UNITS: Final = r"(?:(?![元万亿年月日点分季第行列栏至到])[\u4e00-\u9fff])"
_SIGNS: Final = r"\d,，、;；。:：\n\""
_POSITION: Final = re.compile(
    rf"(?P<name>[^{_SIGNS}]{{0,24}}?[^{_SIGNS}\s]|[A-Z]\d+[^{_SIGNS}\s]{{1,8}})\s*"
    rf"(?:数量|共|各|要|买)?\s*(?P<count>{_NUMBER})\s*(?P<unit>{_UNITS})[,，]?\s*"
    rf"(?:单价|价格|每{_UNITS}|一{_UNITS}|@|均价)(?:是|为|要|卖)?\s*(?P<price>{_NUMBER})\s*"
    rf"(?:元|块钱?)?(?:[/每]?(?:{_UNITS}|1{_UNITS}))?\s*(?=[,，、;；。\n]|$)"
)
# The same in brackets behind the name: 校服（300套，每套120元）.
_BRACKETED: Final = re.compile(
    rf"(?P<name>[^{_SIGNS}()]{{1,24}})\s*\((?P<inner>(?:数量)?\s*{_NUMBER}\s*{_UNITS}?\s*[,，、]\s*"
    rf"(?:单价|价格|每{_UNITS}|一{_UNITS}|@)\s*{_NUMBER}\s*(?:元|块钱?)?(?:[/每]{_UNITS})?)\)\s*[,，、;和及]?"
)
# Bare numbers behind each name, where the request says before what they are: 名称、数量、单价如下：台式机，10，4200；…
_ANNOUNCED: Final = re.compile(r"(?:数量|件数|台数)[、,，和及/]\s*(?:单价|价格)[^,，、。;\n]{0,8}:")
_BARE: Final = re.compile(
    rf"(?P<name>[^{_SIGNS}]{{1,24}}?)\s*[,，、\s]\s*(?P<count>{_NUMBER})\s*[,，、\s]\s*(?P<price>{_NUMBER})\s*(?:元)?\s*(?=[;；。\n]|$)"
)


def restate_records(request: str) -> str:
    """The request with 数量 before the quantity and 单价 before the price of each position."""
    request = _restate_bare(_restate_bracketed(request))
    mask = RequestText(request).mask
    return _restate(request, mask, list(_POSITION.finditer(mask)))


def _restate(request: str, mask: str, found: "list[re.Match[str]]") -> str:
    if len(found) < 2:
        return request
    for one in reversed(found):
        name = request[one.start("name") : one.end("name")].strip()
        after = "；" if one is not found[-1] else ""
        stop = one.end() + (1 if after and mask[one.end() : one.end() + 1] in (",", "，", "、", ";", "\n") else 0)
        unit = one["unit"] if "unit" in one.groupdict() else ""
        said = f"{name} 数量{one['count']}{unit} 单价{one['price']}{after}"
        request = f"{request[: one.start()]}{said}{request[stop:]}"
    return request


def _restate_bracketed(request: str) -> str:
    """Positions with their numbers in brackets, without the brackets."""
    mask = RequestText(request).mask
    found = list(_BRACKETED.finditer(mask))
    if len(found) < 2 or any(one.end() != other.start() for one, other in pairwise(found)):
        return request
    for one in reversed(found):
        name, inner = (request[slice(*one.span(part))].strip() for part in ("name", "inner"))
        request = (
            f"{request[: one.start()]}{name} {inner}{'；' if one is not found[-1] else '，'}{request[one.end() :]}"
        )
    return request


def _restate_bare(request: str) -> str:
    """Positions of a name and two bare numbers, behind the words for these numbers."""
    mask = RequestText(request).mask
    announced = _ANNOUNCED.search(mask)
    return _restate(request, mask, list(_BARE.finditer(mask, announced.end()))) if announced else request

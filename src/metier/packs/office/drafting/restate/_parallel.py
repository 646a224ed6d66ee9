"""A list of names and a list with as many numbers become names with a number each: 东店、西店的销量 30、40."""

import re
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText

__all__ = ["restate_parallel"]

_NUMBER: Final = r"\d+(?:\.\d+)?"
_UNIT: Final = r"(?:万元|千元|亿元|元|吨|台|件|人次?|个|套|户|次|%|％)?"
_NAME: Final = r"[^\s,，、。;:!?()\[\]/|\n\"\d的]{1,10}|\d{1,2}月?"
_LISTS: Final = re.compile(
    rf"(?P<names>(?:{_NAME})(?:、(?:{_NAME})){{1,11}}?)(?P<months>(?:这|共)?(?:{COUNT})个月)?"
    rf"(?:(?:这|共)?(?:{COUNT})(?:个|家|处|类)[\u4e00-\u9fff]{{1,4}})?(?:的(?P<measure>[\u4e00-\u9fff]{{2,8}}?))?"
    rf"(?:分别|依次|各)?(?:是|为)?\s*:?\s*(?P<values>{_NUMBER}{_UNIT}(?:[、,，]\s*{_NUMBER}{_UNIT}){{1,11}})(?=\s*(?:[,，。;]|$|[\u4e00-\u9fff]))"
)
_DRAWN: Final = re.compile(r"[柱折饼线条]状?形?图|折线|柱状|柱形|饼图|走势|趋势")
_LEAD: Final = re.compile(r"^(?:请|帮我|麻烦|给我|把|将|录入|填入|输入|填写|用|按|以|根据)+")


def restate_parallel(request: str) -> str:
    """The request of a chart with its only two such lists put together."""
    mask = RequestText(request).mask
    found = list(_LISTS.finditer(mask))
    if len(found) != 1 or not _DRAWN.search(mask):
        return request
    one = found[0]
    said = request[slice(*one.span("names"))]
    lead = _LEAD.match(said)
    names = (said[lead.end() :] if lead else said).split("、")
    values = re.split(r"[、,，]\s*", request[slice(*one.span("values"))])
    if one["months"] or names[-1].endswith("月"):
        names = [f"{name}月" if name.isdecimal() else name for name in names]
    if len(names) != len(values) or any(not name or name.isdecimal() for name in names):
        return request
    measure = request[slice(*one.span("measure"))] if one["measure"] else ""
    pairs = "、".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
    before = request[: one.start()] + (lead[0] if lead else "")
    return f"{before}{measure}{'：' if measure else ''}{pairs}{request[one.end() :]}"

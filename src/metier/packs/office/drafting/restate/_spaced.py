"""Clauses of a Chinese request with blanks between them instead of signs: 加计划表 设备、日期两列 留5行."""

import re
from itertools import pairwise
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText

__all__ = ["restate_spaced"]

_BLANK: Final = re.compile(r"(?<=[\u4e00-\u9fff\"）)%])[ \u3000]+(?=[\u4e00-\u9fff\"（(]|[1-9]\d?\s*[行列条项页个])")
# Two names are joined, whether or not blanks stand around the word.
_JOINED: Final = re.compile(r"(?<=[\u4e00-\u9fff])[ \u3000]+(和|与|及|以及)[ \u3000]+(?=[\u4e00-\u9fff])")
_SIGN: Final = re.compile(r"[,，。;；:：!！?？\n]")
# What makes a clause of the words between two blanks: a list, a quotation, an order, a count of lines.
_CLAUSE: Final = re.compile(
    rf"、|\"|[加插做建写放列留画排填]|新增|生成|标题|表头|下[面方]|共|{COUNT}\s*个?(?:空白?)?[行列栏条项页]|空行"
)


def restate_spaced(request: str) -> str:
    """The request with commas for blanks between clauses; one inside a list of names or a row of values stays."""
    request = _JOINED.sub(r"\1", request)
    mask = RequestText(request).mask
    blanks = list(_BLANK.finditer(mask))
    edges = [0, *(one.start() for one in blanks), len(mask)]
    parts = [mask[start:end] for start, end in pairwise(edges)]
    sides = [(_SIGN.split(one)[-1], _SIGN.split(other)[0]) for one, other in pairwise(parts)]
    if any("、" in left and "、" in right for left, right in sides):
        return request  # 姓名、联系 电话、备注: the blank may belong to a name
    for blank, (left, right) in reversed(list(zip(blanks, sides, strict=True))):
        if _CLAUSE.search(left) or _CLAUSE.search(right):
            request = f"{request[: blank.start()]}，{request[blank.end() :]}"
    return request

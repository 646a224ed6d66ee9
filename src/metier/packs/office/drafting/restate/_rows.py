"""Pasted rows with numbers behind their names become the names and numbers of a sentence."""

import re
from typing import Final

from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.lists import find_pasted

__all__ = ["restate_rows"]

_NUMBER: Final = re.compile(r"[-−]?\d[\d,.]*")
_KINDS: Final = frozenset({"chart", "budget"})
# What points to the rows, which is left out: the rows follow.
_BACK: Final = re.compile(
    r"(?:请|麻烦|帮我)?(?:把|将|用|按照?|根据|拿)?(?:以上|上述|上面|上表|这些?|下面|下表|以下)(?:的|这些?|这[个张份])?(?:数据|内容|表格?|数字|几行|行)?|"
    r"\b(?:(?:of|from|out of|with) )?(?:these|this|the above|the following|them)"
    r"(?: (?:data|figures|numbers|rows|lines))?\b",
    re.IGNORECASE,
)


def restate_rows(request: str) -> str:
    """The order, the columns and the rows in one line, for a chart or a budget of pasted rows."""
    pasted = find_pasted(request)
    if pasted is None or not all(_NUMBER.fullmatch(cell) for row in pasted.rows[1:] for cell in row[1:]):
        return request
    others = [request[: pasted.start].strip(" \n:：,，。."), request[pasted.end :].strip(" \n:：,，。.")]
    order = "，".join(one for one in (_BACK.sub("", one, count=1).strip() for one in others) if one)
    if not any(topic.kind in _KINDS and topic.pattern.search(order) for topic in list_topics()):
        return request
    is_chinese = re.search(r"[\u4e00-\u9fff]", order) is not None
    rows = "；".join(" ".join(row) for row in pasted.rows[1:])
    names = ("、" if is_chinese else ", ").join(pasted.rows[0])
    return f"{order}，列为{names}：{rows}" if is_chinese else f"{order}, columns {names}: {rows}"

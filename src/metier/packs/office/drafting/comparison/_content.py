"""What of a request the actions of an order would leave out."""

import re
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_texts
from metier.packs.office.drafting.comparison.additions._cut_names import find_cut_name
from metier.packs.office.drafting.comparison.additions._support import list_cut_texts
from metier.packs.office.drafting.comparison.omissions._fit import has_quotes_and_weight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.json_values import JsonObject

__all__ = ["loses_content"]

_LABELLED: Final = re.compile(
    r"^\s*(?:heading|title|(?:numbered |bulleted )?list|columns|rows|标题|编号列表|列表|列|列名|空行)\s*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_SEVERAL_SLIDES: Final = re.compile(
    r"\b(?:slides|pages)\b|\b(?:slide|page)\b.*\b(?:slide|page|another|one)\b"
    r"|[两二三四五六七八九十\d几各]\s*[张页个]|[页张].*(?:[页张]|再|另)",
    re.IGNORECASE | re.DOTALL,
)

# So many lines of text before a colon.
_COUNTED_LINES: Final = re.compile(r"([两二三四五六七八九十]|[2-9])\s*(?:个|小)?(?:条|点|项|行|句|段)[^,，。;:]{0,6}:")


def loses_content(request: str, actions: "Sequence[JsonObject]") -> bool:
    """Whether actions that only write new text leave out a quotation of the request or its bold type, or cut a name."""
    if all(one["op"] == "add_slide" for one in actions):
        has_line_break = any("\n" in str(one.get("title") or "") for one in actions)
        is_split = len(actions) > 1 and _SEVERAL_SLIDES.search(request) is None  # titled Hello, World is one slide
        return (
            is_split
            or has_line_break
            or any(list_cut_texts(actions))
            or bool(find_cut_name(request, list_texts(actions)))
        )
    is_new = all(one["op"] in ("set_selection", "insert_text") for one in actions)
    if is_new and any(_LABELLED.search(str(one.get("text") or "")) for one in actions):
        return True  # the fields of a brief are no text
    if is_new and (counted := _COUNTED_LINES.search(RequestText(request).mask)):
        lines = [line for one in actions for line in str(one.get("text") or "").splitlines()]
        if len(lines) != read_count(counted[1]):
            return True  # 加两条：甲付款、乙交货 in one line
    return is_new and not has_quotes_and_weight(RequestText(request.strip()), actions)

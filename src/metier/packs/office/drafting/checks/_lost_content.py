"""Steps that only write new text, and leave out or cut what the request has."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.checks._cut_names import find_cut_name
from metier.packs.office.drafting.checks._fit import has_quotes_and_weight, list_texts
from metier.packs.office.drafting.checks._support import list_cut_texts

__all__ = ["loses_content"]

_SEVERAL_SLIDES: Final = re.compile(
    r"\b(?:slides|pages)\b|\b(?:slide|page)\b.*\b(?:slide|page|another|one)\b"
    r"|[两二三四五六七八九十\d几各]\s*[张页个]|[页张].*(?:[页张]|再|另)",
    re.IGNORECASE | re.DOTALL,
)


def loses_content(request: str, actions: Sequence[JsonObject]) -> bool:
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
    return is_new and not has_quotes_and_weight(RequestText(request.strip()), actions)

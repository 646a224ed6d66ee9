"""What stands in a bracket or a quotation of a list and was left out of the item that it belongs to."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import QUOTED, RequestText, find_spans

__all__ = ["find_bracket", "find_cut_bracket", "find_open_quotation", "find_quoted_title"]

_BRACKET: Final = re.compile(r"\s?[（(\[【〈](?P<inside>[^（）()\[\]【】〈〉\n]{1,30})[）)\]】〉]")
# A remark about the table and not about the name before it.
_REMARK: Final = re.compile(
    r"行|列|不[要用必]|去掉|除|删|别|表头|艺术字|加粗|居中|标题|[:：]|、|\b(?:rows?|columns?|header|bold|title|no|not|skip|drop|omit|without)\b",
    re.IGNORECASE,
)
_SIGNS: Final = "、,，;；:：|/和及与是为"
# A quotation between the signs of a list is one of its items.
_LISTED: Final = re.compile(rf"、\s*{QUOTED}\s*(?=[、,，和及]|以及)")


def find_bracket(text: RequestText, texts: Sequence[str]) -> str:
    """An item with the bracket behind it that the plan has without it."""
    joined = "\n".join(texts).casefold()
    for item in texts:
        for start, end in find_spans(item, text.raw) if len(item) > 1 else ():
            bracket = _BRACKET.match(text.raw, end)
            before = text.raw[:start].rstrip()[-1:]
            if bracket is None or before not in _SIGNS or _REMARK.search(bracket["inside"]):
                continue
            if bracket["inside"].strip().casefold() not in joined:
                return f"{item}{bracket[0]}"
    return ""


def find_cut_bracket(text: RequestText, texts: Sequence[str]) -> str:
    """A text that ends inside of a bracket: “eggs (2 dozen” of “eggs (2 dozen, free range)”."""
    quotes = {one.text for one in text.quotes}
    for one in texts:
        is_cut = len(re.findall(r"[(（]", one)) > len(re.findall(r"[)）]", one))
        if is_cut and one in text.raw and one not in quotes:
            return one
    return ""


def find_open_quotation(text: RequestText, texts: Sequence[str]) -> str:
    """A text that was cut out beside the mark of a quotation that begins or ends in it."""
    for one in texts:
        at = text.raw.find(one)
        is_open = one.count('"') % 2 or one.count("“") != one.count("”")
        if is_open and at >= 0 and {text.raw[at - 1 : at], text.raw[at + len(one) :][:1]} & set('"“”'):
            return one
    return ""


def find_quoted_title(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """A quotation among the items of a list that became the title."""
    titles = {str(one.get("text") or one.get("title") or "").lstrip("# ") for one in steps}
    listed = (one for one in _LISTED.finditer(text.mask))
    quotes = (quote.text for one in listed for quote in text.quotes if one.start() < quote.start < one.end())
    heads = [str(one.get("text") or "") for one in steps]
    return next((one for one in quotes if one in titles and f"# {one}" in heads), "")

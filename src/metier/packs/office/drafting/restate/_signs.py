"""Lists with other signs than the rules expect: between semicolons, strokes, or in quotation marks one after another."""

import re
from typing import Final

from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting.lists import COLUMN_WORDS
from metier.packs.office.drafting.lists._carriers import LEAD_WORDS, strip_tail

__all__ = ["restate_lists"]

_LED: Final = rf"(?:{COLUMN_WORDS}){LEAD_WORDS}(?:按照?|照)?\s*:?\s*"
_ITEM: Final = r"[^,，、。;:!?()\[\]/|\n\"\d]{1,20}"
_LED_SIGNS: Final = re.compile(rf"(?P<lead>{_LED})(?P<list>{_ITEM}(?:\s*[;/|]\s*{_ITEM}){{1,11}})", re.IGNORECASE)
_COLON_SIGNS: Final = re.compile(r":\s*(?P<list>[^,，、。;:!?()\[\]/|\n\"\d]{2,8}(?:\s*[;/|]\s*[^,，、。;:!?()\[\]/|\n\"\d]{2,8}){2,11})\s*(?=[。.\n]|$)")
# The same as the last clause of a request, without a colon before it.
_LAST_SIGNS: Final = re.compile(
    r"(?P<comma>[,，。]|[a-z]\.)\s*(?P<list>[^,，、。;:!?()\[\]/|\n\"\d]{2,24}(?:\s*;\s*[^,，、。;:!?()\[\]/|\n\"\d]{2,24}){2,11})\s*(?=[。.\n]?\s*$)"
)
# Chinese names between blanks, which stand between signs of a clause.
_BLANKS: Final = re.compile(
    r"(?:(?<=[,，。;:\n])|^)\s*(?P<list>[\u4e00-\u9fff]{1,8}(?: +[\u4e00-\u9fff]{1,8}){2,9})\s*(?=[,，。;\n]|$)"
)
_QUOTES: Final = re.compile(rf"(?P<list>{QUOTED}(?:\s*(?:[、,，;/|]|和|以及|及|and|, and)?\s*{QUOTED}){{1,11}})", re.IGNORECASE)
_COLUMNS: Final = re.compile(rf"(?:{COLUMN_WORDS})[^。;\"\n]{{0,10}}$", re.IGNORECASE)
_SIGN: Final = re.compile(r"[、,，;；:：/|()（）。?？!！\d]")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")


def restate_lists(request: str) -> str:
    """The request with 、 or commas between the names of its lists."""
    return _restate_signs(_restate_last(_restate_blanks(_restate_quotes(request))))


def _restate_blanks(request: str) -> str:
    found = list(_BLANKS.finditer(RequestText(request).mask))
    if len(found) != 1:
        return request
    start, end = found[0].span("list")
    return f"{request[:start]}{'、'.join(request[start:end].split())}{request[end:]}"


def _restate_last(request: str) -> str:
    found = _LAST_SIGNS.search(RequestText(request).mask)
    if found is None:
        return request
    at = found.end("comma") - 1
    return f"{request[:at]}: {request[found.start('list') :]}"


def _restate_quotes(request: str) -> str:
    text = RequestText(request)
    for found in reversed(list(_QUOTES.finditer(text.mask))):
        inside = [one.text for one in text.quotes if found.start() < one.start and one.end < found.end()]
        if not _COLUMNS.search(text.mask[: found.start()]) or any(_SIGN.search(one) or not one for one in inside):
            continue
        request = f"{request[: found.start()]}{_join(inside)}{request[found.end() :]}"
    return request


def _restate_signs(request: str) -> str:
    for form in (_LED_SIGNS, _COLON_SIGNS):
        mask = RequestText(request).mask
        for found in reversed(list(form.finditer(mask))):
            start, end = found.span("list")
            pieces = [one.strip() for one in re.split(r"[;；/／|｜]", request[start:end])]
            last = re.sub(r"\s+来$", "", strip_tail(pieces[-1], pieces[:-1]))
            tail = pieces[-1][len(last) :] if pieces[-1].startswith(last) else ""
            tail = re.sub(r"^\s*来", "", tail)
            lead = request[: found.start("lead") if form is _LED_SIGNS else start]
            named = _name(mask[found.start() : start]) if form is _LED_SIGNS else ""
            request = f"{lead}{named}{_join([*pieces[:-1], last])}{'，' if tail else ''}{tail}{request[end:]}"
    return request


def _name(lead: str) -> str:
    return "表头为" if _CHINESE.search(lead) else "columns: "


def _join(names: list[str]) -> str:
    return ("、" if any(_CHINESE.search(one) for one in names) else ", ").join(names)

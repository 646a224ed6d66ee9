"""Names in lists with signs of their own (a bracket, a question mark): kept out of the rules' sight."""

import hashlib
import re
from collections.abc import Mapping
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["protect_names"]

# What a bracket in a name says: a choice or a unit; anything else may be a remark about the column.
_PART: Final = (
    r"(?i:y|yes|n|是|有|对|pass|ok)\s*/\s*(?i:n|no|y|否|无|错|fail|nok)|[A-Z]{1,5}|%|[a-z]{1,3}|hrs?|days|min|units?|pcs|"
    r"[百千万亿]?元|小时|分钟|天|个|台|套|件|人|次|吨|公斤|kg|mm|cm|㎡|平方米|万|份|℃|(?i:seats?|hours?|k?wh?|mwh?|°c|m[²³23])"
    # A range, a choice of short words, a code, a version, what is part of it: 1—5, 高/中/低, ISO 22000, v3.0, 含吊装.
    r"|[\dA-Z]{1,4}\s*[—–~～-]\s*[\dA-Z]{1,4}|[^()/,，、;:\s\d]{1,6}(?:/[^()/,，、;:\s\d]{1,6}){1,4}"
    r"|[A-Z][A-Za-z]{0,5}(?: ?\d[\d.]{0,6}| [A-Z]{2})|[vV]\d[\d.]{0,4}|[A-Z]区|含[^(),，、;:\d]{1,8}"
)
# One item of a list between its separators, with a bracket or a question mark at its end.
_BRACKETED: Final = re.compile(
    rf"(?P<before>^|[、,，/|:;]\s*(?:and\s+)?|\band\s+|[为是有含列设])(?P<name>[^,，、。;:!?()\[\]/|\n\"]{{1,24}}?\s*\((?P<inside>{_PART})\))(?=\s*(?:[、,，/|;.。—]|\d|and\b|和|$|[一二两三四五六七八九十\d]+[列项栏]))"
)
_ASKING: Final = re.compile(
    r"(?<=[、,，/|])\s*(?:and\s+)?(?P<name>[A-Z\u4e00-\u9fff][^,，、。;:!?()\[\]/|\n\"]{1,14}[?？])(?=\s*(?:[、,，/|]|$|[A-Z]|and\b|和))"
)
_COUNTED: Final = re.compile(r"\d|[一二两三四五六七八九十]+[行列个]|rows?|lines?|columns?|bold|加粗", re.IGNORECASE)
_MAX_BRACKETED: Final = 4
_RARE: Final = "龘靐齉爨灪麤虪饢鱻驫"
_LETTERS: Final = "bcdfghjklmnpqrstvwxz"


def protect_names(request: str) -> tuple[str, Mapping[str, str]]:
    """The request with plain words for such names, and what they stand for."""
    names: dict[str, str] = {}
    for form in (_BRACKETED, _ASKING):
        mask = RequestText(request).mask
        found = [one for one in form.finditer(mask) if not _COUNTED.search(one["name"])]
        if form is _BRACKETED and (len(found) > _MAX_BRACKETED or mask.count("(") > len(found)):
            continue  # pairs, or lists in brackets
        for one in reversed(found):
            start, end = one.span("name")
            said = request[start:end].strip()
            names[_rename(said)] = said
            stop = "." if form is _ASKING and re.match(r"\s+[A-Z]", mask[end:]) else ""
            request = f"{request[:start]}{_rename(said)}{stop}{request[end:]}"
    return request, names


def _rename(said: str) -> str:
    """A word in the script of the name, the same for the same name."""
    digest = hashlib.sha256(said.encode()).digest()
    if re.search(r"[\u4e00-\u9fff]", said):
        return "".join(_RARE[one % len(_RARE)] for one in digest[:4])
    return "Q" + "".join(_LETTERS[one % len(_LETTERS)] for one in digest[:5])

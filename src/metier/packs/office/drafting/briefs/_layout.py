"""Lines of a laid-out message: marks, fields with their keys and values, and the words before them."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["BriefField", "BriefLine", "split_layout"]

# 1. – a) – ① – 一、 – (1) – a bullet; the number of 3.5 or of 3 May is none.
_MARK: Final = re.compile(
    r"^\s*(?:[-–•*·●▪■◆◇○]\s*(?=[^\s\d])|[-–•*·●▪]\s+|[(]?(?:\d{1,2}|[a-h])[)]\s*|\d{1,2}\s*[.、．](?!\d)\s*|[①-⑳]\s*|"
    r"[(][一二三四五六七八九十]{1,2}[)]\s*|[一二三四五六七八九十]{1,2}、\s*)"
)
_BEFORE: Final = r"(?:^\s*|(?<=[,，;|。.:])\s*|\s+(?=[\u4e00-\u9fff])|\s{2,})"
_AFTER: Final = (
    r"\s*(?:\((?P<qualifier>[^()\n]{1,30})\)|,? (?P<order>in (?:this|that|the given|the following) order))?"
    r"\s*(?:[:=＝]|(?:(?:依次|分别)?[为是])(?=\s*\"))\s*"
)
_AFTER_BARE: Final = re.sub(r"\?P<\w+>", "?:", _AFTER)
_IS: Final = re.compile(r"[为是]\s*$")
_EDGES: Final = " \t\n\u3000,，;；|｜"


@dataclass(frozen=True, slots=True)
class BriefField:
    """A key with what is said of it in a bracket, and its value; `line` is where it stands."""

    role: str
    key: str
    qualifier: str
    value: str
    line: str


@dataclass(frozen=True, slots=True)
class BriefLine:
    """A line without its mark: the words before its first field, and its fields."""

    raw: str
    text: str
    is_marked: bool
    lead: str
    fields: tuple[BriefField, ...]


@cache
def _list_keys() -> tuple[re.Pattern[str], tuple[str, ...]]:
    """One pattern of all keys, and the roles of its groups in order."""
    text = (files("metier.packs.office.drafting.briefs") / "fields.toml").read_text("utf-8")
    table = tomllib.loads(text)["field"]
    forms = [rf"(?P<r{at}>{one['zh']}|{one['en']})(?={_AFTER_BARE})" for at, one in enumerate(table)]
    return re.compile(f"{_BEFORE}(?:{'|'.join(forms)}){_AFTER}", re.IGNORECASE), tuple(one["role"] for one in table)


def split_layout(request: str) -> list[BriefLine]:
    """The lines of a request that are not empty."""
    return [_read_line(one) for one in request.splitlines() if one.strip()]


def _read_line(raw: str) -> BriefLine:
    mark = _MARK.match(RequestText(raw).mask)
    text = raw[mark.end() if mark else 0 :].strip()
    lead, found = _split_fields(text, is_marked=mark is not None)
    return BriefLine(raw.strip(), text, mark is not None, lead, found)


def _split_fields(text: str, *, is_marked: bool) -> tuple[str, tuple[BriefField, ...]]:
    """The words before the first field of a line, and its fields; only points say 列名为“…” for 列名：…."""
    pattern, roles = _list_keys()
    mask = RequestText(text).mask
    found = [one for one in pattern.finditer(mask) if is_marked or not _IS.search(one[0])]
    if not found:
        return text.strip(), ()
    ends = [*(one.start() for one in found[1:]), len(text)]
    fields = tuple(
        BriefField(
            roles[_find_group(one)],
            text[slice(*one.span(f"r{_find_group(one)}"))],
            text[slice(*one.span("qualifier"))] if one["qualifier"] else "",
            text[one.end() : end].strip(_EDGES),
            text[one.start() : end].strip(f"{_EDGES}。"),
        )
        for one, end in zip(found, ends, strict=True)
    )
    return text[: found[0].start()].strip(f"{_EDGES}。-–—"), fields


def _find_group(found: "re.Match[str]") -> int:
    return next(int(name[1:]) for name, said in found.groupdict().items() if said and name[1:].isdecimal())

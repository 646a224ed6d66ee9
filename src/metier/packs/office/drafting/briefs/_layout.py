"""Lines of a laid-out message: marks, fields with their keys and values, and the words before them."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["BriefField", "BriefLine", "split_layout"]

# 1. – a) – ① – 一、 – (1) – a bullet; the number of 3.5 or of 3 May is none.
_MARK: Final = re.compile(
    r"^\s*(?:[-–•*·●▪■◆◇○]\s*(?=[^\s\d])|[-–•*·●▪]\s+|[(]?(?:\d{1,2}|[a-h])[)]\s*|\d{1,2}\s*[.、．](?!\d)\s*|[①-⑳]\s*|"
    r"[(][一二三四五六七八九十]{1,2}[)]\s*|[一二三四五六七八九十]{1,2}、\s*)"
)
_BEFORE: Final = (
    r"(?:^\s*|(?<=[,，;|。.:–—-])\s*|(?<=[个张份]表的)|(?<=[个张份]表格的)|"
    r"(?<=表[一二三123]的)|\s+(?=[\u4e00-\u9fff])|\s{2,})"
)
_AFTER: Final = (
    r"\s*(?:\((?P<qualifier>[^()\n]{1,30})\)|,? (?P<order>in (?:this|that|the given|the following) order))?"
    r"\s*(?:(?:(?:依次|分别|按顺序|按序)?(?:为|是|如下|有|包括)?|(?:are|is)(?: as follows)?|as follows)\s*[:=＝]|"
    r"(?:依次|分别)?[为是])\s*"
)
_AFTER_BARE: Final = re.sub(r"\?P<\w+>", "?:", _AFTER)
# The full stop of an English sentence, not that of a short word.
_STOP: Final = re.compile(
    r"(?P<short>\b(?:no|nr|qty|ref|tel|max|min|avg|dept|corp|inc|ltd|approx|etc))?(?<=[A-Za-z\d)\"])\.$", re.IGNORECASE
)
_IS: Final = re.compile(r"[为是]\s*$")
# Marks inside of a line.
_INLINE: Final = re.compile(r"(?:(?<=[:,，;。\s])|^)(?:[(]?([1-9])[)]|([1-9])[.、．](?!\d)|([①-⑨]))")
# 【列】…
_LABEL: Final = re.compile(r"^[^\S\n]*[【\[](?P<key>[^【】\[\]\n]{1,12})[】\]]\s*[:：]?[^\S\n]*(?=\S)", re.MULTILINE)
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
    """The lines of a request that are not empty; a label in brackets has a colon."""
    request = _LABEL.sub(r"\g<key>：", request)
    lines = [piece for one in request.splitlines() if one.strip() for piece in _split_marks(one)]
    return [_read_line(one) for one in lines]


def _split_marks(line: str) -> list[str]:
    """A line of numbered parts (要求：1. 列：…；2. 空5行) with a line for each; another numbered list as it is."""
    found = list(_INLINE.finditer(RequestText(line).mask))
    numbers = [next(one for one in mark.groups() if one) for mark in found]
    is_counted = ["123456789".find(one) if one.isascii() else "①②③④⑤⑥⑦⑧⑨".find(one) for one in numbers] == list(
        range(len(numbers))
    )
    if len(found) < 2 or not is_counted:
        return [line]
    edges = [*(one.start() for one in found), len(line)]
    pieces = [line[a:b].strip(_EDGES) for a, b in pairwise(edges)]
    head = line[: found[0].start()].strip()
    has_field = any(_split_fields(_MARK.sub("", RequestText(one).mask, count=1), is_marked=True)[1] for one in pieces)
    return [one for one in (head, *pieces) if one] if has_field else [line]


def _read_line(raw: str) -> BriefLine:
    mark = _MARK.match(RequestText(raw).mask)
    text = raw[mark.end() if mark else 0 :].strip()
    lead, found = _split_fields(text, is_marked=mark is not None)
    return BriefLine(raw.strip(), text, mark is not None, lead, found)


def _split_fields(text: str, *, is_marked: bool) -> tuple[str, tuple[BriefField, ...]]:
    """The words before the first field of a line, and its fields; only points say 列名为“…” for 列名：…."""
    pattern, roles = _list_keys()
    mask = RequestText(text).mask
    found = [
        one for one in pattern.finditer(mask) if not _IS.search(one[0]) or (is_marked and _begins(one, mask, roles))
    ]
    found = [one for at, one in enumerate(found) if not at or found[at - 1].end() < one.start()]  # 图注：单位：万元
    if not found:
        return text.strip(), ()
    ends = [*(one.start() for one in found[1:]), len(text)]
    fields = tuple(
        BriefField(
            roles[_find_group(one)],
            text[slice(*one.span(f"r{_find_group(one)}"))],
            text[slice(*one.span("qualifier"))] if one["qualifier"] else "",
            _STOP.sub(_keep_short, text[one.end() : end].strip(_EDGES)),
            text[one.start() : end].strip(f"{_EDGES}。"),
        )
        for one, end in zip(found, ends, strict=True)
    )
    return text[: found[0].start()].strip(f"{_EDGES}。-–—"), fields


def _keep_short(found: "re.Match[str]") -> str:
    return found[0] if found["short"] else ""


def _begins(found: "re.Match[str]", mask: str, roles: tuple[str, ...]) -> bool:
    """Whether a key that says what it is without a colon stands before a quotation or names the columns of a point."""
    is_columns = not found.start() and roles[_find_group(found)] in ("columns", "header", "names")
    return is_columns or mask[found.end() : found.end() + 1] == '"'


def _find_group(found: "re.Match[str]") -> int:
    return next(int(name[1:]) for name, said in found.groupdict().items() if said and name[1:].isdecimal())

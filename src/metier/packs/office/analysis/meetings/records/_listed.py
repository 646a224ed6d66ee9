"""Work that a written record lists: who does what until when, by the form of the item alone."""

import re
from collections.abc import Collection
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.packs.office.analysis.meetings._names import is_owner, is_person_name
from metier.packs.office.analysis.meetings.records._sections import cut_mark

__all__ = ["ListedWork", "read_fields", "read_listed_work", "read_noted_work"]

_FIELD: Final = MappingProxyType(
    {
        name: re.compile(rf"[（(，,；;|\s]*{form}\s*[:：]\s*(?P<value>[^，,；;。|（）()]+)[)）]?", re.IGNORECASE)
        for name, form in (
            (
                "who",
                r"(?:责任人|负责人|责任部门|责任单位|责任方|承办人?|经办人|执行人|owner|responsible|assignee|who)",
            ),
            (
                "when",
                r"(?:完成时间|截止时间|截止日期|时限|期限|完成期限|完成日期|due(?: date)?|deadline|by when)",
            ),
        )
    }
)
_BEFORE: Final = re.compile(
    r"^[\[【@]?(?P<who>[^:：→\[\]【】]{1,40}?)[\]】]?\s*(?:[:：]|[-=]*[→>]|——|\s[-–—]\s)\s*(?P<what>\S.*)$"
)
_TO: Final = re.compile(r"^(?P<who>[A-Z@]?[\w.' &/-]{1,40}?)\s+(?:to|will|shall|must)\s+(?P<what>[a-z].*)$")
_BRACKETED: Final = re.compile(r"[（(\[【](?P<inside>[^（()）\[\]【】]{1,40})[)）\]】]\s*[。.]?$")
_BY: Final = re.compile(
    r"^(?P<lead>.*?)由(?P<who>[\u4e00-\u9fff、和A-Za-z ]{2,12}?)(?:负责|牵头|来)[，,]?(?P<what>.*)$"
)
_LAST: Final = re.compile(r"\s@(?P<who>[^\s@，,。]{1,16})$")
# A day in figures ends an item of a Chinese list: `出三版方案 - 9/8`; in English the order of the two is open.
_FIGURES: Final = re.compile(
    r"[\s\-–—（(，,](?P<month>1[0-2]|0?[1-9])[/.](?P<day>[12]\d|3[01]|0?[1-9])(?:前|之前|日)?[)）]?$"
)
_JOINT: Final = re.compile(r"\s*(?:[、/&＆]|,\s|，|和|与|及|\band\b|\+)\s*")
_NOBODY: Final = re.compile(r"(?:待定|未定|暂无|无|tbd|tbc|n/?a|nobody|unassigned|\?+|？+|-+)", re.IGNORECASE)
_WORD: Final = re.compile(
    r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}|[a-z]{2,12}|[\u4e00-\u9fff]{2,8}(?:部|组|科|处|室|中心|公司|办|队)"
)


# `客诉流程→何 出初稿 下周一`: what it is about stands before the arrow.
_HANDED: Final = re.compile(
    r"^(?P<thing>[^→>]{2,30}?)\s*(?:[-=—]*[→>])\s*(?P<who>[^\s，,：:]{1,12})[\s，,：:]+(?P<what>\S.*)$"
)


class ListedWork(NamedTuple):
    """Who does what; `day` are the words that say until when."""

    who: str
    what: str
    day: str


def read_listed_work(text: str, known: Collection[str], who: str = "", when: str = "") -> ListedWork:
    """One item of a list of work; `who` and `when` are the cells beside it in a table."""
    what = cut_mark(text).rstrip("。；; ")
    if who or when:
        return ListedWork(_join(who), what, _join(when))
    fields: dict[str, str] = {}
    for name, form in _FIELD.items():
        if match := form.search(what):
            fields[name] = match["value"].strip()
            what = f"{what[: match.start()]}{what[match.end() :]}".strip("，,；; ")
    day = _find_day_words(what, fields.get("when", ""))
    if "who" in fields:
        return ListedWork(_join(fields["who"]), what, day)
    named, work = _split_who(what, known)
    return ListedWork(named, work, day)


def read_fields(text: str) -> tuple[str, str] | None:
    """Who and when of a line that says nothing else: `责任人：何建明；完成时间：6月30日前`."""
    found = {name: match["value"].strip() for name, form in _FIELD.items() if (match := form.search(text))}
    rest = text
    for form in _FIELD.values():
        rest = form.sub("", rest, count=1)
    if not found or rest.strip(" ，,；;。.（()）|"):
        return None
    return _join(found.get("who", "")), found.get("when", "")


def _find_day_words(what: str, when: str) -> str:
    figures = _FIGURES.search(what) if re.search(r"[\u4e00-\u9fff]", what) else None
    if when:
        return f"{when} {what}"
    return f"{figures['month']}月{figures['day']}日" if figures else what


def _split_who(what: str, known: Collection[str]) -> tuple[str, str]:
    """Who does it and what, by the form of an item; nobody if it names nobody."""
    for form in (_BEFORE, _TO):
        if (match := form.match(what)) and _is_who(match["who"], known):
            return _join(match["who"]), match["what"].strip()
    if (match := _BRACKETED.search(what)) and (named := _find_named(match["inside"], known)):
        return named, what[: match.start()].rstrip()
    if (match := _BY.match(what)) and _is_who(match["who"], known):
        return _join(match["who"]), f"{match['lead']}{match['what']}".strip("，, ")
    leading, rest = _cut_names(what, known)
    if leading and rest:
        return "、".join(leading), rest
    if (match := _LAST.search(what)) and _is_who(match["who"], known):
        return _join(match["who"]), what[: match.start()].strip()
    return "", what


def _cut_names(what: str, known: Collection[str]) -> tuple[list[str], str]:
    """The people that an item begins with, and the rest."""
    found: list[str] = []
    rest = what
    while name := max((one for one in known if rest.startswith(one)), key=len, default=""):
        found, rest = [*found, name], rest[len(name) :].lstrip("，,、：:和与—–- ")
    return found, rest


def read_noted_work(text: str, known: Collection[str]) -> ListedWork | None:
    """Work in a line of running notes, of somebody whom the notes name: `Tom -> rollback script, Fri`."""
    plain, names = cut_mark(text).rstrip("。；; "), {one.casefold() for one in known}
    for form in (_BEFORE, _TO):
        if (match := form.match(plain)) and all(one.casefold() in names for one in _JOINT.split(match["who"].strip())):
            return ListedWork(_join(match["who"]), match["what"].strip(), plain)
    if (match := _HANDED.match(plain)) and match["who"].casefold() in names:
        return ListedWork(match["who"], f"{match['thing']}：{match['what']}", plain)
    return None


def _find_named(inside: str, known: Collection[str]) -> str:
    """Who is named in brackets behind an item, beside a day or alone."""
    parts = [part.strip() for part in re.split(r"[,，;；]", inside)]
    return next((_join(part) for part in parts if _is_who(part, known) and not re.search(r"\d", part)), "")


def _is_who(words: str, known: Collection[str]) -> bool:
    """Whether words name who does it: people, offices, or that nobody is named yet."""
    if _NOBODY.fullmatch(words.strip()):
        return True
    parts = [part.strip("@ ") for part in _JOINT.split(words.strip()) if part.strip("@ ")]
    return bool(parts) and all(
        part in known or any(part in one.split() for one in known) or is_person_name(part) or is_owner(part, known)
        or _WORD.fullmatch(part) is not None
        for part in parts
    )  # fmt: skip


def _join(words: str) -> str:
    return "" if _NOBODY.fullmatch(words.strip()) else words.strip("@ ")

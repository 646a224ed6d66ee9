"""Fields of a brief: what a key means beside what is to be made, and how its value is read."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting.briefs._clauses import is_assured
from metier.packs.office.drafting.briefs._slots import LaidOut, UnreadLine
from metier.packs.office.drafting.briefs._values import (
    is_bold,
    is_order_said,
    is_remark,
    read_formula,
    read_grid,
    read_levels,
    read_names,
    read_pairs,
    read_rows,
    read_text,
    read_weeks,
    read_width,
)

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from metier.packs.office.drafting.briefs._layout import BriefField

__all__ = [
    "NAMES",
    "OF_TEXT",
    "TEXTS",
    "cut_tail",
    "resolve_role",
    "set_names",
    "set_value",
    "strip_art",
    "take_qualifier",
]

_ART: Final = re.compile(r"(?:用|采用)?艺术字\s*[:：]?\s*(?=[“「《\"])|word ?art:?\s*(?=\")", re.IGNORECASE)
_AS_ART: Final = re.compile(
    r"(?:请|要|需)?(?:用|采用|使用|以|做成)?艺术字(?:形式|效果|样式)?(?:显示|呈现)?|(?:(?:as|in|use|using|"
    r"set in|made as) )?word ?art",
    re.IGNORECASE,
)
_ONE_A_LINE: Final = (
    r"(?:请)?逐[条项](?:列出|列示)?|[每一][项条个点](?:单独|各|占|为)*[一1]?行|[一1]行[一1][项条个点]|"
    r"(?:one|1)(?: item| point| entry)? (?:per|a|on each) line|one (?:below|under) the other|"
    r"each on (?:its own|a new) line"
)
_DIVIDED: Final = (
    r"(?:用|以|按)?(?:半角|英文|中文)?(?:逗号|制表符|竖线|tab键?|顿号|斜杠|空格)(?:分列|分隔|隔开|分开)|"
    r"(?:comma|tab|pipe|slash)[- ](?:separated|delimited)|(?:separated|divided) by (?:commas|tabs|pipes)"
)
_UNMARKED: Final = re.compile(
    r"[(]?(?:标题)?(?:请)?(?:不带|不含|不要|不加|不写|去掉|无)(?:书名号|引号|双引号)[)]?|"
    r"[(]?without (?:the )?(?:quotes|quotation marks|quote marks)[)]?",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(r"有|要|需要|是|加|合计|总计|yes|total|grand total", re.IGNORECASE)
TEXTS: Final = frozenset({"title", "subtitle", "art", "note", "topic", "value", "label", "text"})
NAMES: Final = frozenset({"columns", "items", "tasks"})
_PLACE_WORDS: Final = re.compile(r"^(?:(?:放|插入|加)?在|at (?=the\b|end|top))|^(?:放|插入)(?:到|至)", re.IGNORECASE)
OF_TEXT: Final = frozenset({"points", "template", "agenda", "outline"})
_OF_FIGURES: Final = frozenset({"budget", "chart", "grouped", "quotation"})
_COUNTED: Final = re.compile(
    rf"(?:一?共|总共|共计)?({COUNT})\s*(?:个|项|条|点|节|部分|栏|items?|points?|sections?|headings|"
    rf"tasks?)?(?: in (?:all|total))?",
    re.IGNORECASE,
)


_COUNTS: Final[Mapping[str, tuple[str, Callable[[str], int | None]]]] = MappingProxyType(
    {
        "rows": ("count", read_rows),
        "column_count": ("width", read_width),
        "depth": ("levels", read_levels),
        "weeks": ("weeks", read_weeks),
        "week_columns": ("weeks", read_weeks),
    }
)


def strip_art(value: str) -> str:
    """A title without the words that it is word art."""
    return _ART.sub("", value, count=1)


def resolve_role(one: "BriefField", kinds: "AbstractSet[str]") -> str:
    """The role of a field beside the things that the order names; raise `UnreadLine` for one that they do not have."""
    is_text = bool(kinds & OF_TEXT)
    match one.role:
        case "names":
            return "items" if is_text else "columns"
        case "columns" if is_text and "table" not in kinds:
            return "items"
        case "header" if read_names(one.value):
            return "columns"
        case "content" if kinds & _OF_FIGURES and re.search(r"\d", one.value):
            return "data"
        case "content":
            return "text" if kinds & {"banner"} else "items"
        case "note" | "subtitle":
            return _resolve_note(one, kinds)
        case "art" | "title":
            return _resolve_title(one, kinds)
        case "data" if "kpi" in kinds:
            return "value"
        case "format" if any(names_look(one.value) or is_assured(one.value, {kind}) for kind in kinds):
            return "notes"
    return one.role


def _resolve_note(one: "BriefField", kinds: "AbstractSet[str]") -> str:
    """The label of a figure, a second title, or what stands below a chart or picture."""
    if "kpi" in kinds:
        return "label"
    if one.role == "note" and not kinds & {"chart", "picture"}:
        raise UnreadLine(one.line)
    return one.role


def _resolve_title(one: "BriefField", kinds: "AbstractSet[str]") -> str:
    """A title, word art, or the label of a figure."""
    if "kpi" in kinds and "title" not in one.key.lower() and "标题" not in one.key:
        return "label"
    is_art = _ART.match(one.value) or "艺术字" in one.qualifier or "word art" in one.qualifier.lower()
    return "art" if is_art else one.role


def take_qualifier(part: LaidOut, one: "BriefField", role: str) -> None:
    """Take what a bracket behind a key says; raise `UnreadLine` for another one."""
    said = one.qualifier
    if not said or is_order_said(said) or (role in ("title", "art") and _AS_ART.fullmatch(said)):
        return
    if _take_count(part, role, said):
        return
    if role == "difference":  # its unit
        return
    if is_bold(said) and role in ("title", "columns"):
        part.is_bold_title, part.is_bold = part.is_bold_title or role == "title", part.is_bold or role == "columns"
        return
    if role == "data" and len(names := read_names(said)) > 1:
        part.header = names
        return
    fits = {
        "value": r"用?大字号?(?:显示)?|(?:in )?large (?:type|font|letters)",
        "tasks": r"每项(?:任务)?[一1]行|各[一1]行|(?:one|1) row each",
        "items": rf"编号(?:列表)?|带编号|numbered(?: list)?|{_ONE_A_LINE}",
        "columns": r"从左到右|自左(?:至|向|到)右|(?:from )?left to right",
        "data": rf"{_ONE_A_LINE}|{_DIVIDED}",
    }
    if role not in fits or not re.fullmatch(fits[role], said, re.IGNORECASE):
        raise UnreadLine(one.line)


def _take_count(part: LaidOut, role: str, said: str) -> bool:
    """Take a number of columns or items in a bracket; whether it is one."""
    if role == "columns" and part.width is None and (width := read_width(said)) is not None:
        part.width = width
        return True
    counted = _COUNTED.fullmatch(said) if role == "items" else None
    count = read_count(counted[1]) if counted else None
    if count is not None:
        part.said_parts.append((count, said))
    return count is not None


def cut_tail(role: str, value: str) -> tuple[str, str]:
    """A value and the clauses behind it, where it is short by its kind."""
    mask = RequestText(value).mask
    if role == "items" and read_pairs(value):
        return value, ""
    if role == "data":
        return _cut_data(value)
    if role in TEXTS and mask.startswith('"'):
        end = mask.find('"', 1) + 1
        if _UNMARKED.fullmatch(mask[end:].strip(" ,。")):
            return value[:end], ""
        is_apart = re.match(r"\s*(?:$|[,，;；。(])", mask[end:]) is not None
        return (value[:end], value[end:].strip(" ,，;；。")) if is_apart else (value, "")
    if role in NAMES:
        cut = re.search(r"[;；。]" if not re.search(r"[、|/]", mask) else r"[,，;；。]", mask)
        head = value[: cut.start()] if cut else value
        return (head, value[cut.end() :].strip()) if cut and read_names(head) else (value, "")
    if role == "rows" and read_rows(value) is None:
        cut = next(
            (one for one in re.finditer(r"[;；。,，]", mask) if read_rows(value[: one.start()]) is not None), None
        )
        return (value[: cut.start()], value[cut.end() :].strip()) if cut else (value, "")
    if role in ("notes", "rows", "header", "weeks", "week_columns", "depth", "line", "size", "difference") or (
        role in TEXTS and read_text(value)
    ):
        return value, ""
    cut = re.search(r"[,，。;；]\s*", mask)
    return (value[: cut.start()], value[cut.end() :]) if cut else (value, "")


def _cut_data(value: str) -> tuple[str, str]:
    """Data in one line, and the clauses behind its last number."""
    pieces = list(re.finditer(r"[^,，;；。]+[,，;；。]*", value))
    data = next((at for at, one in enumerate(pieces) if not re.search(r"\d", one[0])), len(pieces))
    end = pieces[data - 1].end() if data else 0
    return (value[:end].strip(" ,，;；。"), value[end:]) if data else (value, "")


def set_names(part: LaidOut, role: str, names: tuple[str, ...]) -> bool:
    if not names or getattr(part, role):
        return False
    setattr(part, role, names)
    return True


def set_value(part: LaidOut, role: str, value: str, one: "BriefField") -> bool:
    """Set the slot of a field; whether its value could be read and the slot was free."""
    if role == "items" and (pairs := read_pairs(value)):
        is_free, part.rows = not part.rows, pairs
        return is_free
    if role in NAMES:
        names = read_names(value)
        return not (role != "items" and any(map(is_remark, names))) and set_names(part, role, names)
    if role in TEXTS:
        is_free, part.texts[role] = role not in part.texts, read_text(value)
        return is_free and bool(part.texts[role])
    if role in _COUNTS:
        return _set_count(part, role, value)
    if role == "line":
        part.lines.append(read_text(value, is_sentence=True))
        return bool(part.lines[-1])
    if role == "place":
        part.texts["place"] = _PLACE_WORDS.sub("", value.strip(" .。"))
        return bool(part.texts["place"])
    if role in ("kind", "unit", "total"):
        return _add_clause(part, role, value, one)
    if role == "header" and re.search(r"加粗|bold", one.key, re.IGNORECASE):
        part.is_bold = True
        return re.fullmatch(r"是|要|需要|有|yes|true", value.strip(" 。."), re.IGNORECASE) is not None
    return _set_other(part, role, value)


def _add_clause(part: LaidOut, role: str, value: str, one: "BriefField") -> bool:
    """Add what a field says as a clause for the rules; whether they may know it."""
    if role == "total":
        part.clauses.append("最后一行为合计" if re.search(r"[\u4e00-\u9fff]", one.line) else "with a total row")
        return _TOTAL.fullmatch(value.strip(' “”"「」。.')) is not None
    target = part.order if role == "kind" and not part.order else part.clauses
    target.append(value if role == "kind" else f"{one.key}为{value}")
    return role != "unit" or one.key == "单位"


def _set_count(part: LaidOut, role: str, value: str) -> bool:
    slot, read = _COUNTS[role]
    is_free = getattr(part, slot) is None
    setattr(part, slot, read(value))
    return is_free and getattr(part, slot) is not None


def _set_other(part: LaidOut, role: str, value: str) -> bool:
    if role == "size" and (grid := read_grid(value)):
        part.count, part.width = grid
        return True
    if role == "data":
        part.texts["data"] = value
        return True
    if role == "header" and is_bold(value):
        part.is_bold = True
        return True
    if role == "first_column":
        return re.fullmatch(r"任务(?:名称)?|tasks?(?: name)?", value, re.IGNORECASE) is not None
    if role == "difference" and (said := read_formula(value)):
        part.formulas.append(said)
        return True
    return False

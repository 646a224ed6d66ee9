"""Places of a template that wait for a value, and the rows of a sheet that fill them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading, body_pieces
from metier.packs.office.analysis.workbooks import DataTable, read_tables

__all__ = ["TemplatePlace", "find_places", "propose_filled"]

_PLACE: Final = re.compile(
    r"\{\{\s*(?P<braces>[^{}]{1,40}?)\s*\}\}|\$\{\s*(?P<dollar>[^{}]{1,40}?)\s*\}|【\s*(?P<corner>[^【】]{0,30}?)\s*】|"
    r"(?P<date>[_＿]{2,}\s*年\s*[_＿]{2,}\s*月(?:\s*[_＿]{2,}\s*日)?)|(?P<blank>[_＿]{2,})|"
    r"(?P<xs>(?<![A-Za-z])[Xx×]{2,}(?![A-Za-z]))"
)
_LABEL: Final = re.compile(r"(?P<label>[^\s，,。；;：:]{1,20})\s*[：:]\s*[¥￥]?$")
_MAX_FILES: Final = 200
_MAX_NAMED: Final = 20
_WORDS: Final = Sentences(
    {
        "summary": (
            "{rows} rows of “{sheet}” fill the template “{name}”: one file each. Columns used: {used}.{left}",
            "用“{sheet}”的 {rows} 行填写模板“{name}”，每行一个文件。使用的列：{used}。{left}",
        ),
        "left": (" Places without a column stay as they are: {names}.", "没有对应列的位置保持原样：{names}。"),
        "gaps": (
            " {count} files have gaps: {files}. An empty cell leaves its place blank; a formula without a value (open "
            "the sheet in Excel or WPS and save it) leaves it as it is.",
            "有 {count} 个文件留有空缺：{files}。空单元格处为空白；公式没有值的保持原样，"
            "请先用 Excel 或 WPS 打开表格保存。",
        ),
        "gap": ("{file} ({names})", "{file}（{names}）"),
        "empty": ("{name}: empty", "{name}为空"),
        "unknown": ("{name}: formula without a value", "{name}的公式没有值"),
        "places": ("Places to fill", "待填位置"),
        "name": ("Name", "名称"),
        "form": ("As written", "原文写法"),
        "where": ("Place", "位置"),
        "file": ("File", "文件"),
        "no_rows": (
            "“{name}” has {count} places to fill: {names}. Attach the sheet with the rows, or give the values.",
            "模板“{name}”有 {count} 处待填：{names}。请附上数据表，或直接给出内容。",
        ),
        "ask_rows": ("Please attach the sheet whose columns bear these names.", "请附上列名与这些名称对应的数据表。"),
        "none": ("“{name}” has no places to fill.", "“{name}”里没有待填的位置。"),
        "fill": ("Fill in {name}", "填写 {name}"),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TemplatePlace:
    """One place: its name, how it is written, and where it stands."""

    name: str
    form: str
    piece: TextPiece


def find_places(pieces: Iterable[TextPiece]) -> Iterator[TemplatePlace]:
    """Places of a template: `{{姓名}}`, `【岗位】`, blanks with the words before them, XXXX."""
    for piece in pieces:
        for match in _PLACE.finditer(piece.line):
            named = match["braces"] or match["dollar"] or match["corner"] or ""
            if not named:
                label = _LABEL.search(piece.line[: match.start()])
                named = label["label"] if label else ""
            yield TemplatePlace(named.strip(), match[0], piece)


def propose_filled(reading: Reading, *, language: Language) -> Proposal:
    """One file for each row of the sheet; without a sheet, the places are listed and the rows are asked for."""
    places = list(find_places(body_pieces(reading)))
    if not places:
        return Proposal("template-fill", "wps", _WORDS.render("none", language, name=reading.name))
    names = list(dict.fromkeys(place.name or place.form for place in places))
    columns = [_WORDS.render(code, language) for code in ("name", "form", "where")]
    table = table_json(
        _WORDS.render("places", language),
        columns,
        [[place.name, place.form, place.piece.address] for place in places],
    )
    rows_of = next(((other, found) for other in reading.others if (found := _read_rows(other))), None)
    if rows_of is None:
        summary = _WORDS.render(
            "no_rows", language, name=reading.name, count=len(places), names=join_names(names, language)
        )
        return Proposal("template-fill", "wps", summary, (), (table,), (), _WORDS.render("ask_rows", language))
    other, rows = rows_of
    used = [name for name in names if name in rows[0].values]
    left = [name for name in names if name not in rows[0].values]
    summary = _WORDS.render(
        "summary",
        language,
        rows=len(rows),
        sheet=other.name,
        name=reading.name,
        used=join_names(used, language),
        left=_WORDS.render("left", language, names=join_names(left, language)) if left else "",
    )
    files = tuple(_fill_row(number, row, places, used, language) for number, row in enumerate(rows[:_MAX_FILES], 1))
    summary += _say_gaps(files, language)
    first = files[0]["actions"] if len(files) == 1 else []
    actions = tuple(action for action in first if isinstance(action, dict)) if isinstance(first, list) else ()
    return Proposal("template-fill", "wps", summary, actions, (table,), (), "", files)


@dataclass(frozen=True, slots=True)
class _Row:
    """Values of a row by column, and the columns whose formula has no value in the file."""

    values: Mapping[str, str]
    unknown: frozenset[str]


def _fill_row(
    number: int, row: _Row, places: Sequence[TemplatePlace], used: list[str], language: Language
) -> JsonObject:
    """Actions for one row: braces by name, blanks and brackets at their place; `gaps` says what is missing."""
    label = next((row.values[name] for name in used if row.values[name]), str(number))
    name = re.sub(r'[\\/:*?"<>|\s]+', "_", label)[:40] or str(number)
    title, actions = _WORDS.render("fill", language, name=label), PlanActions(language)
    known = [one for one in used if one not in row.unknown]
    braces = {place.name: row.values[place.name] for place in places if place.form[0] in "{$" and place.name in known}
    made = [actions.operation("fill_template", title, values=dict(braces))] if braces else []
    for place in places:
        if place.form[0] not in "{$" and place.name in known:
            made.append(
                actions.operation(
                    "replace_text",
                    f"{place.name}: {row.values[place.name]}",
                    find_text=place.form,
                    replace_text=row.values[place.name],
                    max_matches=1,
                    address=place.piece.address,
                )
            )
    gaps = [_WORDS.render("unknown", language, name=one) for one in used if one in row.unknown]
    gaps += [_WORDS.render("empty", language, name=one) for one in known if not row.values[one].strip()]
    return {"name": f"{number:03d}_{name}", "actions": made, "gaps": join_names(gaps, language)}


def _say_gaps(files: Sequence[JsonObject], language: Language) -> str:
    told = [_WORDS.render("gap", language, file=one["name"], names=one["gaps"]) for one in files if one["gaps"]]
    if not told:
        return ""
    named = [*told[:_MAX_NAMED], *(["…"] if len(told) > _MAX_NAMED else [])]
    return _WORDS.render("gaps", language, count=len(told), files=join_names(named, language))


def _read_rows(reading: Reading) -> list[_Row]:
    """Rows of the first table of a workbook, by the names of its columns."""
    for sheet in reading.sheets:
        for table in read_tables(sheet):
            return [_read_row(table, row) for row in table.body]
    return []


def _read_row(table: DataTable, row: int) -> _Row:
    cells = {table.header(column): table.cell(row, column) for column in table.columns}
    unknown = {name for name, cell in cells.items() if cell is not None and cell.formula and cell.value is None}
    return _Row({name: _text_of(cell) for name, cell in cells.items()}, frozenset(unknown))


def _text_of(cell: object) -> str:
    value = getattr(cell, "value", None)
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)

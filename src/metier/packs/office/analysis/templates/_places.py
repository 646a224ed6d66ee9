"""Places of a template that wait for a value, and the rows of a sheet that fill them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import Proposal, Reading
from metier.packs.office.analysis.templates._rows import TemplateRow, read_template_rows

__all__ = ["TemplatePlace", "find_places", "propose_filled"]

_PLACE: Final = re.compile(
    r"\{\{\s*(?P<braces>[^{}]{1,40}?)\s*\}\}|\$\{\s*(?P<dollar>[^{}]{1,40}?)\s*\}|«\s*(?P<field>[^«»]{1,40}?)\s*»|【\s*(?P<corner>[^【】]{0,30}?)\s*】|"
    r"(?P<date>[_＿]{2,}\s*年\s*[_＿]{2,}\s*月(?:\s*[_＿]{2,}\s*日)?)|(?P<blank>[_＿]{2,})|"
    r"(?P<xs>(?<![A-Za-z])[Xx×]{2,}(?![A-Za-z]))"
)
_LABEL: Final = re.compile(r"(?P<label>[^\s，,。；;：:]{1,20})\s*[：:]\s*[¥￥]?$")
_MAX_NAME: Final = 40
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
        "error": ("{name}: the cell shows an error", "{name}的单元格是错误值"),
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
    start: int = 0


def find_places(pieces: Iterable[TextPiece]) -> Iterator[TemplatePlace]:
    """Places of a template: `{{姓名}}`, `«姓名»`, `【岗位】`, blanks with the words before them, XXXX."""
    for piece in pieces:
        for match in _PLACE.finditer(piece.line):
            named = match["braces"] or match["dollar"] or match["field"] or match["corner"] or ""
            if not named:
                label = _LABEL.search(piece.line[: match.start()])
                named = label["label"] if label else ""
            yield TemplatePlace(named.strip(), match[0], piece, match.start())


def propose_filled(reading: Reading, *, language: Language) -> Proposal:
    """One file for each row of the sheet; without a sheet, the places are listed and the rows are asked for."""
    places = list(find_places(_list_pieces(reading)))
    if not places:
        return Proposal("template-fill", "wps", _WORDS.render("none", language, name=reading.name))
    names = list(dict.fromkeys(place.name or place.form for place in places))
    columns = [_WORDS.render(code, language) for code in ("name", "form", "where")]
    table = table_json(
        _WORDS.render("places", language),
        columns,
        [[place.name, place.form, place.piece.address] for place in places],
    )
    read = ((other, read_template_rows(other, names, language)) for other in reading.others)
    rows_of = next(((other, found) for other, found in read if found is not None and found.rows), None)
    if rows_of is None:
        summary = _WORDS.render(
            "no_rows", language, name=reading.name, count=len(places), names=join_names(names, language)
        )
        return Proposal("template-fill", "wps", summary, (), (table,), (), _WORDS.render("ask_rows", language))
    other, table_rows = rows_of
    rows = table_rows.rows
    used = [name for name in names if name in table_rows.columns]
    left = [name for name in names if name not in table_rows.columns]
    summary = _WORDS.render(
        "summary",
        language,
        rows=len(rows),
        sheet=other.name,
        name=reading.name,
        used=join_names(used, language),
        left=_WORDS.render("left", language, names=join_names(left, language)) if left else "",
    )
    stem = _clean_name(PurePath(reading.name).stem)
    filled = (_fill_row(f"{at:03d}", row, places, used, language) for at, row in enumerate(rows, 1))
    # The number of the row and the name of the template: no two files are called the same.
    files: tuple[JsonObject, ...] = tuple({**one, "name": f"{one['name']}_{stem}".rstrip("_")} for one in filled)
    summary += table_rows.left_out + _say_gaps(files, language)
    first = files[0]["actions"] if len(files) == 1 else []
    actions = tuple(action for action in first if isinstance(action, dict)) if isinstance(first, list) else ()
    return Proposal("template-fill", "wps", summary, actions, (table,), (), "", files)


def _list_pieces(reading: Reading) -> Iterator[TextPiece]:
    """Pieces with places: those of the body, and of headers and footers."""
    return (one for one in reading.pieces if one.kind != "comment" and one.line.strip())


def _clean_name(text: str) -> str:
    return re.sub(r'[\\/:*?"<>|\s]+', "_", text)[:_MAX_NAME].strip("._")


def _fill_row(
    number: str, row: TemplateRow, places: Sequence[TemplatePlace], used: list[str], language: Language
) -> JsonObject:
    """Actions for one row: braces by name, blanks and brackets at their place; `gaps` says what is missing."""
    label = next((row.values[name] for name in used if row.values[name].strip()), number)
    title, actions = _WORDS.render("fill", language, name=label), PlanActions(language)
    known = [one for one in used if one not in row.unknown and one not in row.errors]
    values = {one: _cut_signs(row.values[one], [place for place in places if place.name == one]) for one in known}
    braces = {place.name: values[place.name] for place in places if place.form[0] in "{$«" and place.name in values}
    made = [actions.operation("fill_template", title, values=dict(braces))] if braces else []
    made += _fill_blanks([one for one in places if one.form[0] not in "{$«"], values, actions)
    gaps = [_WORDS.render("unknown", language, name=one) for one in used if one in row.unknown]
    gaps += [_WORDS.render("empty", language, name=one) for one in known if not row.values[one].strip()]
    gaps += [_WORDS.render("error", language, name=one) for one in used if one in row.errors]
    return {"name": f"{number}_{_clean_name(label)}".rstrip("_"), "actions": made, "gaps": join_names(gaps, language)}


def _say_gaps(files: Sequence[JsonObject], language: Language) -> str:
    told = [_WORDS.render("gap", language, file=one["name"], names=one["gaps"]) for one in files if one["gaps"]]
    if not told:
        return ""
    named = [*told[:_MAX_NAMED], *(["…"] if len(told) > _MAX_NAMED else [])]
    return _WORDS.render("gaps", language, count=len(told), files=join_names(named, language))


def _fill_blanks(
    places: Sequence[TemplatePlace], values: Mapping[str, str], actions: PlanActions
) -> Iterator[JsonObject]:
    """A step for each blank or bracket with a value; of equal blanks in a paragraph the one that bears the name."""
    lines: dict[str, str] = {}
    moved: dict[str, int] = {}
    for place in places:
        address, line = place.piece.address, lines.get(place.piece.address, place.piece.line)
        if place.name not in values:
            continue
        start, number = place.start + moved.get(address, 0), len(place.piece.line) - len(place.piece.text)
        matches = [one.start() + number for one in re.finditer(re.escape(place.form), line[number:])]
        if start not in matches:
            continue
        value = values[place.name]
        lines[address] = line[:start] + value + line[start + len(place.form) :]
        moved[address] = moved.get(address, 0) + len(value) - len(place.form)
        yield actions.operation(
            "replace_text",
            f"{place.name}: {value}",
            find_text=place.form,
            replace_text=value,
            max_matches=1,
            occurrence=matches.index(start) + 1,
            address=address,
        )


def _cut_signs(value: str, places: Sequence[TemplatePlace]) -> str:
    """The value without a sign of money or a share that the template writes around all of its places."""
    before = {_text_before(place)[-1:] for place in places}
    behind = {_text_behind(place)[:1] for place in places}
    if len(before) == 1 and (sign := before.pop()) in ("¥", "￥", "$") and value.startswith(("¥", "￥", sign)):
        value = value[1:].lstrip()
    if len(behind) == 1 and (sign := behind.pop()) in ("%", "％", "元") and value.endswith(sign):
        value = value[:-1].rstrip()
    return value


def _text_before(place: TemplatePlace) -> str:
    return place.piece.line[: place.start].rstrip()


def _text_behind(place: TemplatePlace) -> str:
    return place.piece.line[place.start + len(place.form) :].lstrip()

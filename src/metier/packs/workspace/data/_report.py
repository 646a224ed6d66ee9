"""The report of an analysis: xlsx, html with charts, and `analysis.py`, which computes every figure again."""

import re
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from pprint import pformat
from shutil import copyfile
from typing import TYPE_CHECKING, Any, Final

from metier.documents import write_sheets
from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.workspace.data._load import Loaded
from metier.packs.workspace.data._summary import Analysis
from metier.packs.workspace.data._texts import TEXTS
from metier.packs.workspace.data._write import shorten_stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.exports import Block

_SOURCES: Final = ("_columns.py", "_read.py", "_compute.py")
_IMPORT: Final = re.compile(r"^(?:import|from) .+$", re.MULTILINE)
_DOCSTRING: Final = re.compile(r'\A"""(?:.|\n)*?"""\n')
# Nothing of the user's stands in it: the name of a file could end the docstring and be run as code.
_HEAD: Final = '"""Computes every figure of the report on FILE again. Needs pandas (and openpyxl for xlsx)."""\n'
_MAIN: Final = '''

FILE = {file!r}
OPTIONS: dict[str, Any] = {options}
CALLS: list[tuple[str, str, dict[str, Any]]] = {calls}


def main() -> None:
    """Print every table of the report, or all as JSON with `--json`."""
    frame, columns = read_columns(read_table(FILE, OPTIONS))
    results = []
    for title, name, arguments in CALLS:
        if name == "count_rows":
            frame[arguments["name"]] = 1.0
            continue
        rows = select_rows(frame, arguments.pop("where", ()))
        found = describe_columns(frame, columns) if name == "describe_columns" else globals()[name](rows, **arguments)
        results.append(dict(title=title, function=name, result=found))
    if "--json" in sys.argv:
        print(json.dumps(results, ensure_ascii=False))
        return
    for one in results:
        print("\\n" + one["title"])
        rows = one["result"]
        rows = rows if isinstance(rows, list) else next(part for part in rows if part and isinstance(part[0], list))
        print(pd.DataFrame(rows).to_string(index=False, header=False))


if __name__ == "__main__":
    main()
'''


@dataclass(frozen=True, slots=True)
class ReportSource:
    """File that a report is about: where it is, its path in the conversation's folder, its name for people."""

    path: Path
    file: str
    title: str
    loaded: Loaded


def write_report(workspace: Path, source: ReportSource, made: Analysis, language: Language) -> list[str]:
    """Write the files of a report and return their names, the script last.

    They replace those of the last report on the same file and nothing else. A sample is copied, so that the script
    finds it.
    """
    workspace.mkdir(parents=True, exist_ok=True)
    file, title = source.file, source.title
    if not (workspace / file).exists():
        (workspace / file).parent.mkdir(parents=True, exist_ok=True)
        copyfile(source.path, workspace / file)
    stem = shorten_stem(f"report-{Path(title).stem}" if Path(title).suffix else f"report-{Path(file).stem}")
    names = _choose_names(workspace, stem, file)
    _write_workbook(workspace / names[0], title, made, language)
    _write_html(workspace / names[1], title, made, language)
    (workspace / names[2]).write_text(build_script(file, source.loaded, made), "utf-8")
    return names


def _choose_names(workspace: Path, stem: str, file: str) -> list[str]:
    """Names of workbook, page and script: those of the last report on this file, else names that are free."""
    for number in count(1):
        mark = f"-{number}" if number > 1 else ""
        names = [f"{stem}{mark}.xlsx", f"{stem}{mark}.html", f"analysis{mark}.py"]
        script = workspace / names[2]
        text = script.read_text("utf-8", "replace") if script.is_file() else ""
        is_again = text.startswith(_HEAD) and f"\nFILE = {file!r}\n" in text
        if is_again or not any((workspace / one).exists() for one in names):
            return names
    raise AssertionError("numbers do not end")


def build_script(file: str, loaded: Loaded, made: Analysis) -> str:
    """Source of `analysis.py`: the functions that computed the report, the file, and each call with its arguments."""
    folder = Path(__file__).parent
    sources = [_DOCSTRING.sub("", (folder / name).read_text("utf-8")) for name in _SOURCES]
    imports = {line for text in sources for line in _IMPORT.findall(text) if "metier" not in line}
    body = "\n".join(_IMPORT.sub("", text).strip("\n") + "\n\n" for text in sources)
    titles = [str(one["title"]) for one in made.tables]
    listed = []
    for name, arguments in made.calls:
        listed.append((titles.pop(0) if name != "count_rows" else "", name, dict(arguments)))
    given = {"file": file, "options": pformat(dict(loaded.options)), "calls": pformat(listed, width=110)}
    return "\n".join([_HEAD, *sorted({*imports, "import sys"}), "", "", body]) + _MAIN.format(**given)


def _write_workbook(path: Path, title: str, made: Analysis, language: Language) -> None:
    found = TEXTS.render("findings", language)
    lines = [[str(one["text"])] for one in made.findings]
    lines += [[TEXTS.render("notes", language)], *([one] for one in made.notes)] if made.notes else []
    sheets: list[tuple[str, Sequence[str], Any]] = [
        (found, [TEXTS.render("report_title", language, file=title)], lines)
    ]
    for table in made.tables:
        sheets.append((str(table["title"]), [_heading(one) for one in _list(table, "columns")], _list(table, "rows")))
    write_sheets(path, sheets)


def _write_html(path: Path, title: str, made: Analysis, language: Language) -> None:
    from metier.exports import (
        DrawingBlock,
        ExportDocument,
        HeadingBlock,
        ListBlock,
        TextRun,
        draw_chart,
        write_document,
    )

    blocks: list[Block] = [HeadingBlock(TEXTS.render("findings", language))]
    blocks.append(ListBlock(tuple((TextRun(str(one["text"])),) for one in made.findings)))
    if made.notes:
        blocks.append(HeadingBlock(TEXTS.render("notes", language)))
        blocks.append(ListBlock(tuple((TextRun(one),) for one in made.notes)))
    charts = {str(one["title"]): one for one in made.charts}
    for table in made.tables:
        blocks.append(_table_block(table))
        chart = charts.get(str(table["title"]))
        drawing = draw_chart(chart) if chart is not None else None
        if drawing is not None:
            blocks.append(DrawingBlock(str(table["title"]), drawing))
    document = ExportDocument(TEXTS.render("report_title", language, file=title), language, tuple(blocks))
    path.write_bytes(write_document(document, "html"))


def _table_block(table: JsonObject) -> "Block":
    from metier.exports import TableBlock

    rows = _list(table, "rows")
    heads = tuple(_heading(one) for one in _list(table, "columns"))
    numeric = tuple(
        any(isinstance(row[at], int | float) for row in rows)
        and all(isinstance(row[at], int | float | None) for row in rows)
        for at in range(len(heads))
    )
    return TableBlock(str(table["title"]), heads, tuple(tuple(map(_show, row)) for row in rows), numeric)


def _heading(column: Any) -> str:
    unit = column.get("unit") or ""
    return f"{column['title']} ({unit})" if unit else str(column["title"])


def _show(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _list(table: JsonObject, key: str) -> list[Any]:
    found = table.get(key)
    return list(found) if isinstance(found, list) else []

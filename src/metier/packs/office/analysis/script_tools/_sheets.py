"""Tools over tables that are given as rows."""

from collections.abc import Sequence

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, language_of
from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis._model import SheetCell, SheetCells
from metier.packs.office.analysis.workbooks import audit_sheet, read_tables

__all__ = ["detect_anomalies", "parse_data"]


def _to_sheet(rows: Sequence[Sequence[JsonValue]]) -> SheetCells:
    cells = []
    for number, row in enumerate(rows, 1):
        for place, value in enumerate(row, 1):
            address = f"{column_letters(place)}{number}"
            if isinstance(value, str) and value.startswith("="):
                cells.append(SheetCell(address, None, value[1:]))
            elif isinstance(value, str | int | float | bool):
                cells.append(SheetCell(address, value))
    return SheetCells("Sheet1", tuple(cells))


def _split_text(doc_text: str) -> list[list[JsonValue]]:
    """Rows of a text table: by tabs, bars or commas; figures become numbers."""
    lines = [line.strip().strip("|") for line in doc_text.splitlines() if line.strip()]
    mark = next((mark for mark in ("\t", "|", ",", "，") if any(mark in line for line in lines)), "\t")
    rows: list[list[JsonValue]] = []
    for line in lines:
        parts = [part.strip() for part in line.split(mark)]
        if all(set(part) <= set("-: ") for part in parts):
            continue
        rows.append([_to_value(part) for part in parts])
    return rows


def _to_value(text: str) -> JsonValue:
    try:
        return int(text) if text.lstrip("-").isdigit() and len(text) <= 15 and not text.startswith("0") else float(text)
    except ValueError:
        return text


def parse_data(doc_text: str = "", rows: Sequence[Sequence[JsonValue]] = ()) -> JsonObject:
    """Header, number of rows and kind of every column."""
    table = next(read_tables(_to_sheet(rows or _split_text(doc_text))), None)
    if table is None:
        return {"columns": [], "rows": 0}
    columns: list[JsonValue] = []
    for column in table.columns:
        values = [cell.value for row in table.body if (cell := table.cell(row, column)) is not None]
        numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
        kind = "number" if len(numbers) * 2 > len(values) else "text"
        columns.append({"name": table.header(column), "kind": kind, "filled": len(values)})
    return {"columns": columns, "rows": len(table.body), "totals": len(table.totals)}


def detect_anomalies(
    doc_text: str = "", rows: Sequence[Sequence[JsonValue]] = (), language: Language | None = None
) -> JsonObject:
    """Anomalies of a table, each with its row, column, value and reason."""
    given = list(rows) or _split_text(doc_text)
    chosen = language or language_of(doc_text or str(given))
    found = audit_sheet(_to_sheet(given))
    anomalies: list[JsonValue] = []
    for finding in found:
        cell = finding.values["cell"]
        letters = "".join(filter(str.isalpha, cell))
        row = int("".join(filter(str.isdigit, cell)) or 0)
        place = column_index(letters)
        header = given[0][place - 1] if given and 0 < place <= len(given[0]) else letters
        anomalies.append(
            {
                "row_index": row,
                "column": str(header),
                "value": finding.line,
                "reason": finding.message.text(chosen),
                "rule": finding.rule,
                "severity": finding.severity,
                "row_preview": [str(value) for value in given[row - 1][:8]] if 0 < row <= len(given) else [],
            }
        )
    return {"anomalies": anomalies, "summary": {"count": len(anomalies), "rows": max(0, len(given) - 1)}}

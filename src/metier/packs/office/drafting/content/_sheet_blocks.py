"""Blocks of sheets: a series with its chart, a budget, totals per group, a Gantt table; each on a sheet of its own."""

from collections.abc import Sequence
from typing import Final

from metier.language import Language, choose
from metier.packs.office._column_letters import column_letters
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.drafting._blocks import DraftBlock, draft_table
from metier.packs.office.drafting._unclear import DraftNote
from metier.packs.office.drafting.content._charts import ChartData

__all__ = ["begin_sheet", "write_budget", "write_gantt", "write_grouped", "write_series"]

_MONEY: Final = "#,##0.00"
_NUMBER: Final = "#,##0.##"
_RED: Final = "#C00000"
_GREEN: Final = "#5B9BD5"
_BAR: Final = "■"
_ANY_LABEL: Final = ("项目",)  # says nothing beside the measure
_PIE: Final = 5


def begin_sheet(block: DraftBlock, sheet: str) -> str:
    """Start the block's own sheet; its name in the form that formulas use."""
    name = "".join(" " if one in "\\/*?:[]'" else one for one in sheet).strip()[:31] or "Sheet"
    block.add("ensure_sheet", sheet_name=name)
    block.add("set_selection", sheet_name=name, cell="A1")
    block.explain(DraftNote.of("new_sheet", sheet=name))
    return name


def _at(sheet: str, cells: str) -> str:
    return f"{quote_sheet(sheet)}!{cells}"


def write_series(data: ChartData, kind: int, title: str, language: Language, sheet: str = "") -> DraftBlock:
    """Names with one number each, and a chart of them beside it."""
    block = DraftBlock("series", title or f"{data.label} {data.measure}", language)
    name = begin_sheet(block, sheet or title or _name_series(data, language))
    block.add("insert_table", **draft_table((data.label, data.measure), [list(point) for point in data.points]))
    last = len(data.points) + 1
    block.add(
        "insert_chart_from_selection",
        title=title or data.measure,
        chart_type=kind,
        sheet_name=name,
        source_range=f"A1:B{last}",
        has_legend=kind == _PIE,
    )
    return block


def _name_series(data: ChartData, language: Language) -> str:
    if data.label in _ANY_LABEL:
        return data.measure
    measure = data.measure.removeprefix(data.label) or data.measure
    return choose(language, zh=f"{data.label}{measure}", en=f"{data.measure} by {data.label}")


def write_budget(
    columns: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    formula: str,
    title: str,
    language: Language,
    *,
    sheet: str,
) -> DraftBlock:
    """Rows of a name and two amounts, and their difference by a formula; what is overspent is red."""
    block = DraftBlock("budget", title, language)
    name = begin_sheet(block, sheet)
    block.add("insert_table", **draft_table(columns, [[*one, ""] for one in rows]))
    last = len(rows) + 1
    for row in range(2, last + 1):
        block.add("set_cell_formula", cell=_at(name, f"D{row}"), formula=f"={formula.format(row=row)}")
    block.add("set_number_format", range=_at(name, f"B2:D{last}"), number_format=_MONEY)
    block.add(
        "set_conditional_format",
        range=_at(name, f"D2:D{last}"),
        rule_type="cell_value",
        operator="less_than",
        formula1="0",
        font_color=_RED,
    )
    return block


def write_grouped(
    columns: tuple[str, str], rows: Sequence[tuple[str, str]], title: str, language: Language, sheet: str = ""
) -> DraftBlock:
    """Detail rows and, beside them, one live SUMIF formula for each group."""
    group, amount = columns
    block = DraftBlock("grouped", title or group, language)
    name = begin_sheet(block, sheet or title or choose(language, zh=f"按{group}汇总", en=f"By {group.lower()}"))
    names = list(dict.fromkeys(one for one, _ in rows))
    block.add("insert_table", **draft_table((group, amount), [list(one) for one in rows]))
    last = len(rows) + 1
    total = choose(language, zh="合计", en="Total")
    head = f"{amount}{choose(language, zh='合计', en=' total')}"
    block.add("set_selection", sheet_name=name, cell="D1")
    block.add("insert_table", **draft_table((group, head), [[one, ""] for one in [*names, total]]))
    end = len(names) + 2
    for row in range(2, end):
        formula = f"=SUMIF($A$2:$A${last},D{row},$B$2:$B${last})"
        block.add("set_cell_formula", cell=_at(name, f"E{row}"), formula=formula)
    block.add("set_cell_formula", cell=_at(name, f"E{end}"), formula=f"=SUM(E2:E{end - 1})")
    block.add("set_number_format", range=_at(name, f"E2:E{end}"), number_format=_NUMBER)
    return block


def write_gantt(
    tasks: Sequence[str], weeks: int, title: str, language: Language, *, is_empty: bool = False, sheet: str = ""
) -> DraftBlock:
    """Tasks by weeks, one after the other in equal shares."""
    block = DraftBlock("gantt", title, language)
    name = begin_sheet(block, sheet or title or choose(language, zh="甘特表", en="Gantt"))
    header = [choose(language, zh="任务", en="Task")]
    header += [choose(language, zh=f"第{week}周", en=f"Week {week}") for week in range(1, weeks + 1)]
    empty = [""] * weeks
    rows = [[task, *(empty if is_empty else _bar(at, len(tasks), weeks))] for at, task in enumerate(tasks)]
    if not is_empty:
        block.explain(DraftNote.of("even_schedule"))
    block.add("insert_table", **draft_table(header, rows))
    block.add(
        "set_conditional_format",
        range=_at(name, f"B2:{column_letters(weeks + 1)}{len(rows) + 1}"),
        rule_type="cell_value",
        operator="equal",
        formula1=f'"{_BAR}"',
        fill_color=_GREEN,
        font_color=_GREEN,
    )
    return block


def _bar(at: int, tasks: int, weeks: int) -> list[str]:
    """Weeks of one task when all tasks follow each other."""
    first = at * weeks // tasks
    last = max(first + 1, (at + 1) * weeks // tasks)
    return [_BAR if first <= week < last else "" for week in range(weeks)]

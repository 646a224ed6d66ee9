"""A table on the screen as a file of its own: 把待办导出成Excel means the table of that name, not a document."""

import asyncio
import csv
from io import StringIO
from pathlib import Path
from typing import Final

from metier.agent.choice._reminders import remind_of_pause
from metier.agent.results import file_event
from metier.agent.turn import TurnState
from metier.documents import write_sheets
from metier.questions import Results, ResultTable, TableWish, describe_written, find_wished
from metier.visible_text import defuse_formula

_NOT_IN_A_NAME: Final = str.maketrans(dict.fromkeys((*'<>:"/\\|?*\x7f', *map(chr, range(32))), "_"))
_MAX_NAME_CHARS: Final = 60


async def write_wished(state: TurnState, wish: TableWish, results: Results) -> bool:
    """Write the table that was wished for and say so; False if no table on the screen is called so."""
    table = find_wished(wish, results)
    if table is None:
        return False
    folder = state.resources.workspace(state.conversation)
    name = await asyncio.to_thread(write_table_file, folder, table, wish.ending)
    event = file_event(folder, name, state.resources.new_id()[:12], 1, {})
    state.queue_display_events(*([event] if event else []))
    text = describe_written(table, name, state.request.language)
    state.queue_reply("\n\n".join(one for one in (text, remind_of_pause(state)) if one))
    return True


def write_table_file(folder: Path, table: ResultTable, ending: str) -> str:
    """Write a table into the folder under a name that is free, and return the name."""
    stem = table.title.translate(_NOT_IN_A_NAME).strip(" .")[:_MAX_NAME_CHARS] or "table"
    name, number = f"{stem}.{ending}", 2
    while (folder / name).exists():
        name, number = f"{stem}-{number}.{ending}", number + 1
    folder.mkdir(parents=True, exist_ok=True)
    headings = [one.heading for one in table.columns]
    rows = [[_write_cell(cell) for cell in row] for row in table.rows]
    if ending == "csv":
        text = StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow([defuse_formula(one) for one in headings])
        writer.writerows([[defuse_formula(one) if isinstance(one, str) else one for one in row] for row in rows])
        (folder / name).write_text(text.getvalue(), "utf-8-sig", newline="")
    else:
        write_sheets(folder / name, [(table.title, headings, rows)])
    return name


def _write_cell(cell: object) -> str | int | float | None:
    return cell if cell is None or isinstance(cell, str | int | float) else str(cell)

"""Write tables to new files: csv, xlsx, json and Markdown, with texts that look like formulas kept as texts."""

import csv
import json
import re
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from metier.documents import write_sheets
from metier.visible_text import defuse_formula

if TYPE_CHECKING:
    import pandas as pd

_MAX_STEM_BYTES: Final = 200
_MARKUP: Final = re.compile(r"[\\|`*_<\[\]]")
_LINE_BREAK: Final = re.compile(r"\r\n|\r|\n")


def shorten_stem(stem: str) -> str:
    """A stem that leaves room for an ending and a number in the name of a file."""
    return stem.encode()[:_MAX_STEM_BYTES].decode("utf-8", "ignore")


def free_name(workspace: Path, stem: str, ending: str) -> str:
    """Name of a file that does not exist yet."""
    stem, number = shorten_stem(stem), 2
    name = f"{stem}.{ending}"
    while (workspace / name).exists():
        name, number = f"{stem}-{number}.{ending}", number + 1
    return name


def write_frame(frame: "pd.DataFrame", path: Path) -> int:
    """Write a frame by the ending of the path; whole, or not at all. Returns how many cells got an apostrophe."""
    guarded = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    try:
        if path.suffix == ".csv":
            guarded = _write_csv(draft, [[str(one) for one in frame.columns]], list_rows(frame))
        elif path.suffix == ".json":
            rows = [dict(zip(map(str, frame.columns), row, strict=True)) for row in list_rows(frame)]
            draft.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
        elif path.suffix == ".md":
            draft.write_text(_write_markdown([str(one) for one in frame.columns], list_rows(frame)), "utf-8")
        else:
            write_sheets(draft, [("data", [str(one) for one in frame.columns], list_rows(frame))])
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return guarded


def _write_csv(path: Path, *parts: Iterable[Sequence[Any]]) -> int:
    guarded = 0
    with path.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for row in chain(*parts):
            cells = [defuse_formula(cell) if isinstance(cell, str) else cell for cell in row]
            guarded += sum(new is not old for new, old in zip(cells, row, strict=True))
            writer.writerow(cells)
    return guarded


def _write_markdown(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table of Markdown: a bar in a cell is escaped, a line break stays one, and nothing else in it is markup."""
    lines = [headings, ["---"] * len(headings), *([_escape_markdown(one) for one in row] for row in rows)]
    lines[0] = [_escape_markdown(one) for one in headings]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _escape_markdown(value: Any) -> str:
    text = "" if value is None else str(value)
    return _LINE_BREAK.sub("<br>", _MARKUP.sub(r"\\\g<0>", text))


def list_rows(frame: "pd.DataFrame") -> Iterable[list[Any]]:
    """Rows as plain values: None for gaps, whole numbers as integers, dates as ISO texts."""
    return ([_plain(cell) for cell in row] for row in frame.itertuples(index=False, name=None))


def _plain(value: Any) -> Any:
    if value is None or value != value:  # noqa: PLR0124 - NaN and NaT
        return None
    if hasattr(value, "strftime"):
        return value.strftime(
            "%Y-%m-%d" if (value.hour, value.minute, value.second) == (0, 0, 0) else "%Y-%m-%d %H:%M:%S"
        )
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return int(value)
    return value

"""Runs inside the sandbox: execute the code, then write its tables, pictures and error as one JSON document.

A file of its own, started by the interpreter: nothing of Metier is imported here.
"""

import ast
import contextlib
import json
import linecache
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_FILE = "<run_python>"
_MAX_TABLES = 20
_MAX_COLUMNS = 100
_MAX_ROWS = 1_000
_MAX_FIGURES = 10
_MAX_CELL_CHARS = 500
_MAX_TEXT_CHARS = 4_000
_DRAWS = re.compile(r"matplotlib|seaborn|plot|hist|pie\(")
_MISSING_GLYPH = re.compile(r"Glyph (\d+)")


def main() -> None:
    """Read the request from standard input, run its code, write the document, and exit."""
    request = json.loads(sys.stdin.buffer.read())
    own, code = os.getpid(), str(request["code"])
    tables: list[dict[str, Any]] = []
    document: dict[str, Any] = {"tables": tables, "images": [], "notes": [], "error": None}
    linecache.cache[_FILE] = (len(code), None, code.splitlines(keepends=True), _FILE)
    sys.path.insert(0, str(Path.cwd()))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        try:
            if _DRAWS.search(code):
                _prepare_figures(str(request.get("font", "")))
            _execute(code, tables)
            document["images"] = _save_figures()
        except SystemExit as stop:
            if stop.code not in (None, 0):
                document["error"] = {"code": "python_failed", "message": f"the code ended with exit({stop.code!r})"}
        except MemoryError:
            document["error"] = {"code": "out_of_memory", "message": ""}
        except BaseException as error:  # noqa: BLE001 - tool runner boundary: any exception of the code is its result
            document["error"] = _describe(error)
    if os.getpid() != own:  # a child process that the code forked
        os._exit(0)
    document["notes"] = [*(one["note"] for one in tables if one.get("note")), *_describe_warnings(seen)]
    Path(str(request["result"])).write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()
    os._exit(0)  # threads that the code left must not keep the process


def _execute(code: str, tables: list[dict[str, Any]]) -> None:
    """Run the code as a module; the value of a last expression is shown as in a notebook."""

    def show(value: object, title: str = "") -> None:
        """Show a DataFrame, a Series or a list of dicts to the user as a table; print anything else."""
        found = _to_table(value, str(title))
        if found is None:
            print(value)  # noqa: T201 - the output of the code
        elif len(tables) < _MAX_TABLES:
            tables.append(found)

    tree = ast.parse(code, _FILE)
    last = tree.body[-1] if tree.body else None
    shown = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    if shown is not None:
        tree.body.pop()
    names: dict[str, object] = {"__name__": "__main__", "__file__": _FILE, "show": show}
    exec(compile(tree, _FILE, "exec"), names)  # noqa: S102 - the purpose of this process
    if shown is not None:
        value = eval(compile(shown, _FILE, "eval"), names)  # noqa: S307 - the same
        if value is not None:
            _show_last(value, show)


def _show_last(value: object, show: Callable[[object], None]) -> None:
    if type(value).__module__.startswith("matplotlib"):  # plt.title("…") as the last line: the figure is saved anyway
        return
    if isinstance(value, list) and value and type(value[0]).__module__.startswith("matplotlib"):
        return
    show(value)


def _to_table(value: object, title: str) -> dict[str, Any] | None:
    pandas: Any = sys.modules.get("pandas")
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        import pandas

        value = pandas.DataFrame(value)
    if pandas is None:
        return None
    if isinstance(value, pandas.Series):
        value = value.to_frame(name=value.name if value.name is not None else "value")
    if not isinstance(value, pandas.DataFrame):
        return None
    total, width = value.shape
    frame = value.iloc[:_MAX_ROWS, :_MAX_COLUMNS]
    if not isinstance(frame.index, pandas.RangeIndex):
        frame = frame.copy(deep=False)
        levels = [str(name) if name is not None else f"index{at or ''}" for at, name in enumerate(frame.index.names)]
        frame.index.names = [_avoid(name, set(map(str, frame.columns))) for name in levels]
        frame = frame.reset_index()
    columns = list(_name_columns(frame.columns))
    rows = [[_to_cell(cell, pandas) for cell in row] for row in frame.itertuples(index=False, name=None)]
    told: dict[str, Any] = {"title": title, "columns": columns, "rows": rows, "total": total}
    if total > _MAX_ROWS or width > _MAX_COLUMNS:
        told["note"] = f"table {title!r}: {len(rows)} of {total} rows, {min(width, _MAX_COLUMNS)} of {width} columns"
    return told


def _avoid(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _name_columns(columns: Any) -> Iterator[dict[str, str]]:
    used: set[str] = set()
    for column in columns:
        title = " / ".join(map(str, column)) if isinstance(column, tuple) else str(column)
        key = _avoid(title or "column", used)
        used.add(key)
        yield {"key": key, "title": title}


def _to_cell(value: Any, pandas: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value[:_MAX_CELL_CHARS]
    if hasattr(value, "item") and not hasattr(value, "isoformat"):
        value = value.item()
    if isinstance(value, int):
        return value if abs(value) < 1 << 53 else str(value)
    if isinstance(value, float):
        return float(f"{value:.12g}") if value - value == 0 else None
    if hasattr(value, "isoformat"):
        return None if pandas.isna(value) else str(value)
    try:
        missing = pandas.isna(value)
    except (TypeError, ValueError):
        missing = False
    return None if missing is True else str(value)[:_MAX_CELL_CHARS]


def _prepare_figures(font: str) -> None:
    """Draw without a window, and Chinese with the font that Metier brings, beside the usual one."""
    try:
        import matplotlib as mpl
        from matplotlib import font_manager
    except ImportError:  # the code gets the same error, with its line
        return
    mpl.use("Agg")
    if not font:
        return
    font_manager.fontManager.addfont(font)
    name = font_manager.FontProperties(fname=font).get_name()
    mpl.rcParams["font.family"] = ["DejaVu Sans", name]
    mpl.rcParams["axes.unicode_minus"] = False


def _save_figures() -> list[dict[str, str]]:
    """Save the figures that are still open, under names that are free."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    found = []
    for number in (pyplot.get_fignums() if pyplot is not None else [])[:_MAX_FIGURES]:
        figure = pyplot.figure(number)
        if not figure.axes:
            continue
        path = next(path for at in range(1, 10_000) if not os.path.lexists(path := f"figure-{at}.png"))
        figure.savefig(path, dpi=120, bbox_inches="tight")
        texts = [figure.get_suptitle() if hasattr(figure, "get_suptitle") else "", *map(_get_title, figure.axes)]
        found.append({"path": path, "title": next((one for one in texts if one), path)})
    return found


def _get_title(axes: Any) -> str:
    return str(axes.get_title())


def _describe(error: BaseException) -> dict[str, str]:
    """The exception in a sentence, the line of the code, and the traceback from the code on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != _FILE:
        trace = trace.tb_next
    steps = [one for one in traceback.extract_tb(trace) if one.filename == _FILE]
    if isinstance(error, SyntaxError):
        line = f"line {error.lineno}: {(error.text or '').strip()}"
    else:
        line = f"line {steps[-1].lineno}: {steps[-1].line}" if steps else ""
    message = traceback.format_exception_only(error)[-1].strip()
    return {"code": "python_failed", "message": message[:_MAX_TEXT_CHARS], "line": line[:_MAX_CELL_CHARS]}


def _describe_warnings(seen: list[warnings.WarningMessage]) -> Iterator[str]:
    texts = list(dict.fromkeys(str(one.message) for one in seen))
    glyphs = sorted({chr(int(found[1])) for text in texts if (found := _MISSING_GLYPH.search(text))})
    if glyphs:
        yield f"the font has no picture of these characters, they are drawn as boxes: {''.join(glyphs[:60])}"
    for text in [one for one in texts if not _MISSING_GLYPH.search(one)][:5]:
        yield f"warning: {text[:200]}"


if __name__ == "__main__":
    main()

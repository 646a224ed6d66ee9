"""Figures of the data room: how long a report on a large file takes, and how much memory a million rows need."""

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from metier.bench import Figure
from metier.tools import ToolContext

_SUITE: Final = "data"
_BYTES: Final = 50_000_000
_ROWS: Final = 1_000_000
_REGIONS: Final = ("East", "North", "South", "West")
_PRODUCTS: Final = ("Laptop", "Monitor", "Keyboard", "Printer")
_CODE: Final = """
import resource
import pandas as pd
frame = pd.read_csv("large.csv", dtype={"order": str}, parse_dates=["day"])
groups = frame.groupby(["region", "product"]).revenue.agg(["count", "sum", "mean", "median"])
frame.groupby(frame.day.dt.to_period("M")).revenue.sum()
print(len(frame), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure() -> Iterator[Figure]:
    """A csv of 50 MB to a report; a million rows in `run_python`, which may use 512 MiB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        rows = _write_sample(path, max_bytes=_BYTES)
        yield Figure(_SUITE, "50 MB csv to report, CPU time", _time_report(path), 15, rows, unit="s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        rows = _write_sample(path, max_rows=_ROWS)
        yield Figure(_SUITE, "run_python on 1,000,000 rows, memory", _measure_memory(path), 512, rows, unit="MiB")


def _write_sample(path: Path, *, max_bytes: int = 1 << 40, max_rows: int = 1 << 40) -> int:
    """Write invented orders until one of the limits is reached; returns the number of rows."""
    source = random.Random(20)  # noqa: S311 - invented data
    size, rows = 0, 0
    with path.open("w", encoding="utf-8") as file:
        file.write("order,day,region,product,units,revenue,discount\n")
        while size < max_bytes and rows < max_rows:
            day = f"202{source.randrange(4)}-{source.randrange(1, 13):02}-{source.randrange(1, 29):02}"
            units = source.randrange(1, 20)
            names = f"{source.choice(_REGIONS)},{source.choice(_PRODUCTS)}"
            line = (
                f"{10**15 + rows},{day},{names},{units},{units * source.uniform(90, 110):.2f},{source.randrange(15)}%\n"
            )
            size, rows = size + file.write(line), rows + 1
    return rows


def _time_report(path: Path) -> float:
    from metier.packs.workspace.data._tools import DataTools

    started = time.process_time()
    result = DataTools().report_data(ToolContext(path.parent), file=path.name, request="analyse", language="en")
    if result.failure is not None:
        raise RuntimeError(result.failure.message)
    return time.process_time() - started


def _measure_memory(path: Path) -> float:
    """Highest memory of the run in MiB, as the kernel reports it inside the sandbox."""
    from metier.tools.builtin import BuiltinConfig, builtin_tools

    tool = next(one for one in builtin_tools(BuiltinConfig()) if one.spec.name == "run_python")
    result = asyncio.run(tool.run({"code": _CODE}, ToolContext(path.parent)))
    if result.data is None:
        raise RuntimeError(json.dumps(str(result.failure)))
    rows, kibibytes = str(result.data["output"]).split()
    if int(rows) != _ROWS:
        raise RuntimeError(f"{rows} rows were read")
    return int(kibibytes) / 1024

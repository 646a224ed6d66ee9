"""`python -m benchmarks.unseen --data DIR`: measure the router on catalogs it was not fitted to, beside peers."""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import gettempdir

from benchmarks.unseen._catalogs import load_catalogs
from benchmarks.unseen._measure import measure
from benchmarks.unseen._page import write_page
from metier.cli.terminal import print_error, print_note
from metier.errors import MetierError


def run(argv: Sequence[str] | None = None) -> int:
    """Run the comparison and return the exit code."""
    parser = ArgumentParser(prog="python -m benchmarks.unseen", description="Measure routing on left-out catalogs.")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets and described catalogs")
    parser.add_argument("--cache", type=Path, default=Path(gettempdir()) / "metier-unseen", help="folder for vectors")
    parser.add_argument("--messages", type=int, default=150, help="messages asked of each catalog")
    parser.add_argument("--family", action="append", default=[], help="only catalogs of this source; repeat")
    parser.add_argument("--before", type=Path, help="src folder of an earlier checkout, measured in the same run")
    parser.add_argument("--no-peers", action="store_true", help="measure the router alone")
    parser.add_argument("--out", type=Path, default=Path("bench-results"), help="folder for the page and the JSON")
    asked = parser.parse_args(argv)
    try:
        catalogs = load_catalogs(asked.data, messages=asked.messages)
    except MetierError as error:
        print_error(error, as_json=False)
        return error.exit_code
    catalogs = tuple(one for one in catalogs if not asked.family or one.family in asked.family)
    rows = [row.to_json() for row in measure(catalogs, asked.cache, peers=not asked.no_peers, say=print_note)]
    before = _measure_before(asked.before, asked.data, asked.messages, asked.family) if asked.before else []
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "unseen.json").write_text(json.dumps({"rows": rows, "before": before}, indent=1) + "\n", "utf-8")
    write_page(asked.out / "unseen.md", rows, before, messages=asked.messages)
    print_note(f"saved {asked.out / 'unseen.md'}")
    return 0


def _measure_before(src: Path, data: Path, messages: int, families: Sequence[str]) -> list[dict[str, object]]:
    """Rows of an earlier router, in a process of its own with the code of that checkout."""
    out = Path(gettempdir()) / "metier-unseen-before"
    wanted = [part for family in families for part in ("--family", family)]
    command = [sys.executable, "-m", "benchmarks.unseen", "--data", str(data), "--messages", str(messages)]
    command += ["--no-peers", "--cache", str(out), "--out", str(out), *wanted]
    paths = os.pathsep.join((str(src), str(Path(__file__).parents[2])))
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})  # noqa: S603 - our own command
    rows: list[dict[str, object]] = json.loads((out / "unseen.json").read_text("utf-8"))["rows"]
    return rows


if __name__ == "__main__":
    sys.exit(run())

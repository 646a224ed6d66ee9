"""Report of the fault suite: figures with machine, date, versions and seed, written into a page between two marks."""

import os
import platform
import sqlite3
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from benchmarks.faults._outcome import Outcome

_PACKAGES: Final = ("metier", "fastapi", "uvicorn", "SQLAlchemy", "asyncpg", "langgraph")


def _replace(page: Path, mark: str, text: str) -> None:
    """Put `text` between the page's two marks; a page or a mark that is not there yet is begun at its end."""
    page.parent.mkdir(parents=True, exist_ok=True)
    written = page.read_text("utf-8") if page.exists() else ""
    before, _, rest = written.partition(f"<!-- {mark} begin -->")
    _, _, after = rest.partition(f"<!-- {mark} end -->")
    page.write_text(f"{before}<!-- {mark} begin -->\n\n{text}\n<!-- {mark} end -->{after}", "utf-8")


def print_line(text: str) -> None:
    """Print a line at once, also into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass(slots=True)
class Report:
    """Outcomes of one run."""

    seed: int
    rounds: int
    folder: Path | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    take_over: list[str] = field(default_factory=list)
    workers: list[tuple[int, float]] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Add an outcome and print it."""
        self.outcomes.append(outcome)
        mark = "ok  " if outcome.ok else "MISS"
        print_line(f"{mark} {outcome.fault:8} {outcome.database:10} {outcome.what}: {outcome.measured}")
        for note in outcome.notes:
            print_line(f"       {note[:300]}")
        self.write()

    @property
    def missed(self) -> list[Outcome]:
        return [one for one in self.outcomes if not one.ok]

    def write(self) -> None:
        """Replace the figures in the pages of the report's folder; the text around the marks is kept."""
        if (folder := self.folder) is None:
            return
        _replace(folder / "reliability.md", "figures of `make faults`", self._render())
        if self.take_over:
            _replace(folder / "scaling.md", "take-over", "```text\n" + "\n".join(self.take_over) + "\n```\n")
        if self.workers:
            _replace(folder / "scaling.md", "workers", self._render_workers())

    def _render_workers(self) -> str:
        lines = ["| servers | turns per second | of one server |", "|---|---|---|"]
        lines += [f"| {count} | {rate:.1f} | {rate / self.workers[0][1]:.2f} |" for count, rate in self.workers]
        cores = os.cpu_count()
        told = (
            "Short turns with a scripted model (three replies, two tools, 37 events), sixteen at once, on "
            f"{cores} cores that the servers share with PostgreSQL and the client: the curve ends where the cores do. "
            "It shows whether servers on one database hinder each other, not how far it goes on more machines."
        )
        return "\n".join([*lines, "", told, ""])

    def _render(self) -> str:
        lines = [
            f"Measured {datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
            f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
            f"{', '.join(f'{name} {version(name)}' for name in _PACKAGES)}; seed {self.seed}, rounds {self.rounds}; "
            f"load average at the end {os.getloadavg()[2]:.0f}.",
            "",
            "| fault | database | what was done | target | measured | |",
            "|---|---|---|---|---|---|",
        ]
        for one in self.outcomes:
            cells = (one.fault, one.database, one.what, one.target, one.measured, "held" if one.ok else "**missed**")
            lines.append(f"| {' | '.join(cells)} |")
        missed = "; ".join(f"{one.fault} on {one.database} ({one.what})" for one in self.missed)
        lines += ["", f"Missed targets: {missed or 'none'}.", ""]
        return "\n".join(lines)

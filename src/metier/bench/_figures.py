"""Benchmark result: measured value, target, and the cost of the same work with the bare library."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from time import perf_counter
from typing import Final

# Columns of figures that are measured on several models.
COLUMNS: Final = ("scripted", "recorded", "live")


@dataclass(frozen=True, slots=True)
class Figure:
    """Measured value and its target; lower is better unless `more`. A figure without a target is shown for comparison.

    `raw` is the value of the same work with the bare library `raw_name`, in the same run. Figures of the same name
    stand in one row if they have a `column`.
    """

    suite: str
    name: str
    value: float
    target: float | None
    samples: int
    raw: float | None = None
    raw_name: str = ""
    unit: str = "ms"
    more: bool = False
    column: str = ""

    @property
    def ok(self) -> bool:
        """Whether the target is met, or there is none."""
        if self.target is None:
            return True
        return self.value > self.target if self.more else self.value < self.target

    @property
    def ratio(self) -> float | None:
        """Value relative to the bare library."""
        return self.value / self.raw if self.raw else None

    @property
    def row(self) -> tuple[str, ...]:
        """Table row: suite, name, measured, target, verdict, ratio."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2g} × {self.raw_name} ({self.raw:.3g} {self.unit})"
        return self.suite, self.name, f"{self.value:.3g} {self.unit}", self.target_text, self.verdict, ratio

    @property
    def target_text(self) -> str:
        """The target as a person reads it; empty if there is none."""
        return "" if self.target is None else f"{'>' if self.more else '<'} {self.target:g} {self.unit}"

    @property
    def verdict(self) -> str:
        """Tick or cross; empty without a target."""
        return "" if self.target is None else "✓" if self.ok else "✗"

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "ok": self.ok, "ratio": self.ratio}


@dataclass(frozen=True, slots=True)
class BenchRun:
    """Figures of one run and the machine they were measured on."""

    at: str
    machine: dict[str, str]
    figures: tuple[Figure, ...]

    def to_json(self) -> dict[str, object]:
        return {"at": self.at, "machine": self.machine, "figures": [figure.to_json() for figure in self.figures]}


def columns_of(figures: Iterable[Figure]) -> tuple[str, ...]:
    """Columns of a table: those of the suite of models, or the ones that occur; a live model comes last."""
    named = list(dict.fromkeys(figure.column for figure in figures if figure.column))
    return COLUMNS if set(named) <= set(COLUMNS) else (*(one for one in named if one != "live"), "live")


def pivot(figures: Iterable[Figure], columns: Sequence[str]) -> list[tuple[str, ...]]:
    """Rows of figures by name: name, a cell for each column, target. A column that was not run says so."""
    named: dict[str, dict[str, Figure]] = {}
    for figure in figures:
        named.setdefault(figure.name, {})[figure.column] = figure
    ran = {column for row in named.values() for column in row}
    return [
        (name, *(_to_cell(row.get(column), column in ran) for column in columns), _join_targets(row.values()))
        for name, row in named.items()
    ]


def _to_cell(figure: Figure | None, was_run: bool) -> str:
    if figure is None:
        return "–" if was_run else "not run"
    return f"{figure.value:.3g} {figure.unit} {figure.verdict}".strip()


def _join_targets(row: Iterable[Figure]) -> str:
    """Targets of a row, each once; of things that must not happen at all, it is 0 however many there are."""
    texts = ("0" if one.target == 1 and not one.more else one.target_text for one in row if one.target is not None)
    return ", ".join(dict.fromkeys(texts))


def median_ms(work: Callable[[], object], *, times: int) -> float:
    """Median wall time of `work` in milliseconds."""
    taken: list[float] = []
    for _ in range(times):
        started = perf_counter()
        work()
        taken.append((perf_counter() - started) * 1000)
    return median(taken)


def p50_p95(taken: Sequence[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    if len(taken) < 2:
        return (taken[0], taken[0]) if taken else (0.0, 0.0)
    cuts = quantiles(taken, n=20, method="inclusive")
    return cuts[9], cuts[18]

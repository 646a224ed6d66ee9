"""Benchmark result: measured value, target, and the cost of the same work with the bare library."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Figure:
    """Measured value and its target; lower is better unless `more`.

    `raw` is the value of the same work with the bare library `raw_name`, in the same run.
    """

    suite: str
    name: str
    value: float
    target: float
    samples: int
    raw: float | None = None
    raw_name: str = ""
    unit: str = "ms"
    more: bool = False

    @property
    def ok(self) -> bool:
        """Whether the target is met."""
        return self.value > self.target if self.more else self.value < self.target

    @property
    def ratio(self) -> float | None:
        """Value relative to the bare library."""
        return self.value / self.raw if self.raw else None

    @property
    def row(self) -> tuple[str, ...]:
        """Table row: suite, name, measured, target, verdict, ratio."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2g} × {self.raw_name} ({self.raw:.3g} {self.unit})"
        target = f"{'>' if self.more else '<'} {self.target:g} {self.unit}"
        return self.suite, self.name, f"{self.value:.3g} {self.unit}", target, "✓" if self.ok else "✗", ratio

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

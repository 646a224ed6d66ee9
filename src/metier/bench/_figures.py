"""What a benchmark says: a value, what it should be, and what the raw library needs for the same work."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; lower is better. `raw_ms` is the same work done with the bare library, in the same run."""

    suite: str
    name: str
    value_ms: float
    target_ms: float
    samples: int
    raw_ms: float | None = None
    raw_name: str = ""

    @property
    def ok(self) -> bool:
        """Whether the promise holds on this machine."""
        return self.value_ms < self.target_ms

    @property
    def ratio(self) -> float | None:
        """How many times the raw library's cost this is."""
        return self.value_ms / self.raw_ms if self.raw_ms else None

    @property
    def row(self) -> tuple[str, ...]:
        """The figure as a line of a table: suite, name, measured, target, verdict, ratio."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2g} × {self.raw_name} ({self.raw_ms:.3g} ms)"
        verdict = "✓" if self.ok else "✗"
        return self.suite, self.name, f"{self.value_ms:.3g} ms", f"< {self.target_ms:g} ms", verdict, ratio

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "ok": self.ok, "ratio": self.ratio}


@dataclass(frozen=True, slots=True)
class Run:
    """All figures of one run and the machine they were taken on."""

    at: str
    machine: dict[str, str]
    figures: tuple[Figure, ...]

    def to_json(self) -> dict[str, object]:
        return {"at": self.at, "machine": self.machine, "figures": [figure.to_json() for figure in self.figures]}


def median_ms(work: Callable[[], object], *, times: int) -> float:
    """The median wall time of `work` in milliseconds."""
    taken: list[float] = []
    for _ in range(times):
        started = perf_counter()
        work()
        taken.append((perf_counter() - started) * 1000)
    return median(taken)

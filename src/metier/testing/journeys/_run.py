"""Runs journeys and reports in words which step failed and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from metier.json_values import JsonObject
from metier.testing.journeys._checks import check_step
from metier.testing.journeys._host import JourneyHost
from metier.testing.journeys._journey import Journey
from metier.testing.journeys._visit import Visit


@dataclass(frozen=True, slots=True)
class StepFailure:
    """A step of a journey that went wrong: its number from 1, what the person did, and why it failed."""

    step: int
    action: str
    why: tuple[str, ...]

    def to_json(self) -> JsonObject:
        return {"step": self.step, "action": self.action, "why": list(self.why)}


@dataclass(frozen=True, slots=True)
class JourneyResult:
    """Result of one journey."""

    journey: str
    steps: int
    failures: tuple[StepFailure, ...]
    elapsed_ms: float

    @property
    def passed(self) -> bool:
        return not self.failures

    def describe(self) -> str:
        """The result in words, a line for each reason."""
        lines = [f"{'✓' if self.passed else '✗'} {self.journey}"]
        for one in self.failures:
            lines.append(f"    step {one.step}, {one.action}")
            lines += [f"        {why}" for why in one.why]
        return "\n".join(lines)

    def to_json(self) -> JsonObject:
        return {
            "journey": self.journey,
            "passed": self.passed,
            "steps": self.steps,
            "failures": [one.to_json() for one in self.failures],
            "elapsed_ms": round(self.elapsed_ms, 1),
        }


async def run_journey(host: JourneyHost, journey: Journey) -> JourneyResult:
    """Run one journey in a conversation of its own; steps after a failed one still run."""
    started = perf_counter()
    visit = Visit(host)
    failures: list[StepFailure] = []
    for number, step in enumerate(journey.steps, 1):
        record = await visit.do(step)
        why = check_step(journey, step, visit, record)
        if why:
            failures.append(StepFailure(number, step.describe(), why))
    return JourneyResult(journey.id, len(journey.steps), tuple(failures), (perf_counter() - started) * 1000)


async def run_journeys(
    host: JourneyHost, journeys: Sequence[Journey], *, say: Callable[[str], None] | None = None
) -> tuple[JourneyResult, ...]:
    """Run journeys one after the other on one host; `say` gets each result in words."""
    results: list[JourneyResult] = []
    for journey in journeys:
        results.append(await run_journey(host, journey))
        if say is not None:
            say(results[-1].describe())
    return tuple(results)

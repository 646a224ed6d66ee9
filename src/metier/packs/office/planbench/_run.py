"""Runs cases and stories: draft, check, write a copy, reopen it, assert, and run the same plan a second time."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.packs.office._hosts import Selection, WriteRequest, host_for
from metier.packs.office._readings import read_office_file
from metier.packs.office.plan import load_plan
from metier.packs.office.planbench._asserts import BenchOutcome, check_assert
from metier.packs.office.planbench._cases import PlanCase, PlanStory
from metier.packs.office.planbench._documents import write_document
from metier.packs.office.planbench._drafters import Column, DraftedPlan, Drafter, DraftRequest

if TYPE_CHECKING:
    from metier.json_values import JsonValue
    from metier.language import Language
    from metier.packs.office.plan import HostApp

__all__ = ["PlanResult", "ResultState", "run_case", "run_stories", "run_story"]

# right: every assert holds · asked: it asked where it could have written · wrong: written, and an assert fails ·
# failed: no valid plan, or it could not be written
ResultState = Literal["right", "asked", "wrong", "failed"]


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What became of one request."""

    id: str
    host: "HostApp"
    column: Column
    state: ResultState
    valid: bool = False
    repairs: int = 0
    draft_ms: float = 0.0
    write_ms: float = 0.0
    tokens: int = 0
    written: bool = False
    checked: int = 0
    misses: tuple[str, ...] = ()
    question: str = ""
    ops: tuple[str, ...] = field(default=())

    def to_json(self) -> JsonObject:
        return {**asdict(self), "misses": list(self.misses), "ops": list(self.ops)}


@dataclass(frozen=True, slots=True)
class _BenchJob:
    """One request on one document."""

    id: str
    text: str
    host: "HostApp"
    language: "Language"
    asserts: "tuple[tuple[str, JsonValue], ...]"
    document: Path
    selection: Selection | None = None


def run_case(case: PlanCase, column: Column, draft: Drafter) -> PlanResult:
    """Run one case on a document of its own."""
    with tempfile.TemporaryDirectory(prefix="metier-plan-bench-") as folder:
        path, selection = write_document(case.host, Path(folder), paragraphs=case.document, selected=case.selected)
        job = _BenchJob(case.id, case.request, case.host, case.language, case.asserts, path, selection)
        return _run_job(job, column, draft, Path(folder) / f"after{path.suffix}")


def run_stories(stories: Iterable[PlanStory], draft: Drafter, column: Column = "builtin") -> Iterator[PlanResult]:
    """Results of all turns of stories."""
    for story in stories:
        yield from run_story(story, draft, column)


def run_story(story: PlanStory, draft: Drafter, column: Column = "builtin") -> Iterator[PlanResult]:
    """Results of the turns of one story; each works on what the one before it wrote."""
    with tempfile.TemporaryDirectory(prefix="metier-plan-bench-") as folder:
        path, selection = write_document(story.host, Path(folder), paragraphs=story.document)
        for number, turn in enumerate(story.turns, 1):
            target = Path(folder) / f"after{number}{path.suffix}"
            job = _BenchJob(
                f"{story.id}.{number}", turn.request, story.host, story.language, turn.asserts, path, selection
            )
            yield _run_job(job, column, draft if turn.plan is None else _give(turn.plan), target)
            path = target if target.exists() else path


def _give(plan: JsonObject) -> Drafter:
    return lambda _: DraftedPlan(plan)


def _run_job(job: _BenchJob, column: Column, draft: Drafter, target: Path) -> PlanResult:
    request = DraftRequest(job.id, job.text, job.host, job.language, read_office_file(job.document), job.selection)
    started = perf_counter()
    drafted = draft(request)
    draft_ms = (perf_counter() - started) * 1000
    if drafted.plan is None:
        return _judge_question(job, column, drafted, draft_ms)
    loaded = load_plan(drafted.plan, host=job.host)
    repairs = drafted.repairs + (1 if loaded.repairs else 0)
    if loaded.plan is None:
        misses = tuple(one.text("en") for one in loaded.problems)
        if any(name == "refused" for name, _ in job.asserts):
            return PlanResult(job.id, job.host, column, "right", False, repairs, draft_ms, checked=1)
        return PlanResult(
            job.id, job.host, column, "failed", False, repairs, draft_ms, 0, drafted.tokens, misses=misses
        )
    ops = tuple(action.op for action in loaded.plan.walk())
    host = host_for(job.host)
    started = perf_counter()
    try:
        execution = host.execute(loaded.plan, job.document, target, request=WriteRequest(selection=job.selection))
    except MetierError as error:
        misses = (f"{error.code}: {error}",)
        return PlanResult(
            job.id, job.host, column, "failed", True, repairs, draft_ms, 0, drafted.tokens, misses=misses, ops=ops
        )
    write_ms = (perf_counter() - started) * 1000
    again = target.with_stem(f"{target.stem}-again")
    second = host.execute(loaded.plan, target, again, request=WriteRequest(selection=job.selection))
    outcome = BenchOutcome(
        job.document, target, repairs=repairs, second_run_unchanged=second.unchanged, asserts=job.asserts
    )
    misses = tuple(_find_misses(outcome, job))
    misses += tuple(f"skipped {one.op}: {one.reason.en}" for one in execution.skipped if one.code != "already_there")
    state: ResultState = "wrong" if misses else "right"
    return PlanResult(
        job.id, job.host, column, state, True, repairs, draft_ms, write_ms, drafted.tokens, not execution.unchanged,
        len(job.asserts), misses, "", ops,
    )  # fmt: skip


def _judge_question(job: _BenchJob, column: Column, drafted: DraftedPlan, draft_ms: float) -> PlanResult:
    must_ask = any(name == "asked" for name, _ in job.asserts)
    if drafted.question:
        state: ResultState = "right" if must_ask else "asked"
    else:
        state = "failed"
    return PlanResult(
        job.id, job.host, column, state, False, drafted.repairs, draft_ms, 0, drafted.tokens,
        checked=len(job.asserts), misses=(drafted.error,) if drafted.error else (), question=drafted.question,
    )  # fmt: skip


def _find_misses(outcome: BenchOutcome, job: _BenchJob) -> Iterator[str]:
    for kind, wanted in job.asserts:
        if problem := check_assert(outcome, kind, wanted):
            yield f"{kind}: {problem}"

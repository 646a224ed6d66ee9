"""Figures of the suite `models`, one column for each source of replies."""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Final

from metier.agent import CapabilityStore, KeptReplies, ModelConfig, TokenScale
from metier.bench._figures import Figure
from metier.bench.models._answers import (
    Answers,
    Column,
    LiveAnswers,
    RecordedAnswers,
    Say,
    ScriptedAnswers,
    say_nothing,
)
from metier.bench.models._conversations import CASES, HeldConversation, hold_conversation
from metier.bench.models._data import read_choices
from metier.bench.models._incomplete import CutCalls, run_cut_calls
from metier.bench.models._recordings import Mode
from metier.bench.models._stages import (
    StageOutcome,
    ask_forbidden,
    choose_skills,
    fill_arguments,
    route_messages,
)
from metier.errors import UsageError
from metier.routing import Verdict
from metier.settings import load_settings

SUITE: Final = "models"
MODES: Final[tuple[Mode, ...]] = ("schema", "native", "text")
_CALL_MODES: Final[tuple[Mode, ...]] = ("schema", "native")
# 19 of 22 in the first trial with this model; the same share of the messages here.
_MIN_RIGHT: Final = 19 / 22
_MAX_TOKENS_OFF: Final = 3.0
STALE: Final = "recorded answers to another prompt than today's"
# Verdicts of the router for which the model is asked; None if it is always asked.
_ARRANGEMENTS: Final[tuple[tuple[str, tuple[Verdict, ...] | None], ...]] = (
    ("model alone", None),
    ("router, else the model", ("suggest", "none")),
    ("router, the model where it suggests", ("suggest",)),
)


@dataclass(slots=True)
class ColumnResults:
    """All that one column answered."""

    column: Column
    choices: dict[Mode, tuple[StageOutcome, ...]] = field(default_factory=dict)
    arguments: dict[Mode, tuple[StageOutcome, ...]] = field(default_factory=dict)
    refusals: dict[Mode, tuple[StageOutcome, ...]] = field(default_factory=dict)
    conversations: tuple[HeldConversation, ...] = ()
    cut: CutCalls = field(default_factory=CutCalls)


def measure_models(
    *, live: Path | None = None, minutes: float | None = None, say: Say = say_nothing
) -> Iterator[Figure]:
    """Measure the scripted model and the recorded one; with a folder `live` for its replies also the configured one.

    Of the live model, what was not asked within `minutes` is left for the next run.
    """
    for results in collect_columns(live, minutes, say):
        yield from to_figures(results)


def collect_columns(
    live: Path | None = None, minutes: float | None = None, say: Say = say_nothing
) -> tuple[ColumnResults, ...]:
    """Results of every column, that of a live model if it has a folder; collected once in a process."""
    return _collect_columns(live, minutes, say)


@cache
def _collect_columns(live: Path | None, minutes: float | None, say: Say) -> tuple[ColumnResults, ...]:
    answers: list[Answers] = [ScriptedAnswers(), RecordedAnswers()]
    if live is not None:
        answers.append(open_live(live, minutes, say))
    return tuple(asyncio.run(collect(one)) for one in answers)


def open_live(folder: Path, minutes: float | None, say: Say) -> LiveAnswers:
    """The configured model; what it answers is kept in the folder."""
    settings = load_settings({})
    if settings.model == "builtin" or not settings.base_url:
        raise UsageError(
            "a live run needs a model with an address",
            hint="set METIER_MODEL and METIER_BASE_URL; `make live-model` serves a small model and prints both",
        )
    config = ModelConfig(
        settings.model,
        base_url=settings.base_url,
        api_key=settings.api_key.get_secret_value(),
        timeout_s=settings.model_timeout_s,
        options={"temperature": 0},
    )
    until = None if minutes is None else monotonic() + minutes * 60
    return LiveAnswers(config, KeptReplies(folder / "replies.jsonl"), CapabilityStore(folder), until, say)


async def collect(answers: Answers) -> ColumnResults:
    """Ask everything of one source."""
    results = ColumnResults(answers.column)
    for mode in MODES:
        results.choices[mode] = tuple(choose_skills(answers, mode))
    for mode in _CALL_MODES:
        results.arguments[mode] = tuple(fill_arguments(answers, mode))
        results.refusals[mode] = tuple(await ask_forbidden(answers, mode))
    held = [(case, answers.model_for("conversations", case, "schema")) for case in CASES]
    results.conversations = tuple([await hold_conversation(case, stage) for case, stage in held if stage is not None])
    results.cut = await run_cut_calls(answers)
    return results


def to_figures(results: ColumnResults) -> Iterator[Figure]:
    """Figures of one column."""
    if results.column == "recorded":
        stale = list_stale(results)
        yield _make(results, STALE, len(stale), _count(results), target=1)
    yield from _choice_figures(results)
    yield from _call_figures(results)
    yield from _report_figures(results)
    yield from _token_figures(results)


def list_stale(results: ColumnResults) -> list[str]:
    """Recordings whose answers were given to other prompts than those of today: kind, mode and question of each."""
    stages = (("choice", results.choices), ("arguments", results.arguments), ("refusals", results.refusals))
    found = [
        f"{kind} {mode} {one.id}"
        for kind, stage in stages
        for mode, outcomes in stage.items()
        for one in outcomes
        if not one.is_same_prompt
    ]
    return found + [f"conversations schema {one.case}" for one in results.conversations if not one.is_same_prompt]


def keep_current(results: ColumnResults) -> ColumnResults:
    """The same without recordings that answer another prompt than today's."""

    def keep(stage: dict[Mode, tuple[StageOutcome, ...]]) -> dict[Mode, tuple[StageOutcome, ...]]:
        return {mode: tuple(one for one in outcomes if one.is_same_prompt) for mode, outcomes in stage.items()}

    return replace(
        results,
        choices=keep(results.choices),
        arguments=keep(results.arguments),
        refusals=keep(results.refusals),
        conversations=tuple(one for one in results.conversations if one.is_same_prompt),
    )


def _count(results: ColumnResults) -> int:
    stages = (results.choices, results.arguments, results.refusals)
    return sum(len(one) for stage in stages for one in stage.values()) + len(results.conversations)


def combine_with_router(outcomes: Sequence[StageOutcome], asked: Collection[Verdict]) -> int:
    """Right choices when the model is asked only where the verdict of the router is in `asked`."""
    chosen = {one.id: one.skill for one in outcomes}
    routed = route_messages()
    return sum(
        (chosen[case.id] if routed[case.id].verdict in asked else routed[case.id].skill) == case.skill
        for case in read_choices()
        if case.id in chosen
    )


def count_router_right(outcomes: Sequence[StageOutcome]) -> int:
    """How many of the same messages the router alone gives to the right skill, or rightly to none."""
    asked = {one.id for one in outcomes}
    return sum(route_messages()[one.id].skill == one.skill for one in read_choices() if one.id in asked)


def _choice_figures(results: ColumnResults) -> Iterator[Figure]:
    for mode, outcomes in results.choices.items():
        if not outcomes:
            continue
        total, right = len(outcomes), sum(one.is_right for one in outcomes)
        target = total * _MIN_RIGHT if mode == "schema" else None
        yield _make(results, f"skill chosen, {mode}", right, total, target=target)
        if mode != "schema":
            asked = {one.id for one in outcomes}
            same = [one for one in results.choices.get("schema", ()) if one.id in asked]
            name = f"the same messages as in {mode}, under a schema"
            yield _make(results, name, sum(one.is_right for one in same), len(same))
        meant = {case.id for case in read_choices() if case.skill}
        found = [one for one in outcomes if one.id in meant]
        yield _make(results, f"skill chosen where one is meant, {mode}", sum(one.is_right for one in found), len(found))
        none = {case.id for case in read_choices() if not case.skill}
        kept = [one for one in outcomes if one.id in none]
        yield _make(results, f"no skill where none is meant, {mode}", sum(one.is_right for one in kept), len(kept))
        foreign = sum(one.is_foreign for one in outcomes)
        yield _make(results, f"invented skills, {mode}", foreign, total, target=1 if mode == "schema" else None)
    yield from _router_figures(results)


def _router_figures(results: ColumnResults) -> Iterator[Figure]:
    """The router alone, and with the model: asked wherever the router takes no skill, or only where it suggests one."""
    schema = results.choices.get("schema", ())
    if not schema:
        return
    total, router = len(schema), count_router_right(schema)
    yield _make(results, "skill chosen, router alone", router, total)
    best = max(router, sum(one.is_right for one in schema))
    # A model that is never wrong cannot be bettered by the router.
    target = None if best == total else float(best)
    everywhere = combine_with_router(schema, ["suggest", "none"])
    yield _make(results, "skill chosen, router, else the model", everywhere, total, target=target)
    suggested = combine_with_router(schema, ["suggest"])
    yield _make(results, "skill chosen, router, the model where it suggests", suggested, total, target=target)
    yield from _cost_figures(results.column, schema)


def _cost_figures(column: Column, outcomes: Sequence[StageOutcome]) -> Iterator[Figure]:
    """What the choice costs a message in each arrangement: share of messages the model is asked, tokens, time."""
    routed = route_messages()
    router_ms = median(one.elapsed_ms for one in routed.values())
    yield Figure(SUITE, "processor time of a choice, router alone, median", router_ms, None, len(routed), column=column)
    for name, asked in _ARRANGEMENTS:
        used = [one for one in outcomes if asked is None or routed[one.id].verdict in asked]
        yield Figure(
            SUITE, f"model asked, {name}", len(used), None, len(outcomes), unit=f"of {len(outcomes)}", column=column
        )
        tokens = sum((one.endpoint_tokens or one.counted_tokens) + one.output_tokens for one in used)
        mean = tokens / len(outcomes)
        yield Figure(SUITE, f"tokens of a choice, {name}, mean", mean, None, len(outcomes), unit="", column=column)
        if column == "live":
            spent = sum(one.elapsed_ms for one in used) / len(outcomes)
            yield Figure(SUITE, f"time of a choice, {name}, mean", spent, None, len(outcomes), column=column)


def _call_figures(results: ColumnResults) -> Iterator[Figure]:
    for mode, outcomes in results.arguments.items():
        if outcomes:
            right = sum(one.is_right for one in outcomes)
            yield _make(results, f"arguments right, {mode}", right, len(outcomes))
    for mode, outcomes in results.refusals.items():
        if outcomes:
            foreign = sum(one.is_foreign for one in outcomes)
            target = 1 if mode == "schema" else None
            yield _make(results, f"forbidden calls uttered, {mode}", foreign, len(outcomes), target=target)
            kept = sum(one.is_right for one in outcomes)
            yield _make(results, f"no call made where the tool is forbidden, {mode}", kept, len(outcomes))
    if results.cut.turns:
        yield _make(results, "incomplete calls executed", results.cut.executed, results.cut.turns, target=1)


def _report_figures(results: ColumnResults) -> Iterator[Figure]:
    held = results.conversations
    if held:
        unknown = sum(len(one.unknown) for one in held)
        name, unit = "numbers in reports that are in no result", f"in {len(held)} reports"
        yield Figure(SUITE, name, unknown, 1, len(held), unit=unit, column=results.column)
        invented = sum(len(one.invented) for one in held)
        name = "the same in what the model wrote, shown or not"
        yield Figure(SUITE, name, invented, None, len(held), unit=unit, column=results.column)
        refused = sum(bool(one.refused) for one in held)
        yield _make(results, "reports replaced for their numbers", refused, len(held))
        failed = sum(len(one.score.failed) for one in held)
        checks = sum(one.score.checks for one in held)
        yield _make(results, "telecom conversations, checks failed", failed, checks, target=1)


def _token_figures(results: ColumnResults) -> Iterator[Figure]:
    """Tokens of prompts against what the endpoint counted: by our encoding alone, and scaled by what it reported."""
    scale, plain, scaled = TokenScale(), [], []
    for stage, counted, sent in _iter_token_counts(results):
        plain.append((counted, sent))
        if scale.knows((SUITE, stage)):
            scaled.append((scale.scale((SUITE, stage), counted), sent))
        scale.learn((SUITE, stage), counted, sent)
    for name, pairs in (
        ("tokens counted against the endpoint's", plain),
        ("tokens counted once the endpoint has reported usage of the stage", scaled),
    ):
        if pairs:
            target = _MAX_TOKENS_OFF
            together = _difference(sum(one for one, _ in pairs), sum(sent for _, sent in pairs))
            worst = max(_difference(*pair) for pair in pairs)
            yield Figure(SUITE, f"{name}, all together", together, target, len(pairs), unit="%", column=results.column)
            yield Figure(SUITE, f"{name}, worst prompt", worst, target, len(pairs), unit="%", column=results.column)


def _difference(counted: int, sent: int) -> float:
    return abs(counted / sent - 1) * 100


def _iter_token_counts(results: ColumnResults) -> Iterator[tuple[str, int, int]]:
    """Stage of each prompt with its tokens: counted here, and by the endpoint for the very same prompt."""
    for kind in ("choices", "arguments", "refusals"):
        stages: dict[Mode, tuple[StageOutcome, ...]] = getattr(results, kind)
        for mode, outcomes in stages.items():
            for one in outcomes:
                if one.endpoint_tokens and (one.is_same_prompt or results.column == "live"):
                    yield f"{kind} {mode}", one.counted_tokens, one.endpoint_tokens
    for held in results.conversations:
        if not held.is_same_prompt and results.column != "live":
            continue
        for counted, sent in zip(held.counted_tokens, held.endpoint_tokens, strict=False):
            yield "report", counted, sent


def _make(results: ColumnResults, name: str, value: int, total: int, *, target: float | None = None) -> Figure:
    more = target is not None and target > 1
    return Figure(SUITE, name, value, target, total, unit=f"of {total}", more=more, column=results.column)

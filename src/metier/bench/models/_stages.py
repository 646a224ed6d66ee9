"""Asks the questions of the suite: choose a skill, fill in a call, a call that is not allowed."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import process_time
from typing import Final

from metier.agent import RecordedReply, StageModel, StageReply, count_uttered_calls, make_shortlist, replay_model
from metier.bench.models._answers import NO_SKILL, USE_SKILL, Answers, has_arguments
from metier.bench.models._data import (
    ArgumentCase,
    ChoiceCase,
    RefusalCase,
    read_arguments,
    read_catalog,
    read_choices,
    read_refusals,
    read_tools,
)
from metier.bench.models._recordings import Mode
from metier.context import Brief, BuiltPrompt, ContextBuilder, ContextMessage, PromptOptions, ToolOffer
from metier.routing import Decision, Verdict, open_router
from metier.settings import load_settings

_ATTEMPTS: Final = 3
_OFFERED: Final = ("list_cells", "plan_simulation")


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """What came of one question: tokens as counted here and by the endpoint, and whether today's prompt was recorded.

    `skill` is the choice, empty for none. `is_foreign` means that a name was uttered that was not on offer.
    `elapsed_ms` says something of a live model only.
    """

    id: str
    is_right: bool
    skill: str = ""
    is_foreign: bool = False
    counted_tokens: int = 0
    endpoint_tokens: int | None = None
    is_same_prompt: bool = False
    output_tokens: int = 0
    elapsed_ms: float = 0.0


def choose_skills(answers: Answers, mode: Mode) -> Iterator[StageOutcome]:
    """Let the model choose for every message, among those skills that a turn would offer for it."""
    for case in sorted(read_choices(), key=lambda one: one.lang):
        model = answers.model_for("choice", case.id, mode)
        if model is not None:
            built = build_choice_prompt(case, model)
            yield _judge_choice(case, built, model.ask(built), model)


def fill_arguments(answers: Answers, mode: Mode) -> Iterator[StageOutcome]:
    """Let the model fill in the arguments of the one tool that is offered."""
    for case in sorted(read_arguments(), key=lambda one: (one.lang, one.tool)):
        model = answers.model_for("arguments", case.id, mode)
        if model is not None:
            built = build_fill_prompt(case, model)
            reply = model.ask(built)
            right = any(name == case.tool and has_arguments(case, given) for name, given in reply.calls)
            foreign = any(name != case.tool for name, _ in reply.calls)
            yield _make_outcome(case.id, right, built, reply, model, is_foreign=foreign)


async def ask_forbidden(answers: Answers, mode: Mode) -> list[StageOutcome]:
    """Ask for tools that are not on offer: right is a reply without any call."""
    outcomes = []
    for case in sorted(read_refusals(), key=lambda one: one.lang):
        model = answers.model_for("refusals", case.id, mode)
        if model is not None:
            built = build_refusal_prompt(case, model)
            reply = model.ask(built)
            foreign = await _has_uttered_forbidden(reply, mode, case.text)
            outcomes.append(_make_outcome(case.id, not reply.calls, built, reply, model, is_foreign=foreign))
    return outcomes


async def _has_uttered_forbidden(reply: StageReply, mode: Mode, question: str) -> bool:
    """Whether a raw reply names a tool that was not on offer, as a native call or in its text.

    In native mode such a text is shown to nobody; here it counts all the same.
    """
    tools = [read_tools()[name] for name in _OFFERED]
    for raw in reply.raw:
        written = [raw, *(RecordedReply(f'{{"name": "{name}", "arguments": {{}}}}') for name, _ in raw.calls)]
        for one in written:
            reader = replay_model("schema" if mode == "schema" else "text", [replace(one, calls=())] * _ATTEMPTS)
            if (await count_uttered_calls(reader.model, tools, [question])).forbidden:
                return True
    return False


def build_choice_prompt(case: ChoiceCase, model: StageModel) -> BuiltPrompt:
    shortlist = make_shortlist(read_catalog(), route_messages()[case.id].candidates)
    options = PromptOptions(tool_format=model.tool_format(case.lang))
    return ContextBuilder(language=case.lang, template=model.template).build_choose_prompt(
        [ContextMessage("user", case.text)], shortlist, options
    )


def build_fill_prompt(case: ArgumentCase, model: StageModel) -> BuiltPrompt:
    options = _offer((case.tool,), case, model)
    return ContextBuilder(language=case.lang, template=model.template).build_brief_prompt(
        "fill", Brief(case.text), None, options
    )


def build_refusal_prompt(case: RefusalCase, model: StageModel) -> BuiltPrompt:
    history = [ContextMessage("user", case.text)]
    return ContextBuilder(language=case.lang, template=model.template).build_converse_prompt(
        history, _offer(_OFFERED, case, model)
    )


def _offer(names: tuple[str, ...], case: ArgumentCase | RefusalCase, model: StageModel) -> PromptOptions:
    offers = tuple(ToolOffer(read_tools()[name], required=True) for name in names)
    return PromptOptions(tools=offers, tool_format=model.tool_format(case.lang))


@dataclass(frozen=True, slots=True)
class Routed:
    """What the router says of a message: its verdict, the skill if it is sure of one, and the best candidates."""

    verdict: Verdict
    skill: str
    candidates: tuple[tuple[str, float], ...] = ()
    elapsed_ms: float = 0.0


@cache
def route_messages() -> dict[str, Routed]:
    """What the router says of every message; no model is asked."""
    with tempfile.TemporaryDirectory() as folder:
        # Processor time: a router waits for nothing, and other work on the machine should not count.
        router = replace(open_router(load_settings({"storage_dir": Path(folder)})), clock=process_time)
        router.prepare(read_catalog())
        found = {case.id: router.route(case.text, catalog=read_catalog()) for case in read_choices()}
        router.close()
    return {name: _to_routed(one) for name, one in found.items()}


def _to_routed(decision: Decision) -> Routed:
    skill = decision.skill or "" if decision.verdict == "auto" else ""
    return Routed(
        decision.verdict, skill, tuple((one.skill, one.score) for one in decision.candidates), decision.elapsed_ms
    )


def _judge_choice(case: ChoiceCase, built: BuiltPrompt, reply: StageReply, model: StageModel) -> StageOutcome:
    skill, foreign = "", False
    for name, arguments in reply.calls[:1]:
        named = str(arguments.get("skill", "")) if name == USE_SKILL else name  # an id called as a tool is a choice
        choice = built.menu.read_choice(named or NO_SKILL) if built.menu else None
        skill, foreign = (choice.skill or "", not choice.known) if choice else ("", True)
    return _make_outcome(case.id, skill == case.skill, built, reply, model, skill=skill, is_foreign=foreign)


def _make_outcome(
    name: str,
    is_right: bool,
    built: BuiltPrompt,
    reply: StageReply,
    model: StageModel,
    *,
    skill: str = "",
    is_foreign: bool = False,
) -> StageOutcome:
    tape = model.recorded
    same = 0 < len(tape.replies_given) == tape.same_prompts
    sent = reply.raw[0].input_tokens if reply.raw else None  # of the first attempt: repairs add up in the reply's own
    written = sum(raw.output_tokens or 0 for raw in reply.raw)
    elapsed_ms = sum(raw.elapsed_ms or 0.0 for raw in reply.raw)
    return StageOutcome(name, is_right, skill, is_foreign, built.tokens, sent, same, written, elapsed_ms)

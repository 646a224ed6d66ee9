"""Records what a model answers to the questions of the suite: one row for each question and mode."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from metier.agent import ModelConfig, StageModel, record_model
from metier.bench.models._answers import RecordedAnswers
from metier.bench.models._conversations import CASES, hold_conversation
from metier.bench.models._data import (
    ArgumentCase,
    ChoiceCase,
    RefusalCase,
    read_arguments,
    read_choices,
    read_refusals,
)
from metier.bench.models._recordings import MAX_TOKENS, Kind, Mode, Recording, is_asked
from metier.bench.models._stages import (
    ask_forbidden,
    build_choice_prompt,
    build_fill_prompt,
    build_refusal_prompt,
    choose_skills,
    fill_arguments,
)
from metier.context import BuiltPrompt

Case = ChoiceCase | ArgumentCase | RefusalCase


async def record(
    kind: Kind, mode: Mode, config: ModelConfig, day: date, *, skip: frozenset[str] = frozenset()
) -> AsyncIterator[Recording]:
    """Ask all questions of a kind that are not in `skip`, messages of one language together."""
    stage = record_model(mode, replace(config, options={**config.options, "max_tokens": MAX_TOKENS[kind]}))
    if kind == "conversations":
        for case in CASES:
            if case not in skip:
                held = await hold_conversation(case, stage)
                replies = stage.recorder.take()
                lang = case.partition("-")[0]
                yield Recording(
                    case, kind, mode, lang, "", "", replies, held.counted_tokens, config.name, day.isoformat()
                )
        return
    for one in _list_cases(kind, mode):
        if one.id not in skip:
            built = _build(one, stage)
            replies = stage.ask(built).raw
            counted = (built.tokens,)
            yield Recording(
                one.id, kind, mode, one.lang, one.text, _label(one), replies, counted, config.name, day.isoformat()
            )


async def list_current(kind: Kind, mode: Mode) -> frozenset[str]:
    """Questions whose recorded answer was given to the very prompt that is sent today."""
    answers = RecordedAnswers()
    if kind == "conversations":
        found = set()
        for case in CASES:
            stage = answers.model_for(kind, case, mode)
            if stage is not None and (await hold_conversation(case, stage)).is_same_prompt:
                found.add(case)
        return frozenset(found)
    if kind == "refusals":
        outcomes = await ask_forbidden(answers, mode)
    else:
        outcomes = list(choose_skills(answers, mode) if kind == "choice" else fill_arguments(answers, mode))
    return frozenset(one.id for one in outcomes if one.is_same_prompt)


def _list_cases(kind: Kind, mode: Mode) -> list[Case]:
    listed: Mapping[Kind, Sequence[Case]] = {"choice": read_choices(), "arguments": read_arguments()}
    cases = sorted(listed.get(kind, read_refusals()), key=lambda one: (one.lang, getattr(one, "tool", "")))
    return [one for one in cases if is_asked(kind, one.id, mode)]


def _build(case: Case, stage: StageModel) -> BuiltPrompt:
    if isinstance(case, ChoiceCase):
        return build_choice_prompt(case, stage)
    return build_fill_prompt(case, stage) if isinstance(case, ArgumentCase) else build_refusal_prompt(case, stage)


def _label(case: Case) -> str:
    """What is right: the skill, the tool, or the tool that must not be called."""
    if isinstance(case, ChoiceCase):
        return case.skill
    return case.tool if isinstance(case, ArgumentCase) else f"not {case.forbidden}"

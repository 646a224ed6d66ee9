"""The same telecom conversations on several models: checks, model calls, tokens, and numbers that are in no result."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from metier.agent import Runtime, StageModel, find_unknown_numbers
from metier.bench._pack import CaseScore, read_cases, run_case
from metier.json_values import JsonObject, JsonValue
from metier.pack import select_packs
from metier.settings import load_settings
from metier.store import Event

CASES: Final = ("zh-chaoyang-weak", "zh-chaoyang-no", "en-pudong-no")
PACK: Final = "telecom"
_RESULTS: Final = frozenset({"tool.result", "table", "chart"})
_WALL_S: Final = 3000.0


@dataclass(frozen=True, slots=True)
class HeldConversation:
    """What a conversation came to on one model.

    `answer` is what the user reads last, `unknown` the numbers in it that stand in no result and no question, and
    `invented` those in what the model wrote, shown or not. `refused` are numbers for which a report was not shown.
    `is_same_prompt` tells of a recording that all its answers were given to the prompts that are sent today.
    """

    case: str
    score: CaseScore
    answer: str
    unknown: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    model_calls: int = 0
    counted_tokens: tuple[int, ...] = ()
    endpoint_tokens: tuple[int, ...] = ()
    is_same_prompt: bool = False


async def hold_conversation(case: str, stage: StageModel | None) -> HeldConversation:
    """Run a case of the telecom pack on a model; without one on the built-in model."""
    events: list[Event] = []
    if stage is not None:
        stage.recorder.take()
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(
            {
                "model": "builtin",
                "storage_dir": Path(folder),
                "database_url": f"sqlite:///{folder}/bench.sqlite3",
                "turn_max_s": _WALL_S,
            }
        )
        packs = select_packs(settings, [PACK]).found
        found = next(one for one in read_cases(packs[-1]) if one.id == case)
        given: dict[str, Any] = {} if stage is None else {"model": stage.model}
        async with Runtime.open(settings, packs=packs, observers=[events.append], **given) as runtime:
            score = await run_case(runtime, found)
    written = (
        [one.text for one in (*stage.recorded.replies_given, *stage.recorder.replies)] if stage is not None else []
    )
    said = [str(turn.get("say", "")) for turn in found.turns]
    held = _describe(case, score, events, said, "\n".join(written))
    tape = stage.recorded if stage is not None else None
    same = tape is not None and 0 < len(tape.replies_given) == tape.same_prompts
    return replace(held, is_same_prompt=same)


def _describe(
    case: str, score: CaseScore, events: Sequence[Event], said: Sequence[str], written: str
) -> HeldConversation:
    texts = [str(one.data.get("text", "")) for one in events if one.kind == "text.done"]
    answer = texts[-1] if texts else ""
    sources: list[JsonValue] = [*said, *(one.data for one in events if one.kind in _RESULTS)]
    used = [one.data for one in events if one.kind == "usage"]
    built = [one.data.get("tokens") for one in events if one.kind == "context.built"]
    return HeldConversation(
        case,
        score,
        answer,
        unknown=find_unknown_numbers(answer, sources),
        invented=find_unknown_numbers(written, sources),
        refused=tuple(_iter_refused(events)),
        model_calls=len(used),
        counted_tokens=tuple(one for one in built if isinstance(one, int)),
        endpoint_tokens=tuple(_iter_endpoint_tokens(used)),
    )


def _iter_refused(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        numbers = event.data.get("numbers") if event.kind == "error" else None
        if event.data.get("code") == "numbers_unknown" and isinstance(numbers, list | tuple):
            yield from map(str, numbers)


def _iter_endpoint_tokens(used: Sequence[JsonObject]) -> Iterator[int]:
    for one in used:
        tokens = one.get("input_tokens")
        if isinstance(tokens, int) and not one.get("estimated"):
            yield tokens

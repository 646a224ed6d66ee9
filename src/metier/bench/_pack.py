"""Pack benchmark: scripted conversations with expectations, run on any model and scored check by check.

A pack's `bench` folder holds JSON files: `{"values": "package:function", "cases": […]}`. A case lists user actions
(`say`, `answer`) and expectations (`expect`); the function in `values` computes expected numbers from the pack's data.
"""

import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final, cast

from metier.bench._pack_checks import EXPECTATIONS, Transcript, Values, check
from metier.errors import InvalidPack
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.pack import Pack
from metier.settings import Settings

if TYPE_CHECKING:
    from metier.agent import Runtime
    from metier.store import Event

_CASE_KEYS: Final = frozenset({"id", "title", "turns", "expect"})
_USER: Final = "bench"


@dataclass(frozen=True, slots=True)
class BenchCase:
    """Scripted conversation: user actions and expectations."""

    id: str
    turns: tuple[JsonObject, ...]
    expect: JsonObject
    values: str = ""


@dataclass(frozen=True, slots=True)
class CaseScore:
    """Result of a case; `failed` describes each failed check."""

    case: str
    checks: int
    failed: tuple[str, ...]
    elapsed_ms: float

    @property
    def passed(self) -> bool:
        return not self.failed

    def to_json(self) -> JsonObject:
        return {
            "case": self.case,
            "passed": self.passed,
            "checks": self.checks,
            "failed": list(self.failed),
            "elapsed_ms": round(self.elapsed_ms, 1),
        }


@dataclass(frozen=True, slots=True)
class PackScore:
    """Results of all cases of a pack on one model."""

    pack: str
    model: str
    cases: tuple[CaseScore, ...]

    @property
    def passed(self) -> int:
        return sum(one.passed for one in self.cases)

    @property
    def checks(self) -> float:
        """Share of checks that hold, over all cases."""
        made = sum(one.checks for one in self.cases)
        return 1 - sum(len(one.failed) for one in self.cases) / made if made else 1.0

    def to_json(self) -> JsonObject:
        return {
            "pack": self.pack,
            "model": self.model,
            "passed": self.passed,
            "cases": [one.to_json() for one in self.cases],
            "total": len(self.cases),
            "checks": round(self.checks, 4),
        }


def read_cases(pack: Pack) -> tuple[BenchCase, ...]:
    """Read every case of the pack's bench folder in order; raises `InvalidPack` with the place of an error."""
    files = sorted(pack.bench.glob("*.json")) if pack.bench is not None else []
    cases = [case for file in files for case in _read_file(file)]
    if not cases:
        raise InvalidPack(f"pack {pack.id!r} has no bench cases", hint="put JSON files into its bench folder")
    twice = next((one.id for one in cases if sum(one.id == other.id for other in cases) > 1), None)
    if twice is not None:
        raise InvalidPack(f"two cases are called {twice!r}", hint="rename one of them")
    return tuple(cases)


async def run_cases(
    packs: Sequence[Pack], settings: Settings, *, only: Sequence[str] = (), say: Callable[[str], None] = lambda _: None
) -> PackScore:
    """Run the cases of the last pack with all packs loaded, each in its own conversation in a temporary store."""
    from metier.agent import Runtime

    pack = packs[-1]
    cases = [one for one in read_cases(pack) if not only or one.id in only]
    scores: list[CaseScore] = []
    with tempfile.TemporaryDirectory() as temporary:
        apart = settings.model_copy(
            update={
                "storage_dir": Path(temporary),
                "database_url": f"sqlite:///{temporary}/bench.sqlite3",
                "skills_dir": (Path(temporary, "skills"), *settings.skills_dir),  # where a case may install one
                "skill_lock": Path(temporary, "skills.lock"),
            }
        )
        async with Runtime.open(apart, packs=packs) as runtime:
            for case in cases:
                score = await run_case(runtime, case)
                scores.append(score)
                say(f"{'✓' if score.passed else '✗'} {case.id}" + "".join(f"\n    {one}" for one in score.failed))
    return PackScore(pack.id, settings.model, tuple(scores))


async def run_case(runtime: "Runtime", case: BenchCase) -> CaseScore:
    started = perf_counter()
    heard = Transcript()
    for turn in case.turns:
        events = _start_turn(runtime, heard, turn)
        if events is None:
            return CaseScore(case.id, 1, ("no question was open to be answered",), (perf_counter() - started) * 1000)
        async for event in events:
            heard = heard.add(event)
    values = _load_values(case.values)
    made = [check(name, wanted, heard, values) for name, wanted in case.expect.items()]
    failed = tuple(line for lines in made for line in lines)
    return CaseScore(case.id, len(made), failed, (perf_counter() - started) * 1000)


def _start_turn(runtime: "Runtime", heard: Transcript, turn: JsonObject) -> "AsyncIterator[Event] | None":
    from metier.agent import TurnRequest

    if "say" in turn:
        conversation = heard.conversation or None
        return runtime.turn(TurnRequest(str(turn["say"]), conversation=conversation, user=_USER))
    return None if heard.pause is None else runtime.answer(str(heard.pause["pause"]), turn["answer"], user=_USER)


def _load_values(reference: str) -> Values | None:
    module, _, name = reference.partition(":")
    if not name:
        return None
    try:
        return cast("Values", getattr(import_module(module), name))
    except (ImportError, AttributeError) as error:
        raise InvalidPack(f"'values' of the cases names {reference!r}: {error}", hint="name module:function") from error


def _read_file(file: Path) -> list[BenchCase]:
    try:
        whole = load_json(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, JsonInvalid) as error:
        raise InvalidPack(f"{file.name} cannot be read: {error}", hint="mend the file") from error
    listed = whole.get("cases") if isinstance(whole, Mapping) else None
    if not isinstance(whole, Mapping) or not isinstance(listed, list):
        raise InvalidPack(f"{file.name} has no cases", hint='{"cases": [{"id": …, "turns": […], "expect": {…}}]}')
    values = str(whole.get("values", ""))
    return [replace(_parse_case(one, f"{file.name}[{at}]"), values=values) for at, one in enumerate(listed)]


def _parse_case(value: JsonValue, where: str) -> BenchCase:
    given = value if isinstance(value, Mapping) else {}
    turns, expect = given.get("turns"), given.get("expect")
    if set(given) - _CASE_KEYS or not isinstance(given.get("id"), str):
        raise InvalidPack(f"{where} is no case", hint=f"it has {', '.join(sorted(_CASE_KEYS))}")
    if not isinstance(turns, list) or not turns or not all(map(_is_turn, turns)):
        raise InvalidPack(f"{where}.turns is wrong", hint='[{"say": "…"}, {"answer": true}]')
    if not isinstance(expect, Mapping) or not expect or set(expect) - set(EXPECTATIONS):
        raise InvalidPack(f"{where}.expect is wrong", hint=f"one or more of {', '.join(EXPECTATIONS)}")
    return BenchCase(str(given["id"]), tuple(turns), expect)


def _is_turn(turn: JsonValue) -> bool:
    return isinstance(turn, Mapping) and len(turn) == 1 and ("answer" in turn or isinstance(turn.get("say"), str))

"""The twin at work: states that are computed once, the optimisation of each, and the parameters that were applied."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from metier.errors import InvalidInput, UsageError
from metier.jsons import JsonInvalid, JsonValue, load_json
from metier.packs.telecom._scenes import Scenes
from metier.packs.telecom.twin import (
    Change,
    Finding,
    Gain,
    Problem,
    Scenario,
    State,
    optimise,
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False)
class Optimised:
    """A state, the changes that were found for it, and the state they lead to: the same squares, the same users."""

    before: State
    after: State
    changes: tuple[Change, ...]
    gains: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a search is remembered by."""

    changes: tuple[Change, ...]
    gains: tuple[Gain, ...]


class Desk:
    """Everything the tools ask of the twin. What was computed is kept; what was found is kept on disk as well."""

    def __init__(self, scenes: Scenes, storage: Path) -> None:
        self.scenes = scenes
        self._storage = storage
        self._found: dict[str, _Found] = {}
        self._lock = threading.RLock()

    def scenario(self, name: str) -> Scenario:
        return self.scenes.get(name)

    def state(self, name: str) -> State:
        """The scenario as it is now, with what was applied."""
        return self.scenes.twin.state(self.scenario(name).id, self.applied(name))

    def causes(self, name: str) -> tuple[Finding, ...]:
        """What is wrong with the scenario as it is now."""
        return self.scenes.twin.root_causes(self.scenario(name).id, self.applied(name))

    def optimised(self, name: str, problem: Problem | None = None) -> Optimised:
        """The scenario as it is now, and what the search makes of it; for its own problem when none is named."""
        before = self.state(name)
        aim = problem or before.scenario.problem
        key = f"{before.digest[:32]}-{aim}-{version('metier')}"  # another version may model the world otherwise
        with self._lock:
            if key not in self._found:
                self._found[key] = self._searched(before, aim, self._storage / "optimised" / f"{key}.json")
            found = self._found[key]
        return Optimised(before, self.tried(name, found.changes), found.changes, found.gains)

    def tried(self, name: str, changes: Sequence[Change]) -> State:
        """The scenario as it is now with some more changes made, and nothing put into force."""
        return self.scenes.twin.state(self.scenario(name).id, (*self.applied(name), *changes))

    def applied(self, name: str) -> tuple[Change, ...]:
        """The changes in force, oldest first."""
        return tuple(change for step in self._steps(name) for change in step)

    def apply(self, name: str, changes: Sequence[Change]) -> None:
        """Put changes into force, as one step that can be undone."""
        with self._lock:
            self.tried(name, changes)  # refuses what cannot be
            self._write(name, [*self._steps(name), tuple(changes)])

    def undo(self, name: str) -> tuple[Change, ...]:
        """Take the last step back; what it had changed."""
        with self._lock:
            steps = self._steps(name)
            if not steps:
                raise UsageError(f"nothing was applied to {self.scenario(name).id}", hint="there is nothing to undo")
            self._write(name, steps[:-1])
            return steps[-1]

    def _searched(self, before: State, aim: Problem, path: Path) -> _Found:
        """What the search found, from disk when it was found before for this very network."""
        known = _read_found(path)
        if known is not None:
            return known
        made = optimise(before.scenario, aim, radio=before.radio)
        found = _Found(made.changes, made.gains)
        _save(path, asdict(found))
        return found

    def _steps(self, name: str) -> list[tuple[Change, ...]]:
        path = self._applied_file(name)
        whole = _loaded(path)
        if whole is None:
            return []
        steps = [_rows(step, Change) for step in whole] if isinstance(whole, list) else [None]
        known = [step for step in steps if step is not None]
        if len(known) != len(steps):
            raise InvalidInput(f"{path} does not hold changes", hint="mend the file, or remove it to start over")
        return known

    def _write(self, name: str, steps: Sequence[tuple[Change, ...]]) -> None:
        _save(self._applied_file(name), [[asdict(change) for change in step] for step in steps])

    def _applied_file(self, name: str) -> Path:
        return self._storage / "applied" / f"{self.scenario(name).id}.json"


def _save(path: Path, value: object) -> None:
    """Written beside and put in place: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{threading.get_ident()}.part")
    beside.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8")
    beside.replace(path)


def _read_found(path: Path) -> _Found | None:
    """A search as it was written; None when there is none, or an older program wrote it."""
    whole = _loaded(path)
    if not isinstance(whole, Mapping):
        return None
    changes, gains = _rows(whole.get("changes"), Change), _rows(whole.get("gains"), Gain)
    return None if changes is None or gains is None else _Found(changes, gains)


def _loaded(path: Path) -> JsonValue:
    try:
        return load_json(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, JsonInvalid) as error:
        raise InvalidInput(f"{path} cannot be read: {error}", hint="mend the file, or remove it") from error


def _rows(listed: JsonValue, made_of: Callable[..., _T]) -> tuple[_T, ...] | None:
    """Objects as they were written; None when they are something else."""
    if not isinstance(listed, list) or not all(isinstance(row, Mapping) for row in listed):
        return None
    try:
        return tuple(made_of(**row) for row in listed)
    except TypeError:
        return None

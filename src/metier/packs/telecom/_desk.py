"""Scenarios with the parameter changes applied to them so far."""

import threading
from collections.abc import Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from metier.errors import InvalidInput, UsageError
from metier.packs.telecom._scenes import Scenes
from metier.packs.telecom._words import said
from metier.packs.telecom.twin import Change, Finding, Problem, Progress, Scenario, State, Tuned, write_whole
from metier.tools import Language, ToolContext

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_Steps = tuple[tuple[Change, ...], ...]


class Desk:
    """The twin as the tools use it: each scenario file plus the changes applied since."""

    def __init__(self, scenes: Scenes, storage: Path) -> None:
        self.scenes = scenes
        self._storage = storage
        self._lock = threading.RLock()
        self._progress: Progress | None = None

    def watched(self, context: ToolContext, language: Language) -> "Desk":
        """A copy for one tool call that reports the progress of its search."""
        made, tell = copy(self), context.progress
        if tell is not None:
            made._progress = lambda share, words: tell(share, said(words, language))
        return made

    def scenario(self, name: str) -> Scenario:
        return self.scenes.get(name)

    def state(self, name: str) -> State:
        """State of the scenario with the applied changes."""
        return self.scenes.twin.state(self.scenario(name).id, self.applied(name))

    def causes(self, name: str) -> tuple[Finding, ...]:
        """Root causes of the scenario's current problems."""
        return self.scenes.twin.root_causes(self.scenario(name).id, self.applied(name))

    def optimised(self, name: str, problem: Problem | None = None) -> Tuned:
        """Search for better parameters of the current scenario, for its own problem unless one is given."""
        return self.scenes.twin.optimise(self.scenario(name).id, self.applied(name), problem, self._progress)

    def tried(self, name: str, changes: Sequence[Change]) -> State:
        """State of the current scenario with further changes, without applying them."""
        return self.scenes.twin.state(self.scenario(name).id, (*self.applied(name), *changes))

    def applied(self, name: str) -> tuple[Change, ...]:
        """The applied changes, oldest first."""
        return tuple(change for step in self._steps(name) for change in step)

    def apply(self, name: str, changes: Sequence[Change]) -> None:
        """Apply changes as one step that can be undone."""
        with self._lock:
            self.tried(name, changes)  # raises for invalid changes
            self._write(name, (*self._steps(name), tuple(changes)))

    def undo(self, name: str) -> tuple[Change, ...]:
        """Undo the last step and return its changes."""
        with self._lock:
            steps = self._steps(name)
            if not steps:
                raise UsageError(f"nothing was applied to {self.scenario(name).id}", hint="there is nothing to undo")
            self._write(name, steps[:-1])
            return steps[-1]

    def _steps(self, name: str) -> _Steps:
        from pydantic import ValidationError

        path = self._applied_file(name)
        try:
            return _adapter().validate_json(path.read_bytes())
        except FileNotFoundError:
            return ()
        except (OSError, ValidationError) as error:
            raise InvalidInput(
                f"{path} does not hold changes: {str(error)[:200]}", hint="mend the file, or remove it to start over"
            ) from error

    def _write(self, name: str, steps: _Steps) -> None:
        write_whole(self._applied_file(name), _adapter().dump_json(steps, indent=1))

    def _applied_file(self, name: str) -> Path:
        return self._storage / "applied" / f"{self.scenario(name).id}.json"


@cache
def _adapter() -> "TypeAdapter[_Steps]":
    from pydantic import TypeAdapter

    return TypeAdapter(_Steps)

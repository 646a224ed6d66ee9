"""Scenarios with the parameter changes applied to them so far."""

import threading
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from metier.clock import utc_now
from metier.errors import InvalidInput, UsageError
from metier.language import Language
from metier.packs.telecom._scenes import ScenarioCatalog
from metier.packs.telecom.twin import (
    Gain,
    NetworkState,
    ParameterChange,
    Problem,
    ProgressCallback,
    RootCause,
    Scenario,
    TuningResult,
    write_atomically,
)
from metier.tools import ToolContext

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class AppliedStep:
    """Changes that were applied together, when, and by which user; a record of an earlier version has only changes."""

    changes: tuple[ParameterChange, ...]
    at: datetime | None = None
    user: str = ""


_Steps = tuple[AppliedStep, ...]
_StoredSteps = tuple[AppliedStep | tuple[ParameterChange, ...], ...]


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Result of a simulation: the digest of the scenario it was made for, the changes, and what the network gains."""

    digest: str
    changes: tuple[ParameterChange, ...]
    gains: tuple[Gain, ...]


class LiveScenarios:
    """The twin as the tools use it: each scenario file plus the changes applied since, which all users share."""

    def __init__(self, catalog: ScenarioCatalog, storage: Path) -> None:
        self.catalog = catalog
        self._storage = storage
        self._lock = threading.RLock()
        self._progress: ProgressCallback | None = None

    def with_progress(self, context: ToolContext, language: Language) -> "LiveScenarios":
        """A copy for one tool call that reports the progress of its search."""
        made, tell = copy(self), context.progress
        if tell is not None:
            made._progress = lambda share, words: tell(share, words.text(language))
        return made

    def get_scenario(self, name: str) -> Scenario:
        return self.catalog.get(name)

    def compute_state(self, name: str) -> NetworkState:
        """State of the scenario with the applied changes."""
        return self.catalog.twin.compute_state(self.get_scenario(name).id, self.applied_changes(name))

    def find_causes(self, name: str, problem: str = "") -> tuple[RootCause, ...]:
        """Root causes of the scenario's own problem, or of the one that is asked about."""
        return self.catalog.twin.find_root_causes(self.get_scenario(name).id, self.applied_changes(name), problem)

    def compute_original(self, name: str, problem: str = "") -> tuple[NetworkState, tuple[RootCause, ...]]:
        """State and root causes of the scenario as its file has it, without the applied changes."""
        twin, id = self.catalog.twin, self.get_scenario(name).id
        return twin.compute_state(id), twin.find_root_causes(id, problem=problem)

    def optimise(self, name: str, problem: Problem | None = None) -> TuningResult:
        """Search for better parameters of the current scenario, for its own problem unless one is given.

        The result for its own problem is kept: only parameters that were simulated can be applied.
        """
        scenario, applied = self.get_scenario(name), self.applied_changes(name)
        run = self.catalog.twin.optimise(scenario.id, applied, problem, self._progress)
        if problem in (None, scenario.problem):
            kept = Recommendation(run.before.digest, run.changes, run.gains)
            write_atomically(self._simulated_file(name), _recommendation_adapter().dump_json(kept, indent=1))
        return run

    def find_recommendation(self, name: str) -> "Recommendation | None":
        """What the last simulation recommends for the scenario as it is now; None if that was not simulated."""
        from pydantic import ValidationError

        try:
            kept = _recommendation_adapter().validate_json(self._simulated_file(name).read_bytes())
        except (OSError, ValidationError):
            return None
        current = self.catalog.twin.compute_digest(self.get_scenario(name).id, self.applied_changes(name))
        return kept if kept.digest == current else None

    def last_step(self, name: str) -> tuple[ParameterChange, ...]:
        """The changes that undo would take back; empty if nothing was applied."""
        steps = self.applied_steps(name)
        return steps[-1].changes if steps else ()

    def simulate(self, name: str, changes: Sequence[ParameterChange]) -> NetworkState:
        """State of the current scenario with further changes, without applying them."""
        return self.catalog.twin.compute_state(self.get_scenario(name).id, (*self.applied_changes(name), *changes))

    def applied_changes(self, name: str) -> tuple[ParameterChange, ...]:
        """The applied changes, oldest first."""
        return tuple(change for step in self.applied_steps(name) for change in step.changes)

    def apply(self, name: str, changes: Sequence[ParameterChange], user: str = "") -> None:
        """Apply changes as one step that can be undone."""
        with self._lock:
            self.simulate(name, changes)  # raises for invalid changes
            self._write_steps(name, (*self.applied_steps(name), AppliedStep(tuple(changes), utc_now(), user)))

    def undo(self, name: str) -> tuple[ParameterChange, ...]:
        """Undo the last step and return its changes."""
        with self._lock:
            steps = self.applied_steps(name)
            if not steps:
                raise UsageError(
                    f"nothing was applied to {self.get_scenario(name).id}", hint="there is nothing to undo"
                )
            self._write_steps(name, steps[:-1])
            return steps[-1].changes

    def applied_steps(self, name: str) -> _Steps:
        """The steps in force, oldest first."""
        from pydantic import ValidationError

        path = self._applied_file(name)
        try:
            stored = _steps_adapter().validate_json(path.read_bytes())
        except FileNotFoundError:
            return ()
        except (OSError, ValidationError) as error:
            raise InvalidInput(
                f"{path} does not hold changes: {str(error)[:200]}", hint="mend the file, or remove it to start over"
            ) from error
        return tuple(one if isinstance(one, AppliedStep) else AppliedStep(one) for one in stored)

    def _write_steps(self, name: str, steps: _Steps) -> None:
        write_atomically(self._applied_file(name), _steps_adapter().dump_json(steps, indent=1))

    def _applied_file(self, name: str) -> Path:
        return self._storage / "applied" / f"{self.get_scenario(name).id}.json"

    def _simulated_file(self, name: str) -> Path:
        return self._storage / "simulated" / f"{self.get_scenario(name).id}.json"


@cache
def _recommendation_adapter() -> "TypeAdapter[Recommendation]":
    from pydantic import TypeAdapter

    return TypeAdapter(Recommendation)


@cache
def _steps_adapter() -> "TypeAdapter[_StoredSteps]":
    from pydantic import TypeAdapter

    return TypeAdapter(_StoredSteps)

"""Search results that come with the shipped scenarios, so that their first simulation is a replay.

Only the changes are stored: both states and the gains are computed anew, with the model as it is. A file counts only
for the scenario and the problem it was made for.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.packs.telecom.twin.scenario import SHIPPED_FOLDER, ParameterChange, Problem, Scenario
from metier.packs.telecom.twin.tuning._result_cache import write_atomically

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_FOLDER: Final = SHIPPED_FOLDER / "searches"


@dataclass(frozen=True, slots=True)
class ShippedSearch:
    """Changes that `optimise` found for the scenario with this digest and this problem."""

    digest: str
    problem: Problem
    changes: tuple[ParameterChange, ...]


def read_shipped_search(scenario: Scenario, problem: Problem) -> tuple[ParameterChange, ...] | None:
    """The shipped changes for this scenario and problem; None if there are none, or they were made for another."""
    from pydantic import ValidationError

    try:
        found = _adapter().validate_json(_locate(scenario.id).read_bytes())
    except (OSError, ValidationError):
        return None
    return found.changes if (found.digest, found.problem) == (scenario.digest, problem) else None


def write_shipped_search(scenario: Scenario, changes: tuple[ParameterChange, ...]) -> Path:
    """Store the changes found for the scenario's own problem beside the shipped scenarios."""
    path = _locate(scenario.id)
    made = ShippedSearch(scenario.digest, scenario.problem, changes)
    write_atomically(path, _adapter().dump_json(made, indent=1) + b"\n")
    return path


def _locate(id: str) -> Path:
    return _FOLDER / f"{id}.json"


@cache
def _adapter() -> "TypeAdapter[ShippedSearch]":
    from pydantic import TypeAdapter

    return TypeAdapter(ShippedSearch)

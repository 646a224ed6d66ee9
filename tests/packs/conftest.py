"""The shipped scenarios and the networks made of them are computed once per test process: 150 ms for a state."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from metier.packs.telecom.twin import NetworkState, Scenario, _twin, load_scenario
from metier.packs.telecom.twin.radio import Radio, compute, compute_radio
from metier.packs.telecom.twin.scenario import SHIPPED_FOLDER

_MAX_KEPT = 10
T = TypeVar("T")


def keep(known: dict[str, T], key: str, make: Callable[[], T]) -> T:
    """What is known by this key, made if it is not; the oldest is dropped when there are many: each has megabytes."""
    found = known.pop(key) if key in known else make()
    while len(known) >= _MAX_KEPT:
        known.pop(next(iter(known)))
    known[key] = found
    return found


@pytest.fixture(autouse=True, scope="session")
def _shipped_scenarios_once() -> Iterator[None]:
    """A state follows from its scenario, which a digest names: those before and after a change are kept alike."""
    read_once = cache(load_scenario)
    shipped: set[str] = set()
    states: dict[str, NetworkState] = {}
    radios: dict[str, Radio] = {}

    def load(path: Path) -> Scenario:
        if path.parent != SHIPPED_FOLDER:
            return load_scenario(path)
        scenario = read_once(path)
        shipped.add(scenario.base)
        return scenario

    def compute_once(scenario: Scenario, *, radio: Radio) -> NetworkState:
        if scenario.base not in shipped:
            return compute(scenario, radio=radio)
        return keep(states, scenario.digest, lambda: compute(scenario, radio=radio).drop_powers())

    def compute_radio_once(scenario: Scenario) -> Radio:
        if scenario.base not in shipped:
            return compute_radio(scenario)
        return keep(radios, scenario.base, lambda: compute_radio(scenario))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_twin, "load_scenario", load)
        patch.setattr(_twin, "compute", compute_once)
        patch.setattr(_twin, "compute_radio", compute_radio_once)
        yield

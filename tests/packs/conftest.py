"""The shipped scenarios are read and computed once per test process: 70 ms to read one, 150 ms to compute a state."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from metier.packs.telecom.twin import NetworkState, Scenario, _twin, load_scenario
from metier.packs.telecom.twin.radio import Radio, compute
from metier.packs.telecom.twin.scenario import SHIPPED_FOLDER

_MAX_STATES = 6


@pytest.fixture(autouse=True, scope="session")
def _shipped_scenarios_once() -> Iterator[None]:
    read_once = cache(load_scenario)
    shipped: set[str] = set()
    states: dict[str, NetworkState] = {}

    def load(path: Path) -> Scenario:
        if path.parent != SHIPPED_FOLDER:
            return load_scenario(path)
        scenario = read_once(path)
        shipped.add(scenario.digest)
        return scenario

    def compute_once(scenario: Scenario, *, radio: Radio) -> NetworkState:
        if scenario.digest not in shipped:
            return compute(scenario, radio=radio)
        if scenario.digest not in states:
            while len(states) >= _MAX_STATES:  # each has some megabytes
                states.pop(next(iter(states)))
            states[scenario.digest] = compute(scenario, radio=radio)
        return states[scenario.digest]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_twin, "load_scenario", load)
        patch.setattr(_twin, "compute", compute_once)
        yield

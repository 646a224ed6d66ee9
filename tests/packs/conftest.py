"""The shipped scenarios are read once per test process: they never change, and each takes 70 ms to read."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from metier.packs.telecom.twin import Scenario, _twin, load_scenario
from metier.packs.telecom.twin.scenario import SHIPPED_FOLDER


@pytest.fixture(autouse=True, scope="session")
def _shipped_scenarios_read_once() -> Iterator[None]:
    read_once = cache(load_scenario)

    def load(path: Path) -> Scenario:
        return read_once(path) if path.parent == SHIPPED_FOLDER else load_scenario(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_twin, "load_scenario", load)
        yield

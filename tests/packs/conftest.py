"""The shipped scenarios and the networks made of them are computed once per test run: 150 ms for a state."""

import os
import pickle
import threading
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Generic, TypeVar, cast

import pytest

from metier.packs.telecom.twin import NetworkState, Scenario, _twin, load_scenario
from metier.packs.telecom.twin.radio import Radio, compute, compute_radio
from metier.packs.telecom.twin.scenario import SHIPPED_FOLDER

_MAX_KEPT = 10
T = TypeVar("T")


class Kept(Generic[T]):
    """What was made last by its key; what was made before, by this process or another, is read from a file.

    A `part` that another has is not written with it: the one of this process is put in its place.
    """

    def __init__(self, shared: Path, name: str) -> None:
        self._known: dict[str, T] = {}
        self._shared, self._name = shared, name

    def get_or_make(self, key: str, make: Callable[[], T], part: object = None) -> T:
        found = self._known.pop(key) if key in self._known else self._read_or_make(key, make, part)
        while len(self._known) >= _MAX_KEPT:  # the oldest is dropped when there are many: each has megabytes
            self._known.pop(next(iter(self._known)))
        self._known[key] = found
        return found

    def _read_or_make(self, key: str, make: Callable[[], T], part: object) -> T:
        path = self._shared / f"{self._name}-{sha256(key.encode()).hexdigest()}.pickle"
        if path.exists():
            with path.open("rb") as file:
                return cast("T", _Reader(file, part).load())
        made = make()
        written = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        with written.open("wb") as file:
            _Writer(file, part).dump(made)
        written.replace(path)
        return made


class _Writer(pickle.Pickler):
    """Writes a reference instead of the part, and read-only mappings, which have no pickled form of their own."""

    def __init__(self, file: BinaryIO, part: object) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._part = part

    def persistent_id(self, obj: object) -> str | None:
        return "part" if obj is self._part and obj is not None else None

    def reducer_override(self, obj: object) -> Any:
        return (_freeze, (dict(obj),)) if isinstance(obj, MappingProxyType) else NotImplemented


class _Reader(pickle.Unpickler):
    def __init__(self, file: BinaryIO, part: object) -> None:
        super().__init__(file)
        self._part = part

    def persistent_load(self, pid: object) -> object:
        return self._part


def _freeze(values: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(values)


@pytest.fixture(autouse=True, scope="session")
def _shipped_scenarios_once(_shared_folder: Path) -> Iterator[None]:
    """A state follows from its scenario, which a digest names: those before and after a change are kept alike."""
    read_once = cache(load_scenario)
    shipped: set[str] = set()
    states = Kept[NetworkState](_shared_folder, "state")
    radios = Kept[Radio](_shared_folder, "radio")

    def load(path: Path) -> Scenario:
        if path.parent != SHIPPED_FOLDER:
            return load_scenario(path)
        scenario = read_once(path)
        shipped.add(scenario.base)
        return scenario

    def compute_once(scenario: Scenario, *, radio: Radio) -> NetworkState:
        if scenario.base not in shipped:
            return compute(scenario, radio=radio)
        return states.get_or_make(scenario.digest, lambda: compute(scenario, radio=radio).drop_powers(), radio)

    def compute_radio_once(scenario: Scenario) -> Radio:
        if scenario.base not in shipped:
            return compute_radio(scenario)
        return radios.get_or_make(scenario.base, lambda: compute_radio(scenario))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_twin, "load_scenario", load)
        patch.setattr(_twin, "compute", compute_once)
        patch.setattr(_twin, "compute_radio", compute_radio_once)
        yield

"""A twin that remembers: scenarios, states and optimisations, a bounded number of each."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from metier.errors import InvalidInput, NotFound, PathNotFound
from metier.packs.telecom.twin._causes import Finding, root_causes
from metier.packs.telecom.twin._files import SHIPPED, SUFFIXES, Summary, load_scenario, summary
from metier.packs.telecom.twin._optimise import Optimisation, optimise
from metier.packs.telecom.twin._radio import Radio, lay_radio
from metier.packs.telecom.twin._scenario import Change, Problem, Scenario, apply
from metier.packs.telecom.twin._search import Progress
from metier.packs.telecom.twin._state import State, compute

_Value = TypeVar("_Value")
# A state of 96 cells on 40,000 points holds about 35 MB, a radio field about 15.
_STATES: Final = 6
_RADIOS: Final = 5
_OPTIMISATIONS: Final = 5


class Twin:
    """Answers by scenario id, from memory when it can; thread-safe.

    The shipped scenarios come first, then those of `folders`. A file that changed is read again; a file that is broken
    is left out and named in `broken`.
    """

    def __init__(self, folders: Sequence[Path] = (), *, states: int = _STATES) -> None:
        self._folders = (SHIPPED, *folders)
        self._lock = RLock()
        self._files: dict[Path, tuple[tuple[int, int], Scenario | InvalidInput]] = {}
        self._states: _Shelf[State] = _Shelf(states)
        self._radios: _Shelf[Radio] = _Shelf(_RADIOS)
        self._found: _Shelf[tuple[Finding, ...]] = _Shelf(4 * states)
        self._tuned: _Shelf[Optimisation] = _Shelf(_OPTIMISATIONS)

    def scenarios(self) -> tuple[Summary, ...]:
        """Every scenario that can be used, by id."""
        return tuple(summary(found) for _, found in sorted(self._known().items()))

    @property
    def broken(self) -> Mapping[Path, InvalidInput]:
        """The files that were left out, and why."""
        self._known()
        with self._lock:
            bad = {path: found for path, (_, found) in self._files.items() if isinstance(found, InvalidInput)}
        return MappingProxyType(bad)

    def scenario(self, id: str) -> Scenario:
        """The scenario of this id; an unknown one is answered with the legal list."""
        known = self._known()
        if id not in known:
            raise NotFound(f"there is no scenario {id[:80]!r}", hint=f"known scenarios: {', '.join(sorted(known))}")
        return known[id]

    def state(self, id: str, changes: Sequence[Change] = ()) -> State:
        """The computed state of a scenario with some changes made."""
        scenario = apply(self.scenario(id), changes)
        with self._lock:
            return self._states.get(scenario.digest, lambda: compute(scenario, radio=self._radio(scenario)))

    def root_causes(self, id: str, changes: Sequence[Change] = ()) -> tuple[Finding, ...]:
        """What the rules find in that state."""
        with self._lock:
            state = self.state(id, changes)
            return self._found.get(state.digest, lambda: root_causes(state))

    def optimise(self, id: str, problem: Problem | None = None, progress: Progress | None = None) -> Optimisation:
        """The optimisation of a scenario; the second asking costs nothing and reports no progress."""
        scenario = self.scenario(id)
        key = (scenario.digest, problem or scenario.problem)
        with self._lock:
            return self._tuned.get(key, lambda: optimise(scenario, problem, progress, radio=self._radio(scenario)))

    def _radio(self, scenario: Scenario) -> Radio:
        return self._radios.get(scenario.base, lambda: lay_radio(scenario))

    def _known(self) -> dict[str, Scenario]:
        with self._lock:
            seen = {path: self._read(path) for path in self._paths()}
            self._files = seen
            known: dict[str, Scenario] = {}
            for path, (stamp, found) in seen.items():
                if isinstance(found, InvalidInput):
                    continue
                if found.id in known:
                    taken = InvalidInput(f"scenario id {found.id!r} is taken", hint=f"by {known[found.id].path}")
                    self._files[path] = (stamp, taken)
                    continue
                known[found.id] = found
            return known

    def _paths(self) -> list[Path]:
        folders = [folder for folder in self._folders if folder.is_dir()]
        return [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES]

    def _read(self, path: Path) -> tuple[tuple[int, int], Scenario | InvalidInput]:
        """From memory while the file is the same."""
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._files.get(path)
            if known is not None and known[0] == stamp:
                return known
            return stamp, load_scenario(path)
        except InvalidInput as error:
            return stamp, error
        except (OSError, PathNotFound) as error:
            return (0, 0), InvalidInput(f"cannot read {path.name!r}: {error}")


class _Shelf(Generic[_Value]):
    """The values used last, at most so many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, _Value] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        if key not in self._kept:
            self._kept[key] = make()
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[key]

"""The twin with caches of scenarios, states and searches, each of bounded size."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, RLock
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from metier.errors import InvalidInput, NotFound, PathNotFound, UsageError
from metier.packs.telecom.twin._causes import Finding, root_causes
from metier.packs.telecom.twin._files import SHIPPED, SUFFIXES, Summary, load_scenario, summary
from metier.packs.telecom.twin._memory import Found, Memory, search_key
from metier.packs.telecom.twin._optimise import Gain, optimise
from metier.packs.telecom.twin._radio import Radio, lay_radio
from metier.packs.telecom.twin._scenario import Change, Problem, Scenario, apply
from metier.packs.telecom.twin._search import Progress
from metier.packs.telecom.twin._state import State, compute

_Value = TypeVar("_Value")
# A state of 96 cells on 40,000 points holds about 35 MB, a radio field about 15.
_STATES: Final = 6
_RADIOS: Final = 5
_SEARCHES: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """A state, the changes found for it, and the resulting state with the same points and users."""

    before: State
    after: State
    changes: tuple[Change, ...]
    gains: tuple[Gain, ...]


class Twin:
    """Answers queries by scenario id, from its caches if possible; thread-safe.

    The shipped scenarios come first, then those of `folders`. A changed file is read again; a broken one is left out
    and listed in `broken`. With a `memory` folder, search results outlive the process.
    """

    def __init__(self, folders: Sequence[Path] = (), *, memory: Path | None = None, states: int = _STATES) -> None:
        self._folders = (SHIPPED, *folders)
        self._memory = Memory(memory)
        # Listing names must not wait for a state, nor a state for the search of another network.
        self._reading, self._computing = Lock(), RLock()
        self._files: dict[Path, tuple[tuple[int, int], Scenario | InvalidInput]] = {}
        self._states: _Shelf[State] = _Shelf(states)
        self._radios: _Shelf[Radio] = _Shelf(_RADIOS)
        self._causes: _Shelf[tuple[Finding, ...]] = _Shelf(4 * states)
        self._found: _Shelf[Found] = _Shelf(_SEARCHES)
        self._searching: _Shelf[Lock] = _Shelf(_SEARCHES)

    def scenarios(self) -> tuple[Summary, ...]:
        """Summaries of all usable scenarios, by id."""
        return tuple(summary(found) for found in self.known().values())

    @property
    def broken(self) -> Mapping[Path, InvalidInput]:
        """The files that were left out, and why."""
        return self._scan()[1]

    def scenario(self, id: str) -> Scenario:
        """The scenario with this id; an unknown id raises with the list."""
        known = self.known()
        if id not in known:
            raise NotFound(f"there is no scenario {id[:80]!r}", hint=f"known scenarios: {', '.join(known)}")
        return known[id]

    def state(self, id: str, changes: Sequence[Change] = ()) -> State:
        """Compute the state of a scenario with changes applied."""
        scenario = apply(self.scenario(id), changes)
        with self._computing:
            return self._states.get(scenario.digest, lambda: compute(scenario, radio=self._radio(scenario)))

    def root_causes(self, id: str, changes: Sequence[Change] = ()) -> tuple[Finding, ...]:
        """Root causes found in that state."""
        with self._computing:
            state = self.state(id, changes)
            return self._causes.get(state.digest, lambda: root_causes(state))

    def optimise(
        self,
        id: str,
        changes: Sequence[Change] = (),
        problem: Problem | None = None,
        progress: Progress | None = None,
    ) -> Tuned:
        """Optimise that state; a repeated query neither searches nor reports progress."""
        before = self.state(id, changes)
        aim = problem or before.scenario.problem
        key = search_key(before.digest, aim)
        with self._computing:
            searching = self._searching.get(key, Lock)
        with searching:
            found = self._known_search(key, before.scenario) or self._search(key, before, aim, progress)
        return Tuned(before, self.state(id, (*changes, *found.changes)), found.changes, found.gains)

    def known(self) -> Mapping[str, Scenario]:
        """All usable scenarios by id, read from the files as they are now."""
        return self._scan()[0]

    def _scan(self) -> tuple[Mapping[str, Scenario], Mapping[Path, InvalidInput]]:
        known: dict[str, Scenario] = {}
        broken: dict[Path, InvalidInput] = {}
        with self._reading:
            self._files = {path: self._read(path) for path in self._paths()}
            files = self._files
        for path, (_, found) in files.items():
            if isinstance(found, InvalidInput):
                broken[path] = found
            elif found.id in known:
                taken = known[found.id].path
                broken[path] = InvalidInput(f"scenario id {found.id!r} is taken", hint=f"by {taken}")
            else:
                known[found.id] = found
        return MappingProxyType(dict(sorted(known.items()))), MappingProxyType(broken)

    def _search(self, key: str, before: State, aim: Problem, progress: Progress | None) -> Found:
        made = optimise(before.scenario, aim, progress, radio=before.radio)
        found = Found(made.changes, made.gains)
        with self._computing:
            self._found.get(key, lambda: found)
            self._states.get(made.after.digest, lambda: made.after)
        self._memory.put(key, found)
        return found

    def _known_search(self, key: str, scenario: Scenario) -> Found | None:
        """Search result from memory or disk; a file that does not fit this network (edited by hand) is ignored."""
        with self._computing:
            if (known := self._found.peek(key)) or (found := self._memory.get(key)) is None:
                return known
            try:
                apply(scenario, found.changes)
            except (NotFound, UsageError):
                return None
            return self._found.get(key, lambda: found)

    def _radio(self, scenario: Scenario) -> Radio:
        return self._radios.get(scenario.base, lambda: lay_radio(scenario))

    def _paths(self) -> list[Path]:
        folders = [folder for folder in self._folders if folder.is_dir()]
        return [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES]

    def _read(self, path: Path) -> tuple[tuple[int, int], Scenario | InvalidInput]:
        """Returns the cached scenario while the file is unchanged."""
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
    """LRU cache with at most `most` values."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, _Value] = OrderedDict()

    def peek(self, key: Hashable) -> _Value | None:
        return self._kept.get(key)

    def get(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        if key not in self._kept:
            self._kept[key] = make()
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[key]

"""The twin with caches of scenarios, states and searches, each of bounded size."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, RLock
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from metier.errors import InvalidInput, NotFound, PathNotFound, UsageError
from metier.packs.telecom.twin.diagnosis import RootCause, find_root_causes
from metier.packs.telecom.twin.radio import NetworkState, Radio, compute, compute_radio
from metier.packs.telecom.twin.scenario import (
    SHIPPED_FOLDER,
    SUFFIXES,
    ParameterChange,
    Problem,
    Scenario,
    apply_changes,
    load_scenario,
    read_shipped_titles,
)
from metier.packs.telecom.twin.tuning import (
    Gain,
    ProgressCallback,
    SearchStore,
    StoredSearch,
    build_search_key,
    compute_gains,
    optimise,
    read_shipped_search,
)

_Value = TypeVar("_Value")
# A state of 96 cells on 40,000 points holds about 35 MB, a radio field about 15. A conversation needs the network
# before and after; another scenario takes half a second to compute again.
_MAX_STATES: Final = 2
_MAX_RADIOS: Final = 1
_MAX_SEARCHES: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class TuningResult:
    """A state, the changes found for it, and the resulting state with the same points and users.

    `shipped` changes came with the scenario and were not searched for now.
    """

    before: NetworkState
    after: NetworkState
    changes: tuple[ParameterChange, ...]
    gains: tuple[Gain, ...]
    shipped: bool = False


class Twin:
    """Answers queries by scenario id, from its caches if possible; thread-safe.

    The shipped scenarios come first, then those of `folders`. A changed file is read again; a broken one is left out
    and listed in `broken`. With a `memory` folder, search results outlive the process.
    """

    def __init__(self, folders: Sequence[Path] = (), *, memory: Path | None = None, states: int = _MAX_STATES) -> None:
        self._folders = (SHIPPED_FOLDER, *folders)
        self._memory = SearchStore(memory)
        # Listing names must not wait for a state, nor a state for the search of another network.
        self._reading, self._computing = Lock(), RLock()
        self._files: dict[Path, tuple[tuple[int, int], Scenario | InvalidInput]] = {}
        self._states: _LruCache[NetworkState] = _LruCache(states)
        self._radios: _LruCache[Radio] = _LruCache(_MAX_RADIOS)
        self._causes: _LruCache[tuple[RootCause, ...]] = _LruCache(4 * states)
        self._found: _LruCache[StoredSearch] = _LruCache(_MAX_SEARCHES)
        self._searching: _LruCache[Lock] = _LruCache(_MAX_SEARCHES)

    @property
    def broken(self) -> Mapping[Path, InvalidInput]:
        """The files that were left out, and why."""
        return self._scan()[1]

    def get_scenario(self, id: str) -> Scenario:
        """The scenario with this id; an unknown id raises with the list."""
        known = self.load_scenarios()
        if id not in known:
            raise NotFound(f"there is no scenario {id[:80]!r}", hint=f"known scenarios: {', '.join(known)}")
        return known[id]

    def compute_state(self, id: str, changes: Sequence[ParameterChange] = ()) -> NetworkState:
        """Compute the state of a scenario with changes applied."""
        scenario = apply_changes(self.get_scenario(id), changes)
        with self._computing:
            return self._states.get_or_make(
                scenario.digest, lambda: compute(scenario, radio=self._get_radio(scenario)).drop_powers()
            )

    def compute_digest(self, id: str, changes: Sequence[ParameterChange] = ()) -> str:
        """Digest of a scenario with changes applied, without computing its state."""
        return apply_changes(self.get_scenario(id), changes).digest

    def find_root_causes(
        self, id: str, changes: Sequence[ParameterChange] = (), problem: str = ""
    ) -> tuple[RootCause, ...]:
        """Root causes found in that state, of its own problem or of another one."""
        with self._computing:
            state = self.compute_state(id, changes)
            return self._causes.get_or_make(f"{state.digest}:{problem}", lambda: find_root_causes(state, problem))

    def optimise(
        self,
        id: str,
        changes: Sequence[ParameterChange] = (),
        problem: Problem | None = None,
        progress: ProgressCallback | None = None,
    ) -> TuningResult:
        """Optimise that state; a repeated query neither searches nor reports progress."""
        before = self.compute_state(id, changes)
        aim = problem or before.scenario.problem
        key = build_search_key(before.digest, aim)
        with self._computing:
            searching = self._searching.get_or_make(key, Lock)
        with searching:
            found = (
                self._recall_search(key, before.scenario)
                or self._replay_shipped(key, before, aim)
                or self._search(key, before, aim, progress)
            )
        after = self.compute_state(id, (*changes, *found.changes))
        return TuningResult(before, after, found.changes, found.gains, found.shipped)

    def load_scenarios(self) -> Mapping[str, Scenario]:
        """All usable scenarios by id, read from the files as they are now."""
        return self._scan()[0]

    @property
    def is_read(self) -> bool:
        """Whether the files were read in full."""
        return bool(self._files)

    def list_titles(self) -> Mapping[str, tuple[str, str]]:
        """Chinese and English titles by id; the shipped scenarios are read when one is used, to start sooner."""
        if not self._files and all(path.parent == SHIPPED_FOLDER for path in self._list_paths()):
            return read_shipped_titles()
        return {id: (one.title_zh, one.title_en) for id, one in self.load_scenarios().items()}

    def _scan(self) -> tuple[Mapping[str, Scenario], Mapping[Path, InvalidInput]]:
        known: dict[str, Scenario] = {}
        broken: dict[Path, InvalidInput] = {}
        with self._reading:
            self._files = {path: self._read(path) for path in self._list_paths()}
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

    def _search(self, key: str, before: NetworkState, aim: Problem, progress: ProgressCallback | None) -> StoredSearch:
        made = optimise(before.scenario, aim, progress, radio=before.radio)
        found = StoredSearch(made.changes, made.gains)
        with self._computing:
            self._found.get_or_make(key, lambda: found)
            self._states.get_or_make(made.after.digest, lambda: made.after)
        self._memory.put(key, found)
        return found

    def _replay_shipped(self, key: str, before: NetworkState, aim: Problem) -> StoredSearch | None:
        """The result that came with the scenario, with states and gains computed now."""
        changes = read_shipped_search(before.scenario, aim)
        if changes is None:
            return None
        with self._computing:
            scenario = apply_changes(before.scenario, changes)
            after = self._states.get_or_make(
                scenario.digest, lambda: compute(scenario, radio=before.radio).drop_powers()
            )
            return self._found.get_or_make(
                key, lambda: StoredSearch(changes, compute_gains(before, after), shipped=True)
            )

    def _recall_search(self, key: str, scenario: Scenario) -> StoredSearch | None:
        """Search result from memory or disk; a file that does not fit this network (edited by hand) is ignored."""
        with self._computing:
            if (known := self._found.peek(key)) or (found := self._memory.get(key)) is None:
                return known
            try:
                apply_changes(scenario, found.changes)
            except (NotFound, UsageError):
                return None
            return self._found.get_or_make(key, lambda: found)

    def _get_radio(self, scenario: Scenario) -> Radio:
        if self._radios.peek(scenario.base) is None:
            self._states.clear()  # they hold the radio of another network, which would be kept beside the new one
        return self._radios.get_or_make(scenario.base, lambda: compute_radio(scenario))

    def _list_paths(self) -> list[Path]:
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
            hint = "restore the file, or remove the scenario from the folder"
            return (0, 0), InvalidInput(f"cannot read {path.name!r}: {error}", hint=hint)


class _LruCache(Generic[_Value]):
    """LRU cache with at most `most` values."""

    def __init__(self, max_size: int) -> None:
        self._most = max_size
        self._values: OrderedDict[Hashable, _Value] = OrderedDict()

    def clear(self) -> None:
        self._values.clear()

    def peek(self, key: Hashable) -> _Value | None:
        return self._values.get(key)

    def get_or_make(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        if key not in self._values:
            while len(self._values) >= self._most:
                self._values.popitem(last=False)  # before the new one is made: both at once is the peak of memory
            self._values[key] = make()
        self._values.move_to_end(key)
        return self._values[key]

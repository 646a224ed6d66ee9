"""Test processes of pytest-xdist get whole files, each about as many seconds; who is done early takes from others.

The tests of a file share what its fixtures make, all tests of the page a browser and two servers, and all that read the
source its parsed modules: a process that takes one of them makes these anew. The seconds of each file are those of an
earlier run, written by `--record-seconds`.
"""

from collections.abc import Mapping, Sequence

import pytest
from xdist.remote import Producer
from xdist.scheduler.worksteal import WorkStealingScheduling

# What stays together, by the beginning of its path: four processes that parsed the source took five seconds each.
_GROUPS = {"tests/browser/": "page", "tests/shape/": "source", "tests/test_language.py": "source"}
# What waits for a browser or a process as much as it computes. One process takes it: shared out like the rest, several
# would wait at the same time and leave a core with nothing to do.
_WAITING = (
    *("tests/browser/", "tests/tools/browser/", "tests/hostile/scripts/", "tests/tools/mcp/test_servers.py"),
    *("tests/benchmarks/test_faults.py", "tests/store/test_faults.py", "tests/e2e/test_crash.py"),
    *("tests/bench/test_server.py", "tests/cli/test_serve.py", "tests/server/compat/test_mcp.py"),
    *("tests/docs/test_site.py", "tests/flow/engines/test_engines.py", "tests/packs/workspace/code/"),
    *("tests/tools/python/", "tests/tools/run/", "tests/tools/sandbox/"),
)
_UNKNOWN_S = 0.5  # of a file that took less or is new


class TimedScheduling(WorkStealingScheduling):  # type: ignore[misc] # xdist has no types
    """Work stealing that begins with shares of equal time, where pytest-xdist's has shares of equal number."""

    def __init__(self, config: pytest.Config, log: Producer, seconds: Mapping[str, float]) -> None:
        super().__init__(config, log)
        self._seconds = seconds
        self._is_shared_out = False

    def check_schedule(self) -> None:
        """Share out all tests if none has been given to a process yet; then let idle processes take from others."""
        if self.collection and not self._is_shared_out:
            self._is_shared_out = True
            self.pending.clear()
            shares = share_out(self.collection, len(self.nodes), self._seconds)
            for node, tests in zip(self.nodes, shares, strict=True):
                self.node2pending[node].extend(tests)
                node.send_runtest_some(tests)
        super().check_schedule()


def share_out(tests: Sequence[str], count: int, seconds: Mapping[str, float]) -> list[list[int]]:
    """Indices of the tests for each of `count` processes, the longest files first; those that wait in the first one."""
    groups: dict[str, list[int]] = {}
    for index, test in enumerate(tests):
        groups.setdefault(_find_group(test), []).append(index)
    lengths = {name: _add_seconds({_find_file(tests[one]) for one in group}, seconds) for name, group in groups.items()}
    shares: list[list[int]] = [[] for _ in range(count)]
    loads = [0.0] * count
    fair_s = sum(lengths.values()) / count
    for name in sorted(groups, key=lambda name: (not _waits(tests[groups[name][0]]), -lengths[name])):
        has_room = _waits(tests[groups[name][0]]) and loads[0] + lengths[name] <= fair_s
        least = 0 if has_room else loads.index(min(loads))
        shares[least] += groups[name]
        loads[least] += lengths[name]
    return shares


def _find_group(test: str) -> str:
    """Name of what stays together: a file, or files that share something."""
    return next((group for path, group in _GROUPS.items() if test.startswith(path)), _find_file(test))


def _waits(test: str) -> bool:
    return test.startswith(_WAITING)


def _find_file(test: str) -> str:
    return test.partition("::")[0]


def _add_seconds(files: set[str], seconds: Mapping[str, float]) -> float:
    return sum(seconds.get(file, _UNKNOWN_S) for file in files)

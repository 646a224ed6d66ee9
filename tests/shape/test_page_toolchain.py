"""The page must build on every machine: the lock lists the native packages of each platform and names no host."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
WANTED: Mapping[str, Any] = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
LOCK: Mapping[str, Any] = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
PLACES: Mapping[str, Mapping[str, Any]] = LOCK["packages"]
LOCKED = {place: found for place, found in PLACES.items() if place}
MAX_FIRST_LOAD_BYTES = 90_000
KINDS = ("dependencies", "devDependencies")


class Machine(NamedTuple):
    os: str
    cpu: str
    libc: str | None = None

    def __str__(self) -> str:
        return "-".join(part for part in self if part)


MACHINES = (
    Machine("linux", "x64", "glibc"),
    Machine("linux", "x64", "musl"),
    Machine("linux", "arm64", "glibc"),
    Machine("linux", "arm64", "musl"),
    Machine("darwin", "arm64"),
    Machine("darwin", "x64"),
    Machine("win32", "x64"),
)


def _optional(place: str, packages: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """Yield the optional packages of the one at `place`, nested or shared; None for one that is not in the lock."""
    for name in packages[place].get("optionalDependencies", {}):
        yield name, packages.get(f"{place}/node_modules/{name}", packages.get(f"node_modules/{name}"))


def families(packages: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the packages that pick one of several native packages by processor."""
    return [place for place in packages if any(found and "cpu" in found for _, found in _optional(place, packages))]


def _runs_on(found: Mapping[str, Any], machine: Machine) -> bool:
    return all(
        value is None or value in found.get(what, (value,)) for what, value in machine._asdict().items()
    ) and bool(found.get("integrity"))


def missing(place: str, packages: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the machines for which this package has no native package in the lock."""
    natives = [found for _, found in _optional(place, packages) if found]
    return [str(machine) for machine in MACHINES if not any(_runs_on(found, machine) for found in natives)]


def test_the_native_packages_are_found() -> None:
    assert {"node_modules/lightningcss", "node_modules/rolldown", "node_modules/typescript"} <= set(families(LOCKED))


@pytest.mark.parametrize("place", families(LOCKED))
def test_a_native_package_is_there_for_every_machine(place: str) -> None:
    lacking = missing(place, LOCKED)
    assert not lacking, f"{place} has no package for {', '.join(lacking)}"


@pytest.mark.parametrize("place", [place for place in LOCKED if "optionalDependencies" in LOCKED[place]])
def test_every_optional_package_is_locked_in_the_version_asked_for(place: str) -> None:
    asked = LOCKED[place]["optionalDependencies"]
    others = [name for name, found in _optional(place, LOCKED) if not found or not fits(found["version"], asked[name])]
    assert others == []


def test_a_lock_made_on_one_machine_alone_is_noticed() -> None:
    alone: Mapping[str, Mapping[str, Any]] = {
        "node_modules/a": {"optionalDependencies": {"a-x64": "1.0.0", "a-arm64": "1.0.0"}},
        "node_modules/a-x64": {"os": ["linux"], "cpu": ["x64"], "libc": ["glibc"], "integrity": "sha512-…"},
    }
    assert families(alone) == ["node_modules/a"]
    assert missing("node_modules/a", alone) == [str(machine) for machine in MACHINES[1:]]


def test_the_lock_names_no_host() -> None:
    assert [place for place, found in LOCKED.items() if "resolved" in found] == []
    settings = (ROOT / "web" / ".npmrc").read_text("utf-8").splitlines()
    assert "omit-lockfile-registry-resolved=true" in settings
    assert not any("://" in line for line in settings)


def test_every_package_has_a_checksum() -> None:
    assert [place for place, found in LOCKED.items() if not found.get("integrity", "").startswith("sha512-")] == []


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.partition("-")[0].split("."))


def fits(version: str, asked: str) -> bool:
    """Return whether a version matches a range: `1.2.3`, `~1.2.3` or `^1.2.3`."""
    least = _numbers(asked.lstrip("^~"))
    same = {"^": 1 if least[0] else 2, "~": 2}.get(asked[0], len(least))
    return _numbers(version)[:same] == least[:same] and _numbers(version) >= least


@pytest.mark.parametrize(
    ("version", "asked", "is_one"),
    [
        ("1.2.15", "1.2.15", True),
        ("1.2.16", "1.2.15", False),
        ("1.2.15", "~1.2.14", True),
        ("1.3.0", "~1.2.14", False),
        ("1.2.13", "~1.2.14", False),
        ("1.9.0", "^1.2.3", True),
        ("2.0.0", "^1.2.3", False),
        ("0.2.9", "^0.2.3", True),
        ("0.3.0", "^0.2.3", False),
    ],
)
def test_a_range_is_read_as_npm_reads_it(version: str, asked: str, is_one: bool) -> None:
    assert fits(version, asked) is is_one


def test_the_lock_is_of_this_package_file() -> None:
    assert {kind: PLACES[""][kind] for kind in KINDS} == {kind: WANTED[kind] for kind in KINDS}
    asked = {name: version for kind in KINDS for name, version in WANTED[kind].items()}
    locked = {name: LOCKED[f"node_modules/{name}"]["version"] for name in asked}
    assert {name: asked[name] for name, version in locked.items() if not fits(version, asked[name])} == {}


def test_the_bundler_is_the_one_that_was_picked_and_that_the_builder_asks_for() -> None:
    assert {name: LOCKED[f"node_modules/{name}"]["version"] for name in WANTED["overrides"]} == WANTED["overrides"]
    assert [place for place in LOCKED if place.endswith("/rolldown")] == ["node_modules/rolldown"]
    picked, asked = WANTED["overrides"]["rolldown"], LOCKED["node_modules/vite"]["dependencies"]["rolldown"]
    assert fits(picked, asked), f"vite asks for rolldown {asked}"


def test_the_first_load_of_the_page_stays_small() -> None:
    """What a browser fetches before the page can be used; dialogs, the console and charts come when they are needed.

    One script and one style beside that of the theme: a browser loads six files at a time, and of fifteen parts the
    last ones were asked for after two waits.
    """
    folder = ROOT / "src" / "metier" / "server" / "ui"
    page = (folder / "index.html").read_text("utf-8")
    files = ["index.html", *re.findall(r'(?:src|href)="/([^"]+\.(?:js|css))"', page)]
    sizes = {name: len(gzip.compress((folder / name).read_bytes(), 9)) for name in files}
    assert len([name for name in files if name.startswith("assets/")]) == 2
    assert len(sizes) == 4
    assert sum(sizes.values()) <= MAX_FIRST_LOAD_BYTES, sizes

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.tools.sandbox import SandboxFinding, SandboxReport, _probe, probe
from metier.tools.sandbox import _landlock as landlock
from metier.tools.sandbox import _seccomp as seccomp


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    probe.cache_clear()
    yield
    probe.cache_clear()


def named(report: SandboxReport, name: str) -> SandboxFinding:
    return next(found for found in report.findings if found.name == name)


def test_every_means_has_a_sentence() -> None:
    report = probe()
    assert [found.name for found in report.findings] == [
        "landlock",
        "seccomp",
        "uid",
        "limits",
        "orphans",
        "bubblewrap",
    ]
    assert all(found.message for found in report.findings)
    assert report.message.startswith(f"tier {report.tier}: ")


def test_the_uid_is_dropped_by_root_alone() -> None:
    assert probe().drops_uid == (os.geteuid() == 0)


def test_without_landlock_there_is_no_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    report = probe()
    assert (report.tier, named(report, "landlock").holds) == (0, False)
    assert report.hint.startswith("use Linux 5.13")


def test_an_old_landlock_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 2)
    assert "truncate is refused altogether; signals are" in named(probe(), "landlock").message


def test_an_unknown_machine_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "this_machine", lambda: None)
    assert (probe().tier, named(probe(), "seccomp").holds) == (0, False)


def test_root_that_may_not_change_the_user_has_no_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(_probe, "_read_process_status", lambda: {"Seccomp": "0", "CapEff": "0000000000000000"})
    report = probe()
    assert (report.tier, named(report, "uid").holds) == (0, False)
    assert report.hint == "run Metier as an ordinary user, or grant SETUID, SETGID and CHOWN"


def test_root_whose_python_is_closed_to_others_has_no_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(_probe, "_read_process_status", lambda: {"Seccomp": "0", "CapEff": "00000000000000ff"})
    monkeypatch.setattr(_probe, "_is_uid_range_mapped", lambda first, last: True)
    monkeypatch.setattr(_probe, "find_unreachable", lambda paths: [(Path("/closed/python"), Path("/closed"))])
    report = probe()
    assert report.tier == 0
    assert named(report, "uid").message == "another user could not run Python: /closed is closed to others"


@pytest.mark.parametrize(("works", "tier"), [(True, 2), (False, 1)])
def test_bubblewrap_is_the_second_tier(works: bool, tier: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if probe().tier == 0:
        pytest.skip("this machine has no sandbox")
    probe.cache_clear()
    monkeypatch.setattr(_probe, "bubblewrap_prefix", lambda *, root: ("bwrap",) if works else None)
    monkeypatch.setattr(_probe, "is_installed", lambda: True)
    assert (probe().tier, named(probe(), "bubblewrap").holds) == (tier, works)

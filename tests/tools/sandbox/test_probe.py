import os
import platform
import sys
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


@pytest.fixture
def on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Linux that has Landlock and seccomp, whatever this machine has."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(landlock, "abi", lambda: 7)
    monkeypatch.setattr(seccomp, "this_machine", lambda: "aarch64")
    monkeypatch.setattr(_probe, "_read_process_status", lambda: {"Seccomp": "0", "CapEff": "0"})


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
        "paths",
    ]
    assert all(found.message for found in report.findings)
    assert report.message.startswith(f"tier {report.tier}: ")


def test_the_uid_is_dropped_by_root_alone() -> None:
    assert probe().drops_uid == (sys.platform == "linux" and os.geteuid() == 0)


@pytest.mark.usefixtures("on_linux")
def test_without_landlock_there_is_no_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    report = probe()
    assert (report.tier, named(report, "landlock").holds) == (0, False)
    assert report.message.endswith("scripts of untrusted skills are refused: the kernel has no Landlock")
    assert report.hint.startswith("use Linux 5.13")


def test_outside_linux_the_report_says_what_is_missing_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    report = probe()
    assert (report.tier, report.can_run) == (0, False)
    assert report.message == (
        "tier 0: no script and no command runs here: Landlock is a part of Linux, and this is Darwin; "
        "seccomp, which filters system calls, is a part of Linux too"
    )
    assert report.hint == "use Linux, if need be in a container or a virtual machine"


@pytest.mark.usefixtures("on_linux")
def test_an_old_landlock_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 2)
    assert "truncate is refused altogether; signals are" in named(probe(), "landlock").message


@pytest.mark.usefixtures("on_linux")
def test_an_unknown_machine_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "this_machine", lambda: None)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert (probe().tier, named(probe(), "seccomp").holds) == (0, False)
    assert "there is no system-call filter for riscv64" in probe().missing


@pytest.mark.usefixtures("on_linux")
def test_root_that_may_not_change_the_user_has_no_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(_probe, "_read_process_status", lambda: {"Seccomp": "0", "CapEff": "0000000000000000"})
    report = probe()
    assert (report.tier, named(report, "uid").holds) == (0, False)
    assert report.hint == "run Metier as an ordinary user, or grant SETUID, SETGID and CHOWN"


@pytest.mark.usefixtures("on_linux")
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
        pytest.skip(f"no sandbox here: {probe().missing}")
    probe.cache_clear()
    monkeypatch.setattr(_probe, "bubblewrap_prefix", lambda *, root: ("bwrap",) if works else None)
    monkeypatch.setattr(_probe, "is_installed", lambda: True)
    assert (probe().tier, named(probe(), "bubblewrap").holds) == (tier, works)

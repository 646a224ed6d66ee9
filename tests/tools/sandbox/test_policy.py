from dataclasses import replace
from pathlib import Path

import pytest

from metier.errors import SandboxMissing
from metier.tools.sandbox import (
    Isolation,
    ResourceLimits,
    Sandbox,
    SandboxFinding,
    SandboxPolicy,
    SandboxReport,
    Tier,
    build_job,
    choose_isolation,
)

ABSENT = SandboxFinding("landlock", False, "the kernel has no Landlock", "use Linux 5.13 or newer")
BARE = SandboxReport(0, 0, False, (ABSENT,))
WALLED = SandboxReport(1, 7, True, ())


@pytest.mark.parametrize(
    ("policy", "trusted", "report", "walls"),
    [
        ("required", False, WALLED, Isolation(1)),
        ("required", True, WALLED, Isolation(1)),
        ("best_effort", False, WALLED, Isolation(1)),
        ("best_effort", True, WALLED, Isolation(1)),
        ("best_effort", True, BARE, Isolation(0, confined=False)),
        ("off", True, WALLED, Isolation(0, confined=False, limited=False)),
        ("off", True, BARE, Isolation(0, confined=False, limited=False)),
        ("off", False, WALLED, Isolation(1)),
    ],
)
def test_the_walls_follow_the_policy(
    policy: SandboxPolicy, trusted: bool, report: SandboxReport, walls: Isolation
) -> None:
    assert choose_isolation(policy, report, trusted=trusted) == walls


@pytest.mark.parametrize(
    ("policy", "trusted"), [("required", False), ("required", True), ("best_effort", False), ("off", False)]
)
def test_without_a_sandbox_the_rest_is_refused_and_told_why(policy: SandboxPolicy, trusted: bool) -> None:
    with pytest.raises(SandboxMissing, match="the kernel has no Landlock") as caught:
        choose_isolation(policy, BARE, trusted=trusted)
    assert caught.value.hint == "use Linux 5.13 or newer"


@pytest.mark.parametrize("policy", ["required", "best_effort", "off"])
def test_where_scripts_cannot_run_none_runs(policy: SandboxPolicy) -> None:
    with pytest.raises(SandboxMissing, match="on Linux only"):
        choose_isolation(policy, replace(BARE, can_run=False), trusted=True)


@pytest.mark.parametrize("tier", [1, 2])
def test_the_tier_of_the_walls_is_the_machines(tier: Tier) -> None:
    assert choose_isolation("required", replace(WALLED, tier=tier), trusted=False).tier == tier


def test_a_job_has_the_limits_and_a_clean_environment(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path, readable=(tmp_path / "in",), limits=ResourceLimits(memory_bytes=1, processes=2))
    job = build_job(sandbox, Isolation(1), WALLED, 60001)
    assert (job.memory_bytes, job.processes, job.uid, job.abi) == (1, 2, 60001, 7)
    assert dict(job.environment) == {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(tmp_path)}
    assert (job.readable, job.writable) == ((str(tmp_path / "in"),), (str(tmp_path),))


@pytest.mark.parametrize("walls", [Isolation(0, confined=False), Isolation(0, confined=False, limited=False)])
def test_without_walls_nobody_changes_the_user(walls: Isolation, tmp_path: Path) -> None:
    assert build_job(Sandbox(tmp_path), walls, WALLED, 60001).uid is None


def test_an_ordinary_user_stays_who_he_is(tmp_path: Path) -> None:
    assert build_job(Sandbox(tmp_path), Isolation(1), replace(WALLED, drops_uid=False), 60001).uid is None

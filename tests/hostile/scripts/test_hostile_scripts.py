"""A hostile corpus: with walls every action is refused or contained; without them it gets its way."""

import fcntl
import functools
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metier.tools.sandbox import probe
from tests.capabilities import SYS_ADMIN, has_capability, is_filtered
from tests.hostile.scripts.corpus import DENIED, EXCESSES, HIDDEN, NEVER, Excess, Try
from tests.tools.sandbox.support import find_bubblewrap

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
IS_ROOT = os.geteuid() == 0
STREAM_CHARS = 4100
BUBBLEWRAP = find_bubblewrap()
IN_A_CONTAINER = is_filtered() or (IS_ROOT and not has_capability(SYS_ADMIN))

pytestmark = pytest.mark.skipif(probe().tier == 0, reason=f"no sandbox here: {probe().missing}")


Outcomes = dict[str, Any]
Corpus = Callable[[str, str], Outcomes]


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The corpus by policy and user, each run once, however many workers share the tests."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    @functools.cache
    def outcomes(policy: str, user: str) -> Outcomes:
        kept = shared / f"hostile-scripts-{policy}-{user}.json"
        with kept.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.exists():
                kept.write_text(_play(policy, user), "utf-8")
        found: Outcomes = json.loads(kept.read_text("utf-8"))
        return found

    return outcomes


def _play(policy: str, user: str) -> str:
    """A process of its own plays the server; as root it may become somebody else with no other processes."""
    abi = "1" if user == "old-kernel" else "99"
    # Others find no bubblewrap, where it is installed for all neither; no try looks a program up by its name.
    path = str(BUBBLEWRAP.parent) if BUBBLEWRAP and user.startswith("bubblewrap") else "/nowhere"
    around = ["container"] if user == "container" else []
    as_root = user in ("root", "same", "bubblewrap-root") or not IS_ROOT
    user = "same" if as_root else str(200_000 + os.getpid() % 10_000)
    with tempfile.TemporaryDirectory() as area:
        Path(area).chmod(0o755)  # scripts run as other users
        command = [sys.executable, "-m", "tests.hostile.scripts.harness", area, policy, user, abi, *around]
        environment = {"PATH": path, "TOKEN": "swordfish", "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(sys.path[1:])  # the sources under test, wherever they lie
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


AS_ROOT = pytest.mark.skipif(not IS_ROOT, reason="needs root")
NO_BUBBLEWRAP = pytest.mark.skipif(BUBBLEWRAP is None, reason="bubblewrap is not installed: METIER_TEST_BUBBLEWRAP")
USERS = [
    pytest.param("root", marks=AS_ROOT, id="as-root"),
    pytest.param("ordinary", id="as-ordinary-user"),
    pytest.param("old-kernel", id="as-ordinary-user-on-an-old-kernel"),
    pytest.param("container", id="as-ordinary-user-in-a-container"),
    pytest.param("bubblewrap", marks=NO_BUBBLEWRAP, id="as-ordinary-user-in-bubblewrap"),
    pytest.param("bubblewrap-root", marks=[NO_BUBBLEWRAP, AS_ROOT], id="as-root-in-bubblewrap"),
]
WALLS = pytest.mark.parametrize("user", USERS)


def ids(case: Try | Excess) -> str:
    return case.sentence.replace(" ", "-")


@WALLS
def test_with_walls_a_script_cannot(corpus: Corpus, user: str) -> None:
    outcomes = corpus("required", user)
    assert {case.sentence: outcomes[case.action] for case in (*DENIED, *NEVER) if not _is_refused(outcomes, case)} == {}


def _is_refused(outcomes: Outcomes, case: Try) -> bool:
    outcome = outcomes[case.action]
    return outcome["data"] is not None and not outcome["data"]["done"] and not outcome["harmed"]


@pytest.mark.skipif(IN_A_CONTAINER, reason="the container that this runs in allows no mounts")
@pytest.mark.parametrize(
    "user", [param for param in USERS if param.values[0] not in ("ordinary", "old-kernel", "container")]
)
def test_with_a_root_of_its_own_a_script_cannot(corpus: Corpus, user: str) -> None:
    outcomes = corpus("required", user)
    assert [case.sentence for case in HIDDEN if outcomes[case.action]["data"]["done"]] == []


@pytest.mark.parametrize("case", [*HIDDEN], ids=ids)
def test_without_a_root_of_its_own_a_script_can(corpus: Corpus, case: Try) -> None:
    """What docs/security.md says is not promised without bubblewrap; if this fails, the page can promise more."""
    assert corpus("required", "ordinary")[case.action]["data"]["done"]


@NO_BUBBLEWRAP
@pytest.mark.parametrize("user", ["bubblewrap", pytest.param("bubblewrap-root", marks=AS_ROOT)])
def test_bubblewrap_is_in_use_where_the_test_says_so(corpus: Corpus, user: str) -> None:
    assert corpus("required", user)["tier"] == 2


NOT_HERE: dict[str, Callable[[], bool]] = {
    "other_abi": lambda: platform.machine() != "x86_64",
    "open_magic_key": lambda: not Path("/proc/sysrq-trigger").exists(),
}


@pytest.mark.parametrize("case", DENIED, ids=ids)
def test_without_walls_the_same_script_can(corpus: Corpus, case: Try) -> None:
    if case.root and not IS_ROOT:
        pytest.skip("without walls only root could do this")
    if NOT_HERE.get(case.action, bool)():
        pytest.skip("this machine cannot do it at all")
    outcome = corpus("off", "same")[case.action]
    assert outcome["data"] is not None, outcome["message"]
    if not outcome["data"]["done"] and IN_A_CONTAINER:
        pytest.skip("the container that this runs in refuses it already")
    assert outcome["data"]["done"], outcome["data"]


@pytest.mark.parametrize("case", NEVER, ids=ids)
def test_even_without_walls_a_script_cannot(corpus: Corpus, case: Try) -> None:
    assert corpus("off", "same")[case.action]["data"] == {"done": False}


@WALLS
def test_a_script_that_does_too_much_is_contained(corpus: Corpus, user: str) -> None:
    outcomes = corpus("required", user)
    assert {case.sentence: outcomes[case.action] for case in EXCESSES if not _is_contained(outcomes, case)} == {}


def _is_contained(outcomes: Outcomes, case: Excess) -> bool:
    outcome = outcomes[case.action]
    return outcome["code"] == case.code and not outcome["harmed"] and outcome["notes_chars"] < 2 * STREAM_CHARS


@WALLS
@pytest.mark.skipif(platform.machine() != "x86_64", reason="only this machine has calls of an older one")
def test_a_call_in_the_numbers_of_another_machine_kills(corpus: Corpus, user: str) -> None:
    assert corpus("required", user)["other_machine"]["message"] == "hostile was killed by SIGSYS"


@WALLS
def test_nobody_survives(corpus: Corpus, user: str) -> None:
    assert corpus("required", user)["survivors"] == []
    assert corpus("required", user)["running"] == []


@WALLS
def test_a_flood_does_not_fill_the_server_and_is_noted_as_cut(corpus: Corpus, user: str) -> None:
    outcomes = corpus("required", user)
    floods = ("flood_stdout", "flood_stderr", "flood_result")
    assert [flood for flood in floods if outcomes[flood]["grown_bytes"] >= 8 << 20] == []
    assert [flood for flood in floods[:2] if not outcomes[flood]["cut"]] == []


def test_killing_the_group_would_not_have_been_enough(tmp_path: Path) -> None:
    """The usual way, to see that the orphan of the corpus is a real one."""
    code = (
        "from tests.hostile.scripts import hostile; import os; os.chdir(os.environ['AREA']); hostile.leave_an_orphan()"
    )
    environment = {"AREA": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], env=environment, start_new_session=True, check=True)
    orphan = int((tmp_path / "orphan").read_text().split()[0])
    os.kill(orphan, signal.SIGTERM)
    os.kill(orphan, 0)
    os.kill(orphan, signal.SIGKILL)
    while Path(f"/proc/{orphan}").exists():
        time.sleep(0.005)

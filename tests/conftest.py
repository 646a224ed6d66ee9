"""Every test runs in a folder of its own, with no settings of the machine it runs on."""

import gc
import os
import re
import shutil
import tempfile
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from _pytest.tmpdir import tmppath_result_key
from hypothesis.internal.conjecture import providers

from tests import case_tables, linear_algebra
from tests.capabilities import SYS_ADMIN, has_capability
from tests.case_tables import pytest_addoption, pytest_generate_tests, pytest_pycollect_makeitem
from tests.office_files import _office_files_read_here
from tests.once import (
    _certificates_read_once,
    _entry_points_read_once,
    _files_not_synced,
    _offsets_computed_once,
    _patterns_compiled_once,
    _patterns_looked_for_once,
    _shared_folder,
    _signatures_read_once,
    _skills_read_once,
    _sqlite_migrated_once,
    _sqlite_not_synced,
    _statements_compiled_once,
    _templates_compiled_once,
    _texts_embedded_once,
    _utf8_known_at_once,
)
from tests.postgres import postgres_server, postgres_url
from tests.time_limit import pytest_runtest_call, pytest_runtest_setup, pytest_runtest_teardown

__all__ = [
    "_certificates_read_once",
    "_entry_points_read_once",
    "_files_not_synced",
    "_office_files_read_here",
    "_offsets_computed_once",
    "_patterns_compiled_once",
    "_patterns_looked_for_once",
    "_shared_folder",
    "_signatures_read_once",
    "_skills_read_once",
    "_sqlite_migrated_once",
    "_sqlite_not_synced",
    "_statements_compiled_once",
    "_templates_compiled_once",
    "_texts_embedded_once",
    "_utf8_known_at_once",
    "linear_algebra",
    "postgres_server",
    "postgres_url",
    "pytest_addoption",
    "pytest_generate_tests",
    "pytest_pycollect_makeitem",
    "pytest_runtest_call",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
]

# Weights are unpacked into the project's own cache folder, not into that of whoever runs the tests.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parent.parent / ".cache")

# How long an example takes says something about the machine, nothing about the code. The seed is fixed, so that a run
# is the same everywhere: thirty examples that never change guard what holds today, and the thousand of `make nightly`,
# with a random seed, look for new faults.
hypothesis.settings.register_profile("fixed", deadline=None, max_examples=30, derandomize=True)
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=1000, print_blob=True)
hypothesis.settings.load_profile("fixed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let the fixed examples be the same everywhere: no values from the source of whatever happens to be imported.

    Hypothesis would parse every module of the project for them, in each test process; those of `make nightly` do.
    """
    case_tables.pytest_configure(config)
    if config.getoption("hypothesis_profile", None) in (None, "fixed"):
        providers._get_local_constants = lambda: providers._local_constants


_NUMBERS = count(1)
_GARBAGE_THRESHOLD = 10_000  # objects; with Python's 700, a tenth of the run was garbage collection


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the modules and the test items, which live as long as the process, out of every later garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(_GARBAGE_THRESHOLD)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Delete what processes shared in pickled form: it is large, and pytest keeps the folders of three runs."""
    base = session.config._tmp_path_factory._basetemp  # type: ignore[attr-defined]
    if base is not None and not hasattr(session.config, "workerinput"):
        for path in base.glob("*.pickle"):
            path.unlink()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A new folder per test, kept if the test fails.

    pytest's own reads the names of all earlier ones to number it: 3 ms after 4,000 tests. And it keeps all of them for
    three runs: to delete a file that is on the disk already waits for it, 8 ms, which was a minute for those of a run.
    """
    name = re.sub(r"[^A-Za-z0-9]", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / f"{next(_NUMBERS)}-{name}"
    folder.mkdir(mode=0o700)
    yield folder
    if all(request.node.stash.get(tmppath_result_key, {}).values()):
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True, scope="session")
def _work_done_once(request: pytest.FixtureRequest) -> None:
    """Ask for every fixture of work that is done once; pytest looks up each that is asked for on its own per test."""
    for name in __all__:
        if name.startswith("_"):
            request.getfixturevalue(name)


# As root, scripts run as other users. To let them into pytest's closed folders, the sandbox needs SYS_ADMIN, which root
# does not have in most containers.
_CANNOT_OPEN_PATHS = os.geteuid() == 0 and not has_capability(SYS_ADMIN)


def _open_to_others(folder: Path, top: Path) -> None:
    """Let other users walk to a folder below `top`."""
    for each in (folder, *folder.parents):
        if each.is_relative_to(top) and each != top:
            each.chmod(0o755)


@pytest.fixture(autouse=True)
def _a_clean_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("METIER_", "AH32_")) or name in ("SKILLS_DIR", "TELEMETRY_MODE"):
            monkeypatch.delenv(name)
    if _CANNOT_OPEN_PATHS:
        _open_to_others(tmp_path, Path(tempfile.gettempdir()))
    monkeypatch.chdir(tmp_path)

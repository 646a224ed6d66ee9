import sys
import sysconfig
from itertools import permutations
from pathlib import Path

from metier.tools.sandbox._shared_paths import list_shared_paths


def test_the_interpreter_and_its_packages_can_be_read() -> None:
    needed = [Path(sysconfig.get_paths()[name]).resolve() for name in ("stdlib", "purelib")]
    needed.append(Path(sys.executable).resolve())
    assert all(any(path.is_relative_to(common) for common in list_shared_paths()) for path in needed)


def test_no_home_no_temporary_folder_no_accounts() -> None:
    for path in ("/root", "/home", "/tmp", "/var", "/etc", "/proc", "/sys", "/etc/passwd", "/etc/shadow", sys.prefix):
        assert path not in list_shared_paths() or path == "/usr"


def test_nothing_is_named_twice() -> None:
    assert not [(one, two) for one, two in permutations(map(Path, list_shared_paths()), 2) if one.is_relative_to(two)]

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metier.tools.sandbox import COMMAND_UIDS, SCRIPT_UIDS
from metier.tools.sandbox._path_access import grant, revoke
from metier.workspaces import delete_tree
from tests.capabilities import SYS_ADMIN, has_capability

pytestmark = pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root on Linux")


def owners(folder: Path) -> dict[str, int]:
    return {path.name: path.lstat().st_uid for path in (folder, *folder.rglob("*"))}


def test_the_two_kinds_of_users_do_not_overlap() -> None:
    assert not set(SCRIPT_UIDS) & set(COMMAND_UIDS)


def test_a_folder_is_lent_with_all_in_it_and_taken_back(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    (folder / "子").mkdir(parents=True)
    (folder / "子" / "文件").write_text("x")
    grant(str(folder), 60001)
    assert set(owners(folder).values()) == {60001}
    revoke(str(folder))
    assert set(owners(folder).values()) == {0}


def test_a_tree_deeper_than_the_stack_is_lent_as_far_as_runs_can_use_it(tmp_path: Path) -> None:
    here = tmp_path / "work"
    here.mkdir()
    place = os.open(here, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=place)
        below = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(place)
    grant(str(here), 60001)
    assert Path(here, *["d"] * 40).stat().st_uid == 60001
    delete_tree(here)
    assert not here.exists()


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "work", tmp_path / "outside"
    folder.mkdir()
    outside.write_text("x")
    (folder / "soft").symlink_to(outside)
    (folder / "hard").hardlink_to(outside)
    grant(str(folder), 60001)
    assert outside.stat().st_uid == 0


def test_where_a_script_is_at_work_nothing_changes_hands(tmp_path: Path) -> None:
    busy = tmp_path / "busy"
    busy.mkdir()
    (busy / "half").write_text("x")
    grant(str(busy), SCRIPT_UIDS[0])
    grant(str(tmp_path), COMMAND_UIDS[0])
    assert owners(busy) == {"busy": SCRIPT_UIDS[0], "half": SCRIPT_UIDS[0]}
    assert tmp_path.stat().st_uid == COMMAND_UIDS[0]


WALK = """
import os, sys
from metier.tools.sandbox._path_access import make_reachable
make_reachable(sys.argv[1:2])
os.setresuid(60001, 60001, 60001)
def can(path):
    try:
        return open(path).read()
    except OSError as error:
        return type(error).__name__
print(can(sys.argv[2]), can(sys.argv[3]))
"""


@pytest.mark.skipif(not has_capability(SYS_ADMIN), reason="root may not mount here: no SYS_ADMIN")
def test_a_way_is_opened_through_a_closed_folder_and_to_nothing_else(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "skill").mkdir(parents=True)
    (closed / "skill" / "a").write_text("data")
    (closed / "secret").write_text("secret")
    closed.chmod(0o700)
    words = [sys.executable, "-c", WALK, str(closed / "skill"), str(closed / "skill" / "a"), str(closed / "secret")]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["data", "FileNotFoundError"]
    assert (closed / "secret").read_text() == "secret"

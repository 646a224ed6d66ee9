"""Unpacked weights: whatever stands in the cache folder, the vectors are right and the start goes on."""

import fcntl
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from metier.routing.vectors._unpacked import UnpackedWeights, find_cache_folder, load_unpacked, store_unpacked

WEIGHTS: dict[str, NDArray[Any]] = {
    "b": np.arange(6, dtype=np.float32).reshape(2, 3),
    "table": np.arange(20_000, dtype=np.uint8),
}
IS_ROOT = os.geteuid() == 0


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    file = tmp_path / "weights.npz"
    file.write_bytes(b"compressed")
    return file


def is_right(held: UnpackedWeights | None) -> bool:
    return held is not None and all(np.array_equal(held.weights[name], one) for name, one in WEIGHTS.items())


def list_names() -> list[str]:
    return sorted(one.name for one in find_cache_folder().iterdir())


def test_weights_are_unpacked_once_and_then_mapped(packed: Path) -> None:
    assert load_unpacked("one", packed, "d1") is None
    assert store_unpacked("one", packed, "d1", WEIGHTS) is not None
    held = load_unpacked("one", packed, "d1")
    assert held is not None
    held.release_pages("table")
    assert is_right(held)


def test_a_file_that_is_not_what_was_written_for_this_package_is_not_used(packed: Path) -> None:
    store_unpacked("one", packed, "d1", WEIGHTS)
    file = find_cache_folder() / "one.weights"
    whole = file.read_bytes()
    header = whole.index(b"\0")
    flipped = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in (*range(header), -1)]
    for damaged in (b"", whole[:9], whole[:-1], whole[:-1] + b"x", b"[]" + whole[2:], b"{" + whole[1:], *flipped):
        file.write_bytes(damaged)
        assert load_unpacked("one", packed, "d1") is None or damaged == whole
    file.write_bytes(whole)
    assert is_right(load_unpacked("one", packed, "d1"))
    assert load_unpacked("one", packed, "d2") is None  # the graph was built for another file
    os.utime(packed, ns=(1, 1))  # another version of the package
    assert load_unpacked("one", packed, "d1") is None


def _link_file(folder: Path, file: Path) -> None:
    file.rename(folder.parent / "elsewhere")
    file.symlink_to(folder.parent / "elsewhere")


def _link_folder(folder: Path, file: Path) -> None:
    folder.symlink_to(folder.rename(folder.parent / "elsewhere"))


def _put_pipe(folder: Path, file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _put_folder(folder: Path, file: Path) -> None:
    file.unlink()
    file.mkdir()


ATTACKS: dict[str, Callable[[Path, Path], object]] = {
    "the file is a link": _link_file,
    "the folder is a link": _link_folder,
    "the file is a pipe": _put_pipe,
    "the file is a folder": _put_folder,
    "others may write to the file": lambda folder, file: file.chmod(0o666),
    "others may write to the folder": lambda folder, file: folder.chmod(0o777),
    **({"the file is another user's": lambda folder, file: os.chown(file, 65534, 65534)} if IS_ROOT else {}),
    **({"the folder is another user's": lambda folder, file: os.chown(folder, 65534, 65534)} if IS_ROOT else {}),
}


def test_what_another_user_may_have_planted_is_neither_used_nor_waited_for(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = []
    for number, (name, attack) in enumerate(ATTACKS.items()):
        monkeypatch.setenv("HOME", str(tmp_path / str(number)))
        store_unpacked("one", packed, "d1", WEIGHTS)
        folder = find_cache_folder()
        attack(folder, folder / "one.weights")
        if load_unpacked("one", packed, "d1") is not None:
            used.append(name)
        again = store_unpacked("one", packed, "d1", WEIGHTS)
        if again is not None and not is_right(again):
            used.append(f"{name}, when written again")
    assert used == []


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a folder to another user")
def test_nothing_is_made_in_the_home_of_another_user(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "theirs"
    home.mkdir()
    os.chown(home, 65534, 65534)
    monkeypatch.setenv("HOME", str(home))
    assert store_unpacked("one", packed, "d1", WEIGHTS) is None
    assert list(home.iterdir()) == []


def test_without_a_writable_cache_folder_nothing_is_stored(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for home in (str(packed), "relative", "", "/proc/nowhere"):
        monkeypatch.setenv("HOME", home)
        assert store_unpacked("one", packed, "d1", WEIGHTS) is None
        assert load_unpacked("one", packed, "d1") is None


def test_processes_that_unpack_at_once_all_get_the_weights_and_leave_one_file(packed: Path) -> None:
    with ThreadPoolExecutor(8) as several:
        held = list(several.map(lambda _: store_unpacked("one", packed, "d1", WEIGHTS), range(32)))
    assert all(map(is_right, held))
    assert list_names() == ["one.weights"]


def test_what_a_dead_process_was_writing_is_deleted_and_what_a_live_one_writes_is_not(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_unpacked("one", packed, "d1", WEIGHTS)
    folder = find_cache_folder()
    (folder / ".one-dead").write_bytes(b"half")
    with (folder / ".one-live").open("wb") as live:
        fcntl.flock(live, fcntl.LOCK_EX)
        assert is_right(store_unpacked("one", packed, "d1", WEIGHTS))
        assert list_names() == [".one-live", "one.weights"]

    def fill_disk(_file: int) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("os.fsync", fill_disk)
    assert store_unpacked("one", packed, "d1", WEIGHTS) is None
    assert list_names() == ["one.weights"]

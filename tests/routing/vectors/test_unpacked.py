import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from metier.routing.vectors._unpacked import find_cache_folder, load_unpacked, store_unpacked

WEIGHTS: dict[str, NDArray[Any]] = {
    "b": np.arange(6, dtype=np.float32).reshape(2, 3),
    "table": np.arange(20_000, dtype=np.uint8),
}


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    file = tmp_path / "weights.npz"
    file.write_bytes(b"compressed")
    return file


def test_weights_are_unpacked_once_and_then_mapped(packed: Path) -> None:
    assert load_unpacked("one", packed, "d1") is None
    assert store_unpacked("one", packed, "d1", WEIGHTS) is not None
    held = load_unpacked("one", packed, "d1")
    assert held is not None
    held.release_pages("table")
    assert {name: one.tolist() for name, one in held.weights.items()} == {
        name: one.tolist() for name, one in WEIGHTS.items()
    }


def test_a_file_that_is_not_what_was_written_for_this_package_is_not_used(packed: Path) -> None:
    store_unpacked("one", packed, "d1", WEIGHTS)
    file = find_cache_folder() / "one.weights"
    whole = file.read_bytes()
    for damaged in (b"", whole[:9], whole[:-1], whole[:-1] + b"x", b"[]" + whole[2:], b"{" + whole[1:]):
        file.write_bytes(damaged)
        assert load_unpacked("one", packed, "d1") is None or damaged == whole
    file.write_bytes(whole)
    assert load_unpacked("one", packed, "d1") is not None
    assert load_unpacked("one", packed, "d2") is None  # the graph was built for another file
    os.utime(packed, ns=(1, 1))  # another version of the package
    assert load_unpacked("one", packed, "d1") is None


def test_without_a_writable_cache_folder_nothing_is_stored(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(packed))
    assert store_unpacked("one", packed, "d1", WEIGHTS) is None
    assert load_unpacked("one", packed, "d1") is None

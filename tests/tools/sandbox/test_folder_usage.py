import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.tools.sandbox import FolderUsage, measure_folder, open_folder, walk_tree
from metier.workspaces import delete_tree
from tests.tools.sandbox.support import open_files


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    delete_tree(tmp_path)


def measure(folder: Path, max_files: int = 1000, max_depth: int = 32) -> FolderUsage:
    root = open_folder(str(folder))
    try:
        return measure_folder(root, max_files, max_depth)
    finally:
        os.close(root)


def make_deep(folder: Path, levels: int) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_files_folders_and_depth_are_counted(folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "c").write_bytes(b"12345")
    (folder / "d").write_bytes(b"123")
    assert measure(folder) == FolderUsage(8, 4, 3)


def test_a_sparse_file_counts_with_its_whole_size(folder: Path) -> None:
    with (folder / "sparse").open("wb") as file:
        file.truncate(1 << 30)
    assert measure(folder).size_bytes == 1 << 30


def test_two_names_of_one_file_count_as_two_files_of_one_size(folder: Path) -> None:
    (folder / "one").write_bytes(b"12345")
    (folder / "two").hardlink_to(folder / "one")
    assert measure(folder) == FolderUsage(5, 2, 1)


def test_links_are_not_followed(folder: Path) -> None:
    (folder / "up").symlink_to("..")
    assert measure(folder) == FolderUsage(0, 1, 1)


@pytest.mark.parametrize("levels", [9, 3000])
def test_a_deep_tree_is_measured_to_its_limit_and_no_further(folder: Path, levels: int) -> None:
    make_deep(folder, levels)
    before = open_files()
    assert measure(folder, max_depth=8) == FolderUsage(0, 9, 9)
    assert open_files() == before


def test_counting_ends_at_the_limit(folder: Path) -> None:
    for number in range(50):
        (folder / str(number)).touch()
    assert measure(folder, max_files=10).files == 11


def test_a_walk_that_is_left_early_closes_what_it_opened(folder: Path) -> None:
    make_deep(folder, 20)
    root = open_folder(str(folder))
    before = open_files()
    walk = walk_tree(root, 32)
    for _ in range(10):
        next(walk)
    walk.close()  # type: ignore[attr-defined]
    assert open_files() == before
    os.close(root)

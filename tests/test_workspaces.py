"""Folders of conversations: no id leads out of the storage folder, and deleting knows no depth."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.workspaces import delete_tree, has_files, workspace_folder

STORAGE = Path("/srv/metier")
TRAVERSALS = [".", "..", "../x", "/etc", "a/b", "..\\x", "", "\x00", "~", "a" * 300, "％２ｅ", "\ud800"]


@pytest.mark.parametrize("conversation", TRAVERSALS)
def test_an_id_that_is_no_plain_name_becomes_one(conversation: str) -> None:
    folder = workspace_folder(STORAGE, conversation)
    assert folder.parent == STORAGE / "workspaces"
    assert folder.name.startswith("id-")


@given(st.text(), st.text())
def test_no_id_leads_elsewhere_and_no_two_share_a_folder(one: str, other: str) -> None:
    folder = workspace_folder(STORAGE, one)
    assert Path(os.path.normpath(folder)).parent == STORAGE / "workspaces"
    assert (folder == workspace_folder(STORAGE, other)) == (one == other)


def test_an_id_of_ours_is_the_name_of_its_folder() -> None:
    assert workspace_folder(STORAGE, "0f3a-9_Z").name == "0f3a-9_Z"


def test_a_tree_of_any_depth_is_deleted(tmp_path: Path) -> None:
    root = tmp_path / "deep"
    root.mkdir()
    here = os.open(root, os.O_RDONLY)
    for _ in range(1500):  # deeper than the stack, and longer than a path may be
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.mkdir("folder", dir_fd=here)
        below = os.open("folder", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    delete_tree(root)
    assert not root.exists()


def test_a_link_is_deleted_and_not_followed(tmp_path: Path) -> None:
    kept, root = tmp_path / "kept", tmp_path / "root"
    (kept / "inner").mkdir(parents=True)
    (root / "sub").mkdir(parents=True)
    (root / "link").symlink_to(kept)
    (root / "sub" / "link").symlink_to(kept / "inner")
    delete_tree(root)
    assert not root.exists()
    assert (kept / "inner").is_dir()
    (tmp_path / "door").symlink_to(kept)
    delete_tree(tmp_path / "door")
    assert (kept / "inner").is_dir()


def test_a_folder_that_forbids_its_owner_is_deleted_too(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "closed" / "inner").mkdir(parents=True)
    (root / "closed").chmod(0)
    delete_tree(root)
    assert not root.exists()


def test_a_folder_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    delete_tree(tmp_path / "nowhere")


def test_a_folder_has_files_if_anything_lies_in_it(tmp_path: Path) -> None:
    assert not has_files(tmp_path)
    assert not has_files(tmp_path / "nowhere")
    (tmp_path / "documents").mkdir()
    assert has_files(tmp_path)

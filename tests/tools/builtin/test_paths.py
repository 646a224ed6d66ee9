"""No path leads out of a workspace, whatever lies in it."""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metier.tools import ToolError
from metier.tools.builtin._files import read_file_tool, write_file_tool
from metier.tools.builtin._find_files import list_dir_tool, search_files_tool
from metier.tools.builtin._paths import open_root
from tests.tools.builtin.support import code_of, data_of, names_in, open_files, plant, run

READ, WRITE, LIST, SEARCH = read_file_tool(), write_file_tool(8 << 20), list_dir_tool(), search_files_tool()

REFUSED = {
    "absolute": "/etc/passwd",
    "upwards": "../outside/secret.txt",
    "upwards in the middle": "a/../../outside/secret.txt",
    "upwards at the end": "a/..",
    "the home folder": "~/secret",
    "another user's home": "~root/.ssh/id_rsa",
    "a drive": "C:/Windows",
    "backslashes": "a\\..\\..\\outside",
    "a NUL": "a/plain.txt\x00.md",
    "a newline": "a\nb",
    "text that runs backwards": "a/\u202etxt.exe",
    "half a character": "a/\udcff",
    "a long name": "x" * 256,
    "a long Chinese name": "名" * 86,
    "too deep": "/".join("a" * 33),
    "a link to a file": "file",
    "a link to a folder": "out/secret.txt",
    "a link upwards": "a/up/outside/secret.txt",
    "a link to itself": "loop",
    "a hard link": "hard",
    "a pipe": "pipe",
    "a socket": "socket",
}


@pytest.mark.parametrize("path", REFUSED.values(), ids=REFUSED)
async def test_a_path_that_could_lead_out_is_refused(path: str, tmp_path: Path) -> None:
    secret = plant(tmp_path)
    for mode in ("create", "overwrite", "append"):
        result = await run(WRITE, tmp_path / "ws", path=path, content="x", mode=mode)
        assert code_of(result) in ("path_refused", "file_exists")
    assert code_of(await run(READ, tmp_path / "ws", path=path)) == "path_refused"
    assert code_of(await run(LIST, tmp_path / "ws", path=path)) in ("path_refused", "not_a_folder")
    assert code_of(await run(SEARCH, tmp_path / "ws", path=path, glob="*")) in ("path_refused", "not_a_folder")
    assert secret.untouched()


async def test_a_dangling_link_is_not_written_through(tmp_path: Path) -> None:
    secret = plant(tmp_path)
    for mode in ("create", "overwrite", "append"):
        assert code_of(await run(WRITE, tmp_path / "ws", path="new", content="x", mode=mode)) == "path_refused"
    assert secret.untouched()


STEPS = ("..", ".", "", "~", "…", "．．", "%2e%2e", "..%2f", "a\\..", "C:", "\x00", "名")
PLANTED = ("a", "b", "out", "file", "up", "loop", "new", "hard", "pipe", "socket", "deep", "secret.txt", "plain.txt")
NAMES = st.sampled_from((*STEPS, *PLANTED, "outside", "etc", "passwd"))
PATHS = st.one_of(
    st.lists(NAMES, min_size=1, max_size=7).map("/".join),
    st.text(max_size=30),
    st.lists(st.one_of(NAMES, st.text(max_size=4)), min_size=1, max_size=6).map("/".join),
)


@given(path=PATHS, mode=st.sampled_from(["create", "overwrite", "append"]))
@example(path="out/secret.txt", mode="overwrite")
@example(path="a/up/outside/secret.txt", mode="append")
def test_no_path_ever_reaches_outside(path: str, mode: str) -> None:
    if not path:
        return
    with TemporaryDirectory() as folder:
        secret = plant(Path(folder))
        workspace = Path(folder) / "ws"
        before = names_in(Path(folder))

        async def everything() -> None:
            read = await run(READ, workspace, path=path)
            await run(WRITE, workspace, path=path, content="MARK", mode=mode)
            listed = await run(LIST, workspace, path=path, depth=3)
            found = await run(SEARCH, workspace, path=path, text="SECRET")
            assert "SECRET" not in str((read.data or {}).get("content"))
            assert "secret.txt" not in str(listed.data)
            assert found.data is None or found.data["matches"] == []

        asyncio.run(everything())
        assert secret.untouched()
        assert names_in(Path(folder)) == before


async def test_a_folder_swapped_for_a_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The swap happens after the path was looked at and before it is opened."""
    secret = plant(tmp_path)
    workspace = tmp_path / "ws"
    (workspace / "a" / "b" / "secret.txt").write_text("mine", "utf-8")
    real = os.open

    def swapping(path: str, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        if path == "b":
            (workspace / "a" / "b").rename(workspace / "a" / "moved")
            (workspace / "a" / "b").symlink_to(secret.folder)
        return real(path, flags, *rest, dir_fd=dir_fd)

    monkeypatch.setattr("os.open", swapping)
    assert code_of(await run(READ, workspace, path="a/b/secret.txt")) == "path_refused"
    assert secret.untouched()


async def test_a_workspace_that_is_a_link_is_not_used(tmp_path: Path) -> None:
    secret = plant(tmp_path)
    (tmp_path / "linked").symlink_to(secret.folder)
    assert code_of(await run(READ, tmp_path / "linked", path="secret.txt")) == "workspace_unavailable"


def test_a_workspace_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "ws").write_text("x", "utf-8")
    with pytest.raises(ToolError) as caught, open_root(tmp_path / "ws"):
        pass
    assert caught.value.failure.code == "workspace_unavailable"


async def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    plant(tmp_path)
    before = open_files()
    for path in ("a/plain.txt", "a/none", "out/x", "pipe", "hard", "a/b"):
        await run(READ, tmp_path / "ws", path=path)
        await run(WRITE, tmp_path / "ws", path=path, content="x", mode="overwrite")
        await run(LIST, tmp_path / "ws", path=path)
        await run(SEARCH, tmp_path / "ws", text="x")
    assert open_files() == before


async def test_dots_and_double_slashes_say_nothing(tmp_path: Path) -> None:
    plant(tmp_path)
    assert data_of(await run(READ, tmp_path / "ws", path="./a//plain.txt"))["content"] == "plain"

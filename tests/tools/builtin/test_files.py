import asyncio
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metier.tools.builtin._files import MAX_READ_BYTES, read_file_tool, write_file_tool
from tests.tools.builtin.support import code_of, data_of, names_in, place, run

READ = read_file_tool()
WRITE = write_file_tool(8 << 20)


async def test_what_is_written_is_read(workspace: Path) -> None:
    made = data_of(await run(WRITE, workspace, path="笔记/周报.md", content="第一行\nsecond\n"))
    assert made == {"path": "笔记/周报.md", "size_bytes": 17, "created": True}
    read = data_of(await run(READ, workspace, path="笔记/周报.md"))
    assert (read["content"], read["lines"], read["size_bytes"]) == ("第一行\nsecond\n", 3, 17)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=400).filter(
    lambda text: not text.startswith(("\ufeff", "%PDF-", "GIF8"))
)


@given(text=TEXTS)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back_as_it_was_written(text: str, tmp_path: Path) -> None:
    async def there_and_back() -> object:
        await run(WRITE, tmp_path, path="t.txt", content=text, mode="overwrite")
        return data_of(await run(READ, tmp_path, path="t.txt"))["content"]

    assert asyncio.run(there_and_back()) == text


@given(parts=st.lists(TEXTS, max_size=4), offset=st.integers(1, 8), limit=st.integers(1, 4))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_reading_on_from_line_to_line_gives_the_whole_text(
    parts: list[str], offset: int, limit: int, tmp_path: Path
) -> None:
    text = "\n".join(parts)

    async def page(first: int, most: int) -> str:
        content = data_of(await run(READ, tmp_path, path="t.txt", offset=first, limit=most))["content"]
        assert isinstance(content, str)
        return content

    async def read_on() -> str:
        await run(WRITE, tmp_path, path="t.txt", content=text, mode="overwrite")
        starts = range(1, text.count("\n") + 2, limit)
        return "".join([await page(start, limit) for start in starts])

    if text and not text.startswith("\ufeff"):
        assert asyncio.run(read_on()) == text
        assert asyncio.run(page(offset, 10_000)) == "\n".join(text.split("\n")[offset - 1 :])


async def test_a_part_says_where_it_goes_on(workspace: Path) -> None:
    await run(WRITE, workspace, path="t", content="一\n二\n三\n四")
    result = await run(READ, workspace, path="t", offset=2, limit=2)
    read = data_of(result)
    assert (read["content"], read["first_line"], read["last_line"], read["lines"]) == ("二\n三\n", 2, 3, 4)
    assert result.notes == ("there is more; go on with offset 4",)


async def test_a_huge_line_is_cut_and_said_so(workspace: Path) -> None:
    await run(WRITE, workspace, path="t", content="甲" * 200_000)
    result = await run(READ, workspace, path="t")
    assert data_of(result)["content"] == "甲" * 150_000
    assert result.notes == ("cut after 150000 characters, inside line 1",)


async def test_a_huge_file_is_read_up_to_the_limit(workspace: Path) -> None:
    place(workspace, big="好" * (MAX_READ_BYTES // 3 + 5))
    result = await run(READ, workspace, path="big")
    assert "only the first 16 MiB of the file were read" in result.notes
    assert str(data_of(result)["content"]).startswith("好好")


ENCODED = {
    "UTF-8 with a mark": (b"\xef\xbb\xbfabc", "abc", True),
    "UTF-16, little end first": ("\ufeff甲乙".encode("utf-16-le"), "甲乙", True),
    "UTF-16, big end first": ("\ufeff甲乙".encode("utf-16-be"), "甲乙", True),
    "GBK": ("设备状态正常".encode("gbk"), "设备状态正常", False),
    "Windows": ("Café über Straße, déjà vu et naïveté".encode("cp1252"), "Café über Straße, déjà vu et naïveté", False),
}


@pytest.mark.parametrize(("raw", "text", "bom"), ENCODED.values(), ids=ENCODED)
async def test_other_encodings_are_read_and_said(raw: bytes, text: str, bom: bool, workspace: Path) -> None:
    place(workspace, t=raw)
    result = await run(READ, workspace, path="t")
    assert (data_of(result)["content"], data_of(result)["bom"]) == (text, bom)
    assert (raw[:3] == b"\xef\xbb\xbf") != any("not UTF-8" in note for note in result.notes)


BINARY = {
    "a picture": (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    "a PDF": (b"%PDF-1.7 text", "a PDF document"),
    "an Office file": (b"PK\x03\x04xx", "Office document"),
    "zeros": (b"ab\x00cd", "binary data"),
    "noise": (b"\x01\x02\xff\xfe\x03" * 9, "unknown encoding"),
}


@pytest.mark.parametrize(("raw", "kind"), BINARY.values(), ids=BINARY)
async def test_what_is_no_text_is_said_to_be_none(raw: bytes, kind: str, workspace: Path) -> None:
    place(workspace, t=raw)
    result = await run(READ, workspace, path="t")
    assert code_of(result) == "not_text"
    assert result.failure is not None
    assert kind in result.failure.message


async def test_create_leaves_a_file_that_is_there_alone(workspace: Path) -> None:
    await run(WRITE, workspace, path="t", content="old")
    assert code_of(await run(WRITE, workspace, path="t", content="new")) == "file_exists"
    assert (workspace / "t").read_text("utf-8") == "old"


async def test_append_adds_to_the_end_and_begins_a_file(workspace: Path) -> None:
    first = data_of(await run(WRITE, workspace, path="t", content="甲\n", mode="append"))
    second = data_of(await run(WRITE, workspace, path="t", content="乙\n", mode="append"))
    assert (first["created"], second["created"]) == (True, False)
    assert (workspace / "t").read_text("utf-8") == "甲\n乙\n"


async def test_appends_at_once_are_all_kept(workspace: Path) -> None:
    writes = [run(WRITE, workspace, path="t", content=f"{number}\n", mode="append") for number in range(20)]
    assert all(result.ok for result in await asyncio.gather(*writes))
    assert sorted((workspace / "t").read_text("utf-8").split(), key=int) == [str(number) for number in range(20)]


async def test_of_many_who_create_a_file_one_does(workspace: Path) -> None:
    results = await asyncio.gather(*(run(WRITE, workspace, path="t", content=str(number)) for number in range(8)))
    assert sum(result.ok for result in results) == 1


async def test_overwriting_keeps_the_permissions_and_leaves_nothing_behind(workspace: Path) -> None:
    await run(WRITE, workspace, path="run.sh", content="old")
    (workspace / "run.sh").chmod(0o750)
    data_of(await run(WRITE, workspace, path="run.sh", content="new", mode="overwrite"))
    assert stat.S_IMODE((workspace / "run.sh").stat().st_mode) == 0o750
    assert names_in(workspace) == ["run.sh"]


async def test_a_failed_write_leaves_the_old_text_and_no_scraps(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run(WRITE, workspace, path="t", content="old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.rename", full)
    assert code_of(await run(WRITE, workspace, path="t", content="new", mode="overwrite")) == "write_failed"
    assert code_of(await run(WRITE, workspace, path="u", content="new")) == "write_failed"
    assert names_in(workspace) == ["t"]
    assert (workspace / "t").read_text("utf-8") == "old"


async def test_the_workspace_holds_only_so_much(workspace: Path) -> None:
    small = write_file_tool(100)
    data_of(await run(small, workspace, path="a", content="x" * 60))
    full = await run(small, workspace, path="b", content="x" * 60)
    assert code_of(full) == "workspace_full"
    assert full.failure is not None
    assert "60 bytes of 100 bytes" in full.failure.message
    data_of(await run(small, workspace, path="a", content="x" * 90, mode="overwrite"))
    assert code_of(await run(small, workspace, path="a", content="x" * 20, mode="append")) == "workspace_full"


UNWRITABLE = {"half a character": "a\ud800", "a NUL": "a\x00b"}


@pytest.mark.parametrize("content", UNWRITABLE.values(), ids=UNWRITABLE)
async def test_what_is_no_text_is_not_written(content: str, workspace: Path) -> None:
    assert code_of(await run(WRITE, workspace, path="t", content=content)) == "invalid_text"
    assert not (workspace / "t").exists()


async def test_a_text_beyond_the_limit_is_not_written(workspace: Path) -> None:
    assert code_of(await run(WRITE, workspace, path="t", content="甲" * (2 << 20))) == "too_large"


async def test_missing_files_and_folders_are_said_to_be_that(workspace: Path) -> None:
    await run(WRITE, workspace, path="a/t", content="x")
    assert code_of(await run(READ, workspace, path="none")) == "not_found"
    assert code_of(await run(READ, workspace, path="none/t")) == "not_found"
    assert code_of(await run(READ, workspace, path="a")) == "is_a_folder"
    assert code_of(await run(READ, workspace, path=".")) == "is_a_folder"
    assert code_of(await run(READ, workspace, path="a/t/deeper")) == "not_a_folder"
    assert code_of(await run(WRITE, workspace, path="a", content="x", mode="overwrite")) == "is_a_folder"


async def test_a_decomposed_name_is_the_composed_one(workspace: Path) -> None:
    await run(WRITE, workspace, path="cafe\u0301.md", content="x")
    assert names_in(workspace) == ["caf\u00e9.md"]
    assert data_of(await run(READ, workspace, path="caf\u00e9.md"))["content"] == "x"


async def test_a_name_that_came_decomposed_is_found_and_not_doubled(workspace: Path) -> None:
    place(workspace, **{"cafe\u0301.md": "x"})
    assert data_of(await run(READ, workspace, path="caf\u00e9.md"))["content"] == "x"
    assert code_of(await run(WRITE, workspace, path="caf\u00e9.md", content="y")) == "file_exists"

from pathlib import Path

import pytest

from metier.json_values import JsonValue
from metier.tools.builtin._find_files import list_dir_tool, matches_glob, search_files_tool
from tests.tools.builtin.support import code_of, data_of, place, plant, rows_of, run

LIST, SEARCH = list_dir_tool(), search_files_tool()


@pytest.fixture
def _files(workspace: Path) -> None:
    for path, text in {
        "报告/一月.md": "# 一月\n收入上升了\n支出下降\n",
        "报告/二月.md": "# 二月\n收入下降了\n",
        "notes/todo.txt": "Buy milk\nbuy TEA\r\n" + "x" * 900 + " needle " + "y" * 900,
        "notes/deep/a/b/c.md": "deep",
        "main.py": "def main() -> None: ...\n",
    }.items():
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_bytes(text.encode())


@pytest.mark.usefixtures("_files")
async def test_a_listing_names_kinds_and_sizes(workspace: Path) -> None:
    listed = await run(LIST, workspace)
    assert data_of(listed) == {
        "path": ".",
        "entries": [
            {"path": "main.py", "kind": "file", "size_bytes": 24},
            {"path": "notes", "kind": "folder"},
            {"path": "报告", "kind": "folder"},
        ],
    }


@pytest.mark.usefixtures("_files")
async def test_a_listing_goes_as_deep_as_asked(workspace: Path) -> None:
    for depth, deepest in ((1, "notes/todo.txt"), (2, "notes/deep/a"), (3, "notes/deep/a/b")):
        rows = rows_of(await run(LIST, workspace, path="notes", depth=depth), "entries")
        assert max((str(row["path"]) for row in rows), key=lambda path: (path.count("/"), path)) == deepest


async def test_links_and_pipes_are_shown_for_what_they_are(tmp_path: Path) -> None:
    plant(tmp_path)
    kinds = {row["path"]: row["kind"] for row in rows_of(await run(LIST, tmp_path / "ws"), "entries")}
    assert kinds == {
        "a": "folder",
        "file": "link",
        "hard": "file",
        "loop": "link",
        "new": "link",
        "out": "link",
        "pipe": "other",
        "socket": "other",
    }


async def test_a_long_listing_is_cut_and_says_so(workspace: Path) -> None:
    place(workspace, **{f"{number:03}": "" for number in range(510)})
    listed = await run(LIST, workspace)
    assert len(rows_of(listed, "entries")) == 500
    assert listed.notes == ("only the first 500 entries are listed",)


async def test_a_name_that_is_not_text_can_be_listed(workspace: Path) -> None:
    place(workspace, **{"a\udcff": ""})
    assert rows_of(await run(LIST, workspace), "entries")[0]["path"] == "a\ufffd"


async def test_an_empty_workspace_lists_nothing(workspace: Path) -> None:
    assert rows_of(await run(LIST, workspace), "entries") == []
    assert code_of(await run(LIST, workspace, path="none")) == "not_found"


SEARCHES: dict[str, tuple[dict[str, JsonValue], list[tuple[str, object]]]] = {
    "Chinese text": ({"text": "收入"}, [("报告/一月.md", 2), ("报告/二月.md", 2)]),
    "a single character": ({"text": "升"}, [("报告/一月.md", 2)]),
    "any case": ({"text": "BUY"}, [("notes/todo.txt", 1), ("notes/todo.txt", 2)]),
    "this case": ({"text": "buy", "match_case": True}, [("notes/todo.txt", 2)]),
    "text in some files": ({"text": "下降", "glob": "二*"}, [("报告/二月.md", 2)]),
    "text in one folder": ({"text": "a", "path": "notes/deep"}, []),
    "signs are only signs": ({"text": "main() -> None: ..."}, [("main.py", 1)]),
    "a pattern": ({"text": "收入(上升|下降)了$", "regex": True}, [("报告/一月.md", 2), ("报告/二月.md", 2)]),
    "a pattern, any case": ({"text": "^buy t", "regex": True}, [("notes/todo.txt", 2)]),
    "a pattern, this case": ({"text": "^Buy", "regex": True, "match_case": True}, [("notes/todo.txt", 1)]),
    "names": ({"glob": "*.md"}, [("notes/deep/a/b/c.md", None), ("报告/一月.md", None), ("报告/二月.md", None)]),
    "names in a folder": ({"glob": "报告/*.md"}, [("报告/一月.md", None), ("报告/二月.md", None)]),
    "nothing": ({"text": "不存在"}, []),
}


@pytest.mark.shares_fixtures
@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize(("arguments", "expected"), SEARCHES.values(), ids=SEARCHES)
async def test_a_search_finds(
    arguments: dict[str, JsonValue], expected: list[tuple[str, object]], workspace: Path
) -> None:
    rows = rows_of(await run(SEARCH, workspace, "c1", **arguments), "matches")
    assert [(row["path"], row.get("line")) for row in rows] == expected


@pytest.mark.usefixtures("_files")
async def test_a_long_line_is_shown_around_the_match(workspace: Path) -> None:
    (row,) = rows_of(await run(SEARCH, workspace, text="needle"), "matches")
    shown = str(row["text"])
    assert "x needle y" in shown
    assert len(shown) < 310


@pytest.mark.usefixtures("_files")
async def test_a_pattern_cannot_run_away(workspace: Path) -> None:
    (workspace / "as.txt").write_text("a" * 50_000 + "b", "utf-8")
    assert rows_of(await run(SEARCH, workspace, text="^(a+)+$", regex=True), "matches") == []


@pytest.mark.parametrize("text", ["(", r"(a)\1", "(?=a)", "a{1000}{1000}{1000}"])
async def test_a_pattern_that_cannot_be_used_is_refused(text: str, workspace: Path) -> None:
    assert code_of(await run(SEARCH, workspace, text=text, regex=True)) == "invalid_pattern"


async def test_matches_are_cut_and_it_is_said(workspace: Path) -> None:
    place(workspace, many="hit\n" * 60)
    found = await run(SEARCH, workspace, text="hit", limit=10)
    assert len(rows_of(found, "matches")) == 10
    assert found.notes == ("only the first 10 matches are shown",)


async def test_a_search_stops_when_its_time_is_over(workspace: Path) -> None:
    place(workspace, a="hit", b="hit", c="hit")
    times = iter((0.0, 1.0, 2.0, 11.0, 12.0))
    found = await run(search_files_tool(lambda: next(times)), workspace, text="hit")
    assert [row["path"] for row in rows_of(found, "matches")] == ["a"]
    assert "stopped after 10 seconds" in found.notes[0]


async def test_a_search_stops_within_a_file(workspace: Path) -> None:
    place(workspace, a="hit\nhit\nhit")
    times = iter((0.0, 1.0, 2.0, 3.0, 11.0, 12.0))
    found = await run(search_files_tool(lambda: next(times)), workspace, text="hit")
    assert [row["line"] for row in rows_of(found, "matches")] == [1, 2]
    assert len(found.notes) == 1
    assert "stopped after 10 seconds" in found.notes[0]


async def test_a_line_that_is_too_long_for_a_pattern_is_told(workspace: Path) -> None:
    place(workspace, long="a" * 40_000, short="a" * 2000)
    found = await run(SEARCH, workspace, text=".{1000}a", regex=True)
    assert [row["path"] for row in rows_of(found, "matches")] == ["short"]
    assert found.notes == ("lines of more than 9980 characters are too long for this pattern",)


async def test_binary_files_are_passed_over_and_links_are_not_read(tmp_path: Path) -> None:
    secret = plant(tmp_path)
    (tmp_path / "ws" / "data.bin").write_bytes(b"SECRET\x00\x01")
    found = await run(SEARCH, tmp_path / "ws", text="SECRET")
    assert rows_of(found, "matches") == []
    assert found.notes == ("'hard' could not be read",)
    assert secret.untouched()


GLOBS = {
    "a name": ("a.md", ("**", "a.md"), True),
    "a name below": ("x/a.md", ("**", "a.md"), True),
    "any folders": ("x/y/z.md", ("x", "**", "*.md"), True),
    "no folders": ("x/z.md", ("x", "**", "*.md"), True),
    "a star stays in a name": ("x/y/z.md", ("x", "*.md"), False),
    "a set": ("b1", ("[a-c]?",), True),
    "case counts": ("A.md", ("a.md",), False),
    "many stars": ("x/" * 30 + "z", ("**", "*") * 15 + ("nothing",), False),
    "many stars in a name": ("a" * 200, ("*a" * 60 + "b",), False),
}


@pytest.mark.parametrize(("path", "wanted", "fits"), GLOBS.values(), ids=GLOBS)
def test_a_glob_fits(path: str, wanted: tuple[str, ...], fits: bool) -> None:
    assert matches_glob(path, wanted) is fits

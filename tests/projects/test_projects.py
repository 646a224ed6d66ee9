"""A folder is copied, changed in the copy, written back only as it was seen, and gets its exact bytes back."""

import os
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from metier.projects import (
    MAX_FILES,
    FileEdit,
    Project,
    ProjectProblem,
    _archive,
    _copy,
    add_archive,
    add_project,
    open_project,
    pack_changes,
    render_diff,
)
from metier.projects._files import digest, write_file
from metier.projects._ignore import is_ignored, read_rules
from metier.projects._journal import EditJournal


def make_folder(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def open_copied(tmp_path: Path, files: dict[str, bytes]) -> tuple[Project, Path]:
    origin, workspace = make_folder(tmp_path / "origin", files), tmp_path / "workspaces" / "c1"
    workspace.mkdir(parents=True)
    add_project(tmp_path, workspace, origin)
    project = open_project(tmp_path, workspace)
    assert project is not None
    return project, origin


def replace_file(project: Project, path: str, content: bytes | None) -> None:
    found = project.read(path)
    project.edit([FileEdit(path, content, digest(found.content) if found else None)])


def test_only_text_files_are_copied_and_the_rest_is_named_with_its_reason(tmp_path: Path) -> None:
    files = {
        "app.py": b"x = 1\n",
        "dist/out.js": b"1",
        "pic.png": b"\x89PNG\0",
        "big.txt": b"a" * (1 << 20) + b"a",
        ".env": b"SECRET=1",
        ".gitignore": b"dist/\n*.log\n!keep.log\n",
        "a.log": b"1",
        "keep.log": b"1",
        "__pycache__/a.pyc": b"1",
    }
    origin, workspace = make_folder(tmp_path / "origin", files), tmp_path / "workspaces" / "c1"
    (origin / "outside").symlink_to("/etc/passwd")
    report = add_project(tmp_path, workspace, origin)
    assert sorted(report.files) == [".gitignore", "app.py", "keep.log"]
    assert {one.path: one.reason for one in report.left_out} == {
        ".env": "hidden",
        "__pycache__": "ignored",
        "a.log": "ignored",
        "big.txt": "big",
        "dist": "ignored",
        "outside": "link",
        "pic.png": "binary",
    }
    assert "没有复制" in report.describe("origin", "zh")
    assert "Left out" in report.describe("origin", "en")


def test_rules_of_a_gitignore_hold_as_git_reads_them() -> None:
    rules = read_rules("*.o\n!keep.o\n/top\nsub/**/gen\nbuild/\ndocs/*.html\n#no\n", ())
    cases = {
        "a.o": True, "x/a.o": True, "keep.o": False, "top": True, "x/top": False, "sub/a/b/gen": True, "sub/gen": True,
        "docs/a.html": True, "docs/x/a.html": False, "#no": False,
    }  # fmt: skip
    assert {path: is_ignored(rules, path.split("/"), is_folder=False) for path in cases} == cases
    assert is_ignored(rules, ["x", "build"], is_folder=True)
    assert not is_ignored(rules, ["build"], is_folder=False)


def test_a_write_back_changes_what_was_seen_and_undo_gives_the_exact_bytes(tmp_path: Path) -> None:
    before = {"a.py": b"one\r\ntwo\r\n", "gone.py": b"x\n", "same.py": b"s"}
    project, origin = open_copied(tmp_path, before)
    (origin / "a.py").chmod(0o755)
    replace_file(project, "a.py", b"one\r\nTWO\r\n")
    replace_file(project, "new/b.py", b"b\n")
    replace_file(project, "gone.py", None)
    assert [(one.path, one.kind) for one in project.find_unwritten()] == [
        ("a.py", "changed"),
        ("gone.py", "deleted"),
        ("new/b.py", "new"),
    ]
    assert "-two" in render_diff(project.find_changes())
    assert (origin / "a.py").read_bytes() == before["a.py"]  # nothing was written yet
    project.write_back(["a.py", "new/b.py", "gone.py"])
    assert (origin / "a.py").read_bytes() == b"one\r\nTWO\r\n"
    assert ((origin / "a.py").stat().st_mode & 0o777, (origin / "gone.py").exists()) == (0o755, False)
    assert (project.find_unwritten(), project.last_action) == ((), "write")
    project.undo_write()
    assert {one: (origin / one).read_bytes() for one in before} == before
    assert not (origin / "new").exists()
    assert (len(project.find_unwritten()), project.last_action) == (3, "edit")


def test_what_changed_meanwhile_is_refused_and_nothing_is_half_written(tmp_path: Path) -> None:
    project, origin = open_copied(tmp_path, {"a.py": b"1\n", "b.py": b"1\n"})
    replace_file(project, "a.py", b"2\n")
    replace_file(project, "b.py", b"2\n")
    (origin / "b.py").write_bytes(b"mine\n")
    with pytest.raises(ProjectProblem) as caught:
        project.write_back()
    assert (caught.value.code, "b.py" in caught.value.text("zh")) == ("changed_meanwhile", True)
    assert (origin / "a.py").read_bytes() == b"1\n"
    (origin / "b.py").unlink()
    (origin / "b.py").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ProjectProblem):
        project.write_back()
    assert not (tmp_path / "elsewhere").exists()
    project.write_back(["a.py"])
    (origin / "a.py").write_bytes(b"later\n")
    with pytest.raises(ProjectProblem) as caught:
        project.undo_write()
    assert caught.value.code == "changed_since_write"
    assert (origin / "a.py").read_bytes() == b"later\n"


def test_a_write_that_fails_in_the_middle_gives_the_first_file_its_bytes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, origin = open_copied(tmp_path, {"a.py": b"1\n", "b.py": b"1\n"})
    replace_file(project, "a.py", b"2\n")
    replace_file(project, "b.py", b"2\n")

    def fail_on_b(root: Path, path: str, content: bytes, mode: int) -> None:
        if path == "b.py" and content == b"2\n":
            raise OSError(28, "No space left on device")
        write_file(root, path, content, mode)

    monkeypatch.setattr("metier.projects._journal.write_file", fail_on_b)
    with pytest.raises(ProjectProblem) as caught:
        project.write_back()
    assert caught.value.code == "not_writable"
    assert (origin / "a.py").read_bytes() == b"1\n"
    assert project.writes.count() == 0


def test_what_a_killed_write_left_behind_is_deleted_by_the_next_one_and_by_undo(tmp_path: Path) -> None:
    journal = EditJournal(tmp_path / "here", tmp_path / "kept")
    journal.root.mkdir()
    left, running = ".a.py.metier-4194305-0a1b2c3d", f".a.py.metier-{os.getpid()}-0a1b2c3d"
    for name in (left, running):
        (journal.root / name).write_text("half")
    journal.apply([FileEdit("a.py", b"x", None)])
    assert {one.name for one in journal.root.iterdir()} == {"a.py", running}
    (journal.root / left).write_text("half")
    journal.undo()
    assert {one.name for one in journal.root.iterdir()} == {running}


def test_a_file_that_its_owner_made_read_only_is_not_replaced(tmp_path: Path) -> None:
    project, origin = open_copied(tmp_path, {"a.py": b"1\n", "b.py": b"1\n"})
    (origin / "b.py").chmod(0o444)
    for name in ("a.py", "b.py"):
        replace_file(project, name, b"2\n")
    with pytest.raises(ProjectProblem) as caught:
        project.write_back()
    assert caught.value.code == "not_writable"
    assert [(origin / name).read_bytes() for name in ("a.py", "b.py")] == [b"1\n"] * 2
    assert [one.path for one in project.write_back(["a.py"])] == ["a.py"]


def test_paths_that_lead_outside_are_refused(tmp_path: Path) -> None:
    project, _ = open_copied(tmp_path, {"a.py": b"1\n"})
    (project.copy / "link").symlink_to(tmp_path)
    for path in ("../x", "/etc/passwd", "~/x", "a/../../x", ".git/config", "link/x", "C:x", "a\\b", "", "x\n"):
        with pytest.raises((ProjectProblem, OSError)):
            replace_file(project, path, b"1")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["origin", "projects", "workspaces"]


def test_limits_and_missing_folders_are_told_before_anything_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from metier.projects import _copy

    origin = make_folder(tmp_path / "origin", {f"{n}.txt": b"1" for n in range(4)})
    empty = make_folder(tmp_path / "empty", {"a.bin": b"\0"})
    monkeypatch.setattr(_copy, "MAX_FILES", 3)
    cases = {origin: "too_many_files", empty: "folder_empty", tmp_path / "none": "folder_not_found"}
    for folder, code in cases.items():
        with pytest.raises(ProjectProblem) as caught:
            add_project(tmp_path, tmp_path / "workspaces" / "c1", folder)
        assert caught.value.code == code
    assert open_project(tmp_path, tmp_path / "workspaces" / "c1") is None


def test_changes_that_were_not_written_back_are_not_thrown_away(tmp_path: Path) -> None:
    project, origin = open_copied(tmp_path, {"a.py": b"1\n"})
    add_project(tmp_path, project.copy.parent, origin)  # no changes: copied again
    replace_file(project, "a.py", b"2\n")
    with pytest.raises(ProjectProblem) as caught:
        add_project(tmp_path, project.copy.parent, origin)
    assert caught.value.code == "unsaved_changes"


def pack(files: dict[str, bytes], *, flags: int = 0, mode: int = 0) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = ZipInfo(name)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, mode << 16
            archive.writestr(entry, content)
    made = packed.getvalue()
    return (
        made
        if not flags
        else made.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00")
    )


def test_a_zip_file_becomes_a_project_whose_changes_come_back_as_a_zip_file(tmp_path: Path) -> None:
    workspace = tmp_path / "workspaces" / "c1"
    files = {
        "shop/app.py": b"x = 1\n",
        "shop/name.md": b"text\n",
        "shop/src\\win.py": b"y = 1\n",
        "shop/.git/config": b"[core]",
        "shop/node_modules/a/b.js": b"1",
        "shop/pic.png": b"\x89PNG\0",
        "shop/big.txt": b"a" * (1 << 20) + b"a",
        "__MACOSX/shop/._app.py": b"1",
    }
    gbk = pack(files).replace(b"name.md", "说明.md".encode("gbk"))  # as Windows packs Chinese names
    report = add_archive(tmp_path, workspace, gbk, "upload.zip")
    project = open_project(tmp_path, workspace)
    assert project is not None
    assert (project.name, project.is_uploaded, project.origin) == ("shop", True, None)
    assert sorted(report.files) == ["app.py", "src/win.py", "说明.md"]
    reasons = {one.path: one.reason for one in report.left_out}
    assert reasons == {
        ".git": "hidden",
        "node_modules": "ignored",
        "__MACOSX": "ignored",
        "pic.png": "binary",
        "big.txt": "big",
    }
    replace_file(project, "app.py", b"x = 2\n")
    with pytest.raises(ProjectProblem, match="not written back"):
        add_archive(tmp_path, workspace, pack(files), "upload.zip")
    changes = project.find_unwritten()
    with ZipFile(BytesIO(pack_changes(changes))) as archive:
        assert archive.read("app.py") == b"x = 2\n"
        assert b"+x = 2" in archive.read("changes.diff")
    project.deliver(changes)
    assert not project.find_unwritten()
    add_archive(tmp_path, workspace, pack({"a.py": b"1"}), "other.zip")
    with pytest.raises(ProjectProblem, match="no text file in pictures to"):
        add_archive(tmp_path, workspace, pack({"a.png": b"\0", "b.png": b"\0"}), "C:\\x\\pictures.zip")


def test_a_hostile_zip_file_is_refused_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_archive, "_MAX_UNPACKED_BYTES", _archive._MAX_UNPACKED_BYTES // 16)  # reached in no time
    monkeypatch.setattr(_archive, "_MAX_UNPACKED_FILES", _archive._MAX_UNPACKED_FILES // 16)
    monkeypatch.setattr(_copy, "MAX_FILES", MAX_FILES // 16)
    bomb = {f"{at}.txt": bytes(1 << 20) for at in range(9)}
    cases = {
        "path_refused": [
            {"a.py": b"1", name: b"2"} for name in ("../up.py", "/etc/x", "a\\..\\..\\up.py", "C:\\x.py", "~/x")
        ],
        "too_large": [bomb],
        "too_many_files": [{f"{at}.py": b"" for at in range(501)}, {f"{at}.py": b"1" for at in range(126)}],
        "folder_empty": [{"pic.png": b"\0"}, {}],
    }
    packed = [(code, pack(files)) for code, every in cases.items() for files in every]
    packed += [("archive_damaged", b"no zip"), ("archive_damaged", pack({"a.py": b"1" * 999})[:-40])]
    packed += [
        ("archive_locked", pack({"a.py": b"1"}, flags=1)),
        ("folder_empty", pack({"a": b"/etc/passwd"}, mode=0o120777)),
    ]
    wrong = []
    for at, (code, content) in enumerate(packed):
        workspace = tmp_path / "workspaces" / f"c{at}"
        workspace.mkdir(parents=True)
        try:
            add_archive(tmp_path, workspace, content, "upload.zip")
            found = "taken"
        except ProjectProblem as problem:
            found = problem.code
        if found != code or list(workspace.iterdir()):
            wrong.append((at, code, found, list(workspace.iterdir())))
    assert not wrong


def test_an_upload_is_bounded_in_memory_in_the_workspace_and_in_its_names_and_two_at_once_do_not_mix(
    tmp_path: Path,
) -> None:
    workspace = tmp_path / "workspaces" / "c"
    workspace.mkdir(parents=True)
    with pytest.raises(ProjectProblem, match="MB"):
        add_archive(tmp_path, workspace, pack({"a.py": b"1" * 4000}), "upload.zip", max_bytes=2000)
    report = add_archive(tmp_path, workspace, pack({"a.py": b"1", ".h\n\u202eevil/x.py": b"1"}), "e\x00\u202e.zip")
    project = open_project(tmp_path, workspace)
    assert project is not None
    assert project.name == "e"
    assert all("\n" not in one.path and "\u202e" not in one.path for one in report.left_out)
    first, second = ({f"{name}{at}.py": b"1" for at in range(40)} for name in "ab")
    with ThreadPoolExecutor(4) as pool:
        made = [pool.submit(add_archive, tmp_path, workspace, pack(one), "x.zip") for one in (first, second) * 2]
        assert [len(one.result().files) for one in made] == [40] * 4
    kept = {one.name for one in (workspace / "project").iterdir()}
    assert kept in (set(first), set(second))
    assert not project.find_unwritten()

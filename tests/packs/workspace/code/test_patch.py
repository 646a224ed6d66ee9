"""Unified diffs as people paste them: applied to the lines they name, with the file's own line ends, or refused."""

import pytest

from metier.packs.workspace.code._intent import read_request
from metier.packs.workspace.code._patch import apply_patch, find_patch, parse_patch
from metier.packs.workspace.code._problems import CodeProblem

HEAD = "--- a/x.py\n+++ b/x.py\n"


def apply(patch: str, before: bytes | None) -> bytes | None:
    (one,) = parse_patch(patch)
    return apply_patch(one, before)


def test_a_patch_changes_its_lines_and_keeps_every_other_byte() -> None:
    cases: dict[str, tuple[str, bytes | None, bytes | None]] = {
        "plain": (HEAD + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", b"a\nb\nc\n", b"a\nB\nc\n"),
        "crlf file, lf patch": (HEAD + "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", b"a\r\nb\r\n", b"a\r\nB\r\n"),
        "crlf patch": (HEAD.replace("\n", "\r\n") + "@@ -1 +1 @@\r\n-a\r\n+A\r\n", b"a\n", b"A\n"),
        "moved lines": (HEAD + "@@ -1,2 +1,2 @@\n-b\n+B\n c\n", b"x\ny\nb\nc\n", b"x\ny\nB\nc\n"),
        "wrong counts": (HEAD + "@@ -1,9 +1,9 @@\n a\n-b\n+B\n", b"a\nb\n", b"a\nB\n"),
        "no numbers": (HEAD + "@@ @@\n a\n-b\n+B\n", b"z\na\nb\n", b"z\na\nB\n"),
        "two hunks": (HEAD + "@@ -1 +1,2 @@\n-a\n+A\n+AA\n@@ -3 +4 @@\n-c\n+C\n", b"a\nb\nc\n", b"A\nAA\nb\nC\n"),
        "new file": ("--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,2 @@\n+a\n+b\n", None, b"a\nb\n"),
        "deleted file": ("--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", b"a\n", None),
        "newline added": (HEAD + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", b"a", b"a\n"),
        "newline removed": (HEAD + "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", b"a\n", b"a"),
        "no newline kept": (HEAD + "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", b"a\nb", b"A\nb"),
        "blank context lost": (HEAD + "@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n", b"a\n\nb\n", b"a\n\nB\n"),
        "removed dashes": (HEAD + "@@ -1,2 +1 @@\n--- a\n b\n", b"-- a\nb\n", b"b\n"),
        "bytes that are no utf-8": (HEAD + "@@ -1 +1 @@\n-a\n+A\n", b"a\n\xff\n", b"A\n\xff\n"),
        "insertion at the end": (HEAD + "@@ -2,0 +3 @@\n+c\n", b"a\nb\n", b"a\nb\nc\n"),
        "git header": (
            "diff --git a/x.py b/x.py\nindex 1..2 100644\n" + HEAD + "@@ -1 +1 @@\n-a\n+A\n",
            b"a\n",
            b"A\n",
        ),
    }
    found = {name: apply(patch, before) for name, (patch, before, _) in cases.items()}
    assert found == {name: after for name, (_, _, after) in cases.items()}


def test_what_does_not_fit_is_refused_with_its_place() -> None:
    cases: dict[str, tuple[str, bytes | None]] = {
        "patch_mismatch": (HEAD + "@@ -1 +1 @@\n-q\n+Q\n", b"a\n"),
        "patch_ambiguous": (HEAD + "@@ -9 +9 @@\n-a\n+A\n", b"a\na\n"),
        "patch_no_file": (HEAD + "@@ -1 +1 @@\n-a\n+A\n", None),
        "patch_exists": ("--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+a\n", b"a\n"),
        "patch_unreadable": ("hello\n", b"a\n"),
        "patch_binary": ("diff --git a/x b/x\nBinary files a/x and b/x differ\n", b"a\n"),
        "patch_rename": ("diff --git a/x b/y\nrename from x\nrename to y\n", b"a\n"),
    }
    for code, (patch, before) in cases.items():
        with pytest.raises(CodeProblem) as caught:
            apply(patch, before)
        assert caught.value.code == code
        assert "{" not in caught.value.text("zh") + caught.value.text("en")


def test_a_patch_is_found_in_the_words_around_it() -> None:
    diff = HEAD + "@@ -1 +1 @@\n-a\n+A\n"
    for message in (diff, f"请应用：\n```diff\n{diff}```\n谢谢", f"apply this\n{diff}"):
        assert find_patch(message) == diff
        assert read_request(message).task == "patch"
    assert find_patch("--- a rule\n+ no diff") == ""


def test_words_say_what_is_wanted() -> None:
    cases = {
        "帮我跑一下测试": "tests", "run the tests": "tests", "为什么测试失败了": "tests", "修复失败的测试": "fix",
        "fix the failing test": "fix", "make the tests pass": "fix", "撤销代码改动": "undo", "undo the patch": "undo",
        "应用 fix.diff": "patch", "把改动写回文件夹": "write", "write the changes back": "write",
        "这个项目改了什么": "diff",
        "show me the diff": "diff", "在示例项目里搜索 discount": "search", "where is total defined": "search",
        "看看这个项目": "overview", "give me an overview of this project": "overview",
    }  # fmt: skip
    assert {message: read_request(message).task for message in cases} == cases
    queries = {
        "在示例项目里搜索 discount": "discount", "where is discount used in the sample project": "discount",
        "search for `def main`": "def main", "查找 price_cents 在哪里用到": "price_cents", "搜索一下总价函数": "总价",
    }  # fmt: skip
    assert {message: read_request(message).query for message in queries} == queries
    asked = {
        "fix the failing test": False,
        "make the tests pass": False,
        "修复失败的测试": False,
        "更新测试": True,
        "add a test": True,
    }
    assert {message: read_request(message).may_change_tests for message in asked} == asked

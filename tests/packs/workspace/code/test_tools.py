"""The code tools on the sample project and on projects that misbehave."""

from pathlib import Path

import pytest

from metier.packs.workspace.code._problems import CodeProblem
from metier.packs.workspace.code._projects import MAX_ROUNDS, require_project, use_sample
from metier.packs.workspace.code._test_run import run_project_tests
from metier.packs.workspace.code._tools import CodeTools
from metier.projects import Project, add_project
from metier.tools import ToolContext, ToolError
from metier.tools.sandbox import probe

needs_sandbox = pytest.mark.skipif(not probe().tier, reason="no sandbox on this machine")
FIX = """--- a/shop/prices.py
+++ b/shop/prices.py
@@ @@
-    return amount - discount(amount, percent) - discount(amount, percent)
+    return amount - discount(amount, percent)
"""


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    workspace = tmp_path / "workspaces" / "c1"
    workspace.mkdir(parents=True)
    return ToolContext(workspace, turn="t1")


def make_project(tmp_path: Path, files: dict[str, str]) -> Project:
    folder, workspace = tmp_path / "origin", tmp_path / "workspaces" / "c1"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    add_project(tmp_path, workspace, folder)
    return require_project(tmp_path, workspace)


@needs_sandbox
async def test_the_sample_fails_at_its_line_and_passes_with_its_patch(tmp_path: Path, context: ToolContext) -> None:
    code = CodeTools(tmp_path)
    found = code.find_project(context, "应用示例项目的 fix.diff", language="zh")
    assert found.data is not None
    assert (found.data["task"], found.data["title"], found.data["has_folder"]) == ("patch", "示例项目", False)
    before = await code.run_tests(context)
    assert before.data is not None
    assert (before.data["exit_code"], before.data["passed"], before.data["failed"]) == (1, 3, 1)
    assert before.data["failures"][0]["place"] == "tests/test_prices.py:17"  # type: ignore[index,call-overload]
    assert "assert 1680 == 1890" in str(before.data["summary"])
    patch = str(found.data["patch"])
    preview = code.preview_apply_patch(context, patch)
    assert [row.values["file"] for row in preview.rows] == ["shop/prices.py"]
    code.apply_patch(context, patch)
    after = await code.run_tests(context)
    assert after.data is not None
    assert (after.data["ok"], after.data["tests_changed"]) == (True, [])
    assert not list(context.workspace.glob(".tests-*"))
    code.undo_patch(context)
    assert require_project(tmp_path, context.workspace).find_changes() == ()


@needs_sandbox
async def test_tests_that_misbehave_end_with_a_sentence(tmp_path: Path) -> None:
    bomb = "import os, time\ndef test_bomb():\n  for _ in range(9_999):\n    if os.fork() == 0: time.sleep(600)\n"
    cases = {
        "hang": ("import time\ndef test_hang(): time.sleep(600)\n", "tests_hang"),
        "bomb": (bomb, "tests_hang"),
        "exit": ("import os\ndef test_exit(): os._exit(0)\n", "tests_broken"),
        "none": ("def helper(): pass\n", "no_tests"),
    }
    told: dict[str, str] = {}
    for name, (text, _) in cases.items():
        project = make_project(tmp_path / name, {"test_a.py": text})
        try:
            run = await run_project_tests(
                project, project.copy.parent, timeout_s=3 if name in ("hang", "bomb") else 120
            )
            told[name] = f"{run.exit_code} {run.failures}"
        except CodeProblem as problem:
            told[name] = problem.code if "{" not in problem.text("en") else problem.text("en")
    # A fork bomb fails at the limit of processes, or hangs until it is stopped with all its children.
    told["bomb"] = "tests_hang" if "BlockingIOError" in told["bomb"] else told["bomb"]
    assert told == {name: code for name, (_, code) in cases.items()}


@needs_sandbox
async def test_failures_outside_of_an_assertion_are_told_with_their_line(tmp_path: Path) -> None:
    files = {
        "test_import.py": "import nothing_like_this\n",
        "test_deep.py": "from lib import f\n\ndef test_deep():\n    f()\n",
        "test_loud.py": "def test_loud():\n    print('x' * 3_000_000)\n    assert 1 == 2\n",
        "test_outside.py": "def test_outside():\n    open('/etc/passwd').read()\n",
        "test_skip.py": "import pytest\n@pytest.mark.skip\ndef test_skip(): pass\n",
        "lib.py": "def f():\n    raise ValueError('no such price')\n",
        "pytest.ini": "[pytest]\naddopts = --cov=lib\n",
    }
    project = make_project(tmp_path, files)
    run = await run_project_tests(project, project.copy.parent)
    told = {one.place: one.reason.splitlines()[0] for one in run.failures}
    outside = told.pop("test_outside.py:2")
    assert outside.startswith(("PermissionError", "FileNotFoundError"))  # by the kind of sandbox
    assert told == {
        "test_import.py:1": "ModuleNotFoundError: No module named 'nothing_like_this'",
        "lib.py:2": "ValueError: no such price",
        "test_loud.py:3": "assert 1 == 2",
    }
    assert (run.exit_code, run.skipped) == (1, 1)
    only = await run_project_tests(project, project.copy.parent, "test_deep.py")
    assert [one.test for one in only.failures] == ["test_deep.py::test_deep"]


def test_a_model_edits_the_code_and_not_the_tests_for_at_most_five_rounds(tmp_path: Path, context: ToolContext) -> None:
    from metier.packs.workspace.code import _projects

    use_sample(tmp_path, context.workspace, "en")
    code = CodeTools(tmp_path, has_model=True)
    code.find_project(context, "fix the failing test", language="en")
    code.find_project(context, "update the tests", language="en")  # a second call has no say
    test, source = "tests/test_prices.py", "project/shop/prices.py"
    with pytest.raises(ToolError) as caught:
        code.edit_code(context, test, "1890", "1680", language="en")
    assert caught.value.failure.code == "tests_protected"
    project = require_project(tmp_path, context.workspace)
    for number in range(MAX_ROUNDS):
        code.edit_code(context, source, f"Prices of {'very ' * number}a", f"Prices of {'very ' * (number + 1)}a")
        assert _projects.count_run(project, "t1") == number + 1
    with pytest.raises(ToolError) as caught:
        code.edit_code(context, source, "Prices", "prices", language="zh")
    assert caught.value.failure.code == "rounds_used"
    later = ToolContext(context.workspace, turn="t2")
    code.find_project(later, "更新测试，总价应为 1680", language="zh")
    code.edit_code(later, test, "1890", "1680")
    assert [one.path for one in project.find_changes()] == ["shop/prices.py", test]


def test_edits_that_do_not_fit_change_nothing(tmp_path: Path, context: ToolContext) -> None:
    use_sample(tmp_path, context.workspace, "en")
    code = CodeTools(tmp_path)
    cases = {
        ("shop/prices.py", "not there", "x"): "edit_not_found",
        ("shop/prices.py", "amount", "x"): "edit_ambiguous",
        ("shop/none.py", "a", "x"): "edit_no_file",
        ("shop/prices.py", "", "x"): "edit_exists",
        ("../outside.py", "", "x"): "path_refused",
    }
    for (path, old, new), expected in cases.items():
        with pytest.raises(ToolError) as caught:
            code.edit_code(context, path, old, new)
        assert caught.value.failure.code == expected
    for patch in (FIX.replace("amount - disc", "nothing - disc"), "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n", ""):
        with pytest.raises(ToolError):
            code.preview_apply_patch(context, patch)
    project = require_project(tmp_path, context.workspace)
    assert project.find_changes() == ()
    with pytest.raises(ToolError) as caught:
        code.preview_write_back(context)  # the sample has no folder
    assert caught.value.failure.code == "no_origin"


def test_overview_and_search_tell_what_is_there(tmp_path: Path, context: ToolContext) -> None:
    use_sample(tmp_path, context.workspace, "zh")
    code = CodeTools(tmp_path)
    seen = code.describe_project(context, language="zh").data
    assert seen is not None
    assert all(word in str(seen["summary"]) for word in ("Python", "共 4 个", "python -m shop", "sample-shop"))
    hits = code.search_code(context, "discount", language="en").data
    assert hits is not None
    assert hits["table"]["rows"][0][:3] == ["shop/prices.py", 20, "definition"]  # type: ignore[index,call-overload]
    none = code.search_code(context, "zebra", language="en").data
    assert none is not None
    assert none["count"] == 0

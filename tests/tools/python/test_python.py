"""`run_python`: tables, pictures and errors of code in the sandbox."""

from pathlib import Path
from typing import Any

import pytest

from metier.tools import ToolContext, ToolResult
from metier.tools.python import PythonLimits, python_tool
from metier.tools.sandbox import probe

pytestmark = pytest.mark.skipif(not probe().tier, reason="there is no sandbox on this machine")
TOOL = python_tool(PythonLimits(max_s=60))

FAILING = {
    "an exception": ("x = 1\nprint(1 / 0)", {}, "python_failed", "division by zero", "line 2"),
    "a syntax error": ("def f(:\n    pass", {}, "python_failed", "SyntaxError", "line 1"),
    "a missing module": ("import nosuchmodule", {}, "python_failed", "nosuchmodule", "pandas"),
    "an endless loop": ("while True:\n    pass", {"timeout_s": 1.5}, "python_timeout", "1.5 seconds", "endless loop"),
    "a fork bomb": ("import os\nwhile True:\n    os.fork()", {}, "python_over_limit", "stopped", "32 processes"),
    "too much memory": ("x = bytearray(9 << 30)", {}, "python_over_limit", "512 MiB", "METIER_PYTHON_MEMORY_MAX_BYTES"),
    "the network": (
        "import socket\nsocket.create_connection(('1.1.1.1', 80))",
        {},
        "python_failed",
        "not perm",
        "line 2",
    ),
    "other files": ("open('/etc/passwd')", {}, "python_failed", "No such file", "line 1"),
    "an exit code": ("import sys\nsys.exit(3)", {}, "python_failed", "exit(3)", ""),
}


def _list_names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


async def run(folder: Path, code: str, **more: Any) -> ToolResult:
    return await TOOL.run({"code": code, **more}, ToolContext(folder))


async def test_code_gives_tables_pictures_and_output(tmp_path: Path) -> None:
    code = (
        "import pandas as pd\nimport matplotlib.pyplot as plt\n"
        "frame = pd.DataFrame({'地区': ['华东', '华北', '华东'], 'n': [1.5, None, 2.0], 'id': [2**60, 1, 2]})\n"
        "print('rows', len(frame))\nshow(frame, '明细')\n"
        "frame.groupby('地区').n.sum().plot(kind='bar', title='各地区合计')\nplt.ylabel('万元')\n"
        "frame.groupby('地区').n.sum()"
    )
    result = await run(tmp_path, code)
    data: Any = result.data
    assert data is not None, result.failure
    assert data["output"] == "rows 3\n"
    first, second = data["tables"]
    assert (first["title"], first["rows"][:2]) == ("明细", [["华东", 1.5, str(2**60)], ["华北", None, 1]])
    assert second["rows"] == [["华东", 3.5], ["华北", 0.0]]
    assert data["images"] == [{"path": "figure-1.png", "title": "各地区合计"}]
    assert (tmp_path / "figure-1.png").read_bytes().startswith(b"\x89PNG")
    assert result.notes == ()  # every character of the labels has its picture
    assert _list_names(tmp_path) == {"figure-1.png", ".cache"}


async def test_code_that_fails_says_why_and_where(tmp_path: Path) -> None:
    wrong = []
    for name, (code, more, expected, message, hint) in FAILING.items():
        failure = (await run(tmp_path, code, **more)).failure
        if failure is None or failure.code != expected or message not in failure.message or hint not in failure.hint:
            wrong.append((name, failure))
    assert wrong == []


async def test_a_failure_is_told_in_the_language_of_the_conversation(tmp_path: Path) -> None:
    failed = await TOOL.run({"code": "import nosuchmodule"}, ToolContext(tmp_path, language="zh"))
    assert failed.failure is not None
    assert "不能安装别的" in failed.failure.hint


async def test_long_output_and_long_tables_are_cut_with_a_note(tmp_path: Path) -> None:
    code = "import pandas as pd\nprint('a' * 100_000)\nprint('𠮷')\npd.DataFrame({'x': range(5_000)})"
    result = await run(tmp_path, code)
    data: Any = result.data
    assert data is not None, result.failure
    (table,) = data["tables"]
    assert len(table["rows"]) == 1_000
    assert len(str(data["output"])) == 12_000
    assert any("1000 of 5000 rows" in note for note in result.notes)
    assert any("output was cut" in note for note in result.notes)

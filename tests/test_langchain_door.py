"""The door for other people's agents: small, sorted, and not opened by the command line."""

import re
import subprocess
import sys
from pathlib import Path

from langgraph.types import Command

import metier.langchain as door
from metier.testing import FakeModel

ROOT = Path(__file__).resolve().parents[1]


def test_the_door_lists_what_it_gives() -> None:
    assert door.__all__ == sorted(door.__all__)
    assert all(hasattr(door, name) for name in door.__all__)


def test_the_command_line_starts_without_langchain_and_without_mcp() -> None:
    heavy = "{'langchain', 'langchain_core', 'mcp'}"
    code = f"import sys, metier.cli, metier.tools, metier.tools.mcp; print(*({heavy} & sys.modules.keys()))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == ""


def test_the_code_of_the_guide_works() -> None:
    guide = (ROOT / "docs/guides/langchain.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) == 3
    exec("\n".join(blocks), {"model": FakeModel(), "my_local_model": FakeModel(), "tools": [], "Command": Command})


def test_the_example_runs_without_a_key_and_the_file_stays() -> None:
    example = ROOT / "examples" / "langchain_gate.py"
    ended = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=True)
    assert "refused: delete_file by the operator layer, denied_by_policy" in ended.stdout
    assert ended.stdout.splitlines()[-2].strip() == "ai: Here is what I found."

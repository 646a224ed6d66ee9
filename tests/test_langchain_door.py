"""The door for other people's agents: small, sorted, and not opened by the command line."""

import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from langgraph.types import Command

import metier.langchain as door
from metier.testing import FakeModel
from tests.agent.support import both_ways, run

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
    assert len(blocks) >= 4
    given = {"model": FakeModel(), "my_local_model": FakeModel(), "tools": [], "Command": Command}
    exec("\n".join(blocks), {**given, "skills_folder": ROOT / "examples" / "skills"})


@pytest.fixture(name="mixed")
def _mixed() -> Any:
    """The example that mixes LangChain's middleware with ours, as a module."""
    spec = spec_from_file_location("langchain_mixed", ROOT / "examples" / "langchain_mixed.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@both_ways
async def test_langchains_middleware_and_ours_work_in_one_agent(mixed: Any, way: str) -> None:
    model = mixed.script()
    agent = mixed.build_agent(model)
    paused = await run(way, agent, mixed.QUESTION, mixed.THREAD)
    (question,) = paused["__interrupt__"]
    assert question.value["action_requests"][0]["name"] == "send_mail"
    result = await run(way, agent, mixed.APPROVE, mixed.THREAD)
    assert result["active_skill"] == "weekly-report"
    assert "Write three sections" in model.prompts[-1].system
    assert [one["content"] for one in result["todos"]] == ["write the report"]
    assert [one["tool"] for one in result["violations"]] == ["delete_file"]
    notes = [str(one.text) for one in model.prompts[-1].messages if one.name == "read_notes"]
    assert notes == ["[cleared]"] * 3
    assert [one.text for one in result["messages"][-2:]] == ["sent to Li", "The report is with Li."]


@both_ways
async def test_the_gate_refuses_what_it_hid_and_what_a_person_changed_a_call_into(mixed: Any, way: str) -> None:
    model = FakeModel().call("send_mail", to="Li", text="hi").say("Sorry.")
    agent = mixed.build_agent(model)
    await run(way, agent, mixed.QUESTION, mixed.THREAD)
    edited = {"name": "delete_file", "args": {"path": "notes.txt"}}
    answer: Any = Command(resume={"decisions": [{"type": "edit", "edited_action": edited}]})
    result = await run(way, agent, answer, mixed.THREAD)
    assert "delete_file" not in model.prompts[0].tools
    assert [one["tool"] for one in result["violations"]] == ["delete_file"]
    assert result["messages"][-1].text == "Sorry."


def test_the_mixed_example_runs_without_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    run_path(str(ROOT / "examples" / "langchain_mixed.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1] == "refused: delete_file, denied_by_policy"


def test_the_example_runs_without_a_key_and_the_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    run_path(str(ROOT / "examples" / "langchain_gate.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert "refused: delete_file by the operator layer, denied_by_policy" in told
    assert told.splitlines()[-2].strip() == "ai: Here is what I found."

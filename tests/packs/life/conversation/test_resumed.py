"""What is resumed on another day says what it is about: the questions that follow rest on it."""

from pathlib import Path

import pytest

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.life.conversation._career_tools import start_career
from metier.packs.life.conversation._coach_tools import set_goal_reminder, start_coach
from metier.tools import ToolContext, ToolResult


def _tell(found: ToolResult, name: str) -> str:
    assert found.data is not None
    return str(found.data[name])


def _context(folder: Path, data: JsonObject) -> ToolContext:
    return ToolContext(folder, conversation="c", turn="t", user="ann", user_data=data)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_goal_that_goes_on_names_its_step_and_its_obstacle(tmp_path: Path, language: Language) -> None:
    draft: dict[str, str] = {"goal": "read", "step": "one page", "obstacle": "the phone"}
    data: JsonObject = {"profile": {"life_context": {"draft": draft}}}
    told = _tell(start_coach(_context(tmp_path, data), "set a goal", language), "note")
    assert [one for one in draft.values() if one not in told] == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_interests_say_how_many_statements_there_are_and_how_many_are_answered(
    tmp_path: Path, language: Language
) -> None:
    data: JsonObject = {"skill_data": {"career": {"answers": {"r1": 5, "i1": 3}}}}
    resumed = _tell(start_career(_context(tmp_path, data), "career interest test", language), "note")
    assert "12" in resumed
    assert "2" in resumed.replace("12", "")
    begun = _tell(start_career(_context(tmp_path, {}), "career interest test", language), "note")
    assert "12" in begun


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_reminder_promises_no_more_than_is_done_and_names_no_command(tmp_path: Path, language: Language) -> None:
    told = _tell(set_goal_reminder(_context(tmp_path, {}), "20:00", language), "summary")
    assert "20:00" in told
    assert "metier " not in told
    assert ("页面自己不会响铃" if language == "zh" else "does not ring") in told

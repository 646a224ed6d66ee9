"""`metier lint` judges a skill's steps as the runtime will."""

import json
from pathlib import Path

import pytest

from metier.cli import run

SKILL = """---
name: weather
description: Tells the weather of a town, today and tomorrow
allowed_tools: [forecast]
{steps}
---

# Weather

Say the town first.
"""
GOOD = "sop:\n  - {id: find, call: forecast, with: {town: $.message}}"
BAD = {
    "a tool that the skill does not list": ("sop:\n  - {id: find, call: forecst}", "/sop/0/call", "tool_not_allowed"),
    "a name that nobody saves": ("sop:\n  - {id: a, call: forecast, with: {town: $.nobody.x}}", "nobody", ""),
    "a check that nobody knows": (
        f"{GOOD}\nmilestones:\n  - {{name: m, after: find, check: {{kind: vibes}}}}",
        "/milestones/0/check/kind",
        "check_unknown",
    ),
}


def _skill(folder: Path, steps: str) -> None:
    (folder / "weather").mkdir()
    (folder / "weather/SKILL.md").write_text(SKILL.format(steps=steps), "utf-8")


@pytest.mark.parametrize(("steps", "place", "code"), BAD.values(), ids=BAD)
def test_steps_that_cannot_be_carried_out_are_a_finding_with_file_and_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], steps: str, place: str, code: str
) -> None:
    _skill(tmp_path, steps)
    assert run(["lint", str(tmp_path), "--tool", "forecast", "--json"]) == 5
    findings = json.loads(capsys.readouterr().out)["findings"]
    (found,) = [one for one in findings if one["code"] == "sop_invalid"]
    assert found["path"].endswith("weather/SKILL.md")
    assert found["skill"] == "weather"
    assert place in found["message"]
    assert code in found["message"]


def test_steps_that_can_be_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _skill(tmp_path, GOOD)
    run(["lint", str(tmp_path), "--tool", "forecast", "--json"])
    assert "sop_invalid" not in capsys.readouterr().out

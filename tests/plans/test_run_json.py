"""A run as JSON: taken up by another process, or refused."""

import json
import subprocess
import sys

import pytest

from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue, load_json
from metier.plans import AskUser, PlanRun, next_move, run_from_json, run_to_json
from tests.plans.support import plan

PLAN = plan({"id": "a", "call": "look"}, {"id": "q", "ask": "要继续吗？"}, {"id": "z", "call": "look", "when": "$.q"})
RUN = PlanRun.start(PLAN, {"message": "弱覆盖"}).record_result("a", {"id": 1})

_CHILD = """
import json, sys
from metier.plans import next_move, run_from_json, run_to_json
run = run_from_json(json.load(sys.stdin)).record_answer("q", "要")
print(json.dumps({"run": run_to_json(run), "move": next_move(run).step.id}))
"""


def test_another_process_takes_the_run_up() -> None:
    assert isinstance(next_move(RUN), AskUser)
    child = subprocess.run(
        [sys.executable, "-c", _CHILD], input=json.dumps(run_to_json(RUN)), capture_output=True, text=True, check=True
    )
    answer = load_json(child.stdout)
    assert isinstance(answer, dict)
    assert answer["move"] == "z"
    assert run_from_json(answer["run"]) == RUN.record_answer("q", "要")


def _changed(**fields: JsonValue) -> JsonObject:
    return {**run_to_json(RUN), **fields}


STEP: JsonObject = {"state": "done", "failures": 0, "fills": 0, "supplied": {}, "why": None}
BROKEN: dict[str, JsonValue] = {
    "null": None,
    "a list": [],
    "another version": _changed(version=2),
    "no plan": _changed(plan=None),
    "a broken plan": _changed(plan={"steps": 5}),
    "data in a list": _changed(data=[]),
    "a step of another plan": _changed(steps={"zz": STEP}),
    "a step in words": _changed(steps={"a": "done"}),
    "an unknown state": _changed(steps={"a": {**STEP, "state": "lost"}}),
    "a negative count": _changed(steps={"a": {**STEP, "failures": -1}}),
    "a count that is true": _changed(replans=True),
    "a milestone nobody has": _changed(milestones={"m": {"state": "open", "failures": 0}}),
    "a reason in words": _changed(stopped="because"),
    "a reason without a code": _changed(stopped={"why": {"values": {}}}),
}


@pytest.mark.parametrize("value", BROKEN.values(), ids=BROKEN.keys())
def test_what_no_run_wrote_is_refused(value: JsonValue) -> None:
    with pytest.raises(InvalidInput):
        run_from_json(value)

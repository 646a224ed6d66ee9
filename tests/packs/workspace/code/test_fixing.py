"""With a model: the code is edited until the tests pass, the tests stay as they are, and the tools keep the rules."""

import pytest

from metier.agent import TurnRequest
from metier.pack import find_installed_packs
from metier.settings import Settings
from metier.testing import FakeModel
from metier.testing.journeys import JourneyHost
from metier.tools.sandbox import probe

WRONG = "    return amount - discount(amount, percent) - discount(amount, percent)"
RIGHT = "    return amount - discount(amount, percent)"


@pytest.mark.skipif(not probe().tier, reason="no sandbox on this machine")
async def test_a_model_edits_until_the_tests_pass_and_its_edit_of_a_test_is_refused() -> None:
    pack = find_installed_packs().select(["workspace"])[-1]
    model = FakeModel()
    model.call("edit_code", path="tests/test_prices.py", old="== 1890", new="== 1680")
    model.call("edit_code", path="shop/prices.py", old=WRONG, new="    return amount - percent")
    model.call("run_tests")
    model.call("edit_code", path="shop/prices.py", old="    return amount - percent", new=RIGHT)
    model.call("run_tests")
    for _ in range(3):
        model.say("The discount was taken off twice; it is taken off once now.")
    settings = Settings(model="openai:scripted")  # the tools read here that there is a model
    async with JourneyHost.open(settings, [pack], model=model) as host:
        asked = TurnRequest("/code fix the failing test of the sample project")
        events = [event async for event in host.runtime.turn(asked)]
    results = [event.data for event in events if event.kind == "tool.result"]
    told = [(one["tool"], one["ok"]) for one in results if one["tool"] in ("edit_code", "run_tests")]
    assert told[:6] == [
        ("run_tests", True),
        ("edit_code", False),
        ("edit_code", True),
        ("run_tests", True),
        ("edit_code", True),
        ("run_tests", True),
    ]
    last = [one["data"] for one in results if one["tool"] == "run_tests"][-1]
    assert isinstance(last, dict)
    assert (last["ok"], last["tests_changed"]) == (True, [])
    passed = [event.data["milestone"] for event in events if event.kind == "milestone.passed"]
    assert "the tests pass" in passed  # exit code 0 after the last edit, with the tests as they were
    assert events[-1].kind == "turn.done"

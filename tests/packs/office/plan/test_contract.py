"""What a skill demands of its plans: a breach is a problem with its place, and nothing is changed to fit."""

import json
from pathlib import Path
from typing import Any

import pytest

import metier.packs.office
from metier.packs.office.plan import OPERATIONS, load_plan, operations_of, read_contract

SKILLS = Path(metier.packs.office.__file__).parent / "skills"
MINUTES: dict[str, Any] = {
    "hosts": ["wps"],
    "operations": ["upsert_block", "insert_text"],
    "exactly": {"upsert_block": 1},
    "at_least": {"insert_text": 1},
    "anchor": "end",
    "only_in_block": True,
}
TEXT = {"id": "t1", "op": "insert_text", "title": "text", "text": "纪要"}


def block(name: str, *inside: dict[str, Any], **fields: Any) -> dict[str, Any]:
    steps = [{**one, "id": f"{name}{at}"} for at, one in enumerate(inside or (TEXT,))]
    return {"id": name, "op": "upsert_block", "title": "block", "block_id": name, "actions": steps, **fields}


def plan(*actions: dict[str, Any], host: str = "wps") -> dict[str, Any]:
    return {"schema_version": "ah32.plan.v1", "host_app": host, "actions": list(actions)}


@pytest.mark.parametrize(
    ("given", "path", "code"),
    [
        pytest.param(plan(TEXT), "actions", "not_exactly", id="no block"),
        pytest.param(plan(block("a"), block("b")), "actions[1]", "not_exactly", id="two blocks"),
        pytest.param(plan(block("a"), TEXT), "actions[1]", "outside_block", id="a step beside the block"),
        pytest.param(plan(block("a", anchor="cursor")), "actions[0].anchor", "wrong_anchor", id="another place"),
        pytest.param(
            plan(block("a", {"op": "answer_mode_apply", "title": "x", "answers": [{"q": "1", "answer": "B"}]})),
            "actions[0].actions[0].op",
            "op_not_allowed",
            id="an operation of another skill",
        ),
    ],
)
def test_a_breach_is_a_problem_with_its_path_and_a_sentence(given: dict[str, Any], path: str, code: str) -> None:
    loaded = load_plan(given, host="wps", contract=read_contract(MINUTES))
    assert loaded.plan is None
    assert (path, code) in [(one.path, one.note.code) for one in loaded.problems]
    assert all(one.text("zh") != one.text("en") for one in loaded.problems)


def test_a_plan_that_keeps_the_contract_is_as_it_was_given() -> None:
    given = plan(block("a"))
    loaded = load_plan(given, host="wps", contract=read_contract(MINUTES))
    assert loaded.plan is not None
    assert loaded.plan == load_plan(given, host="wps").plan


def test_a_plan_for_a_host_that_the_skill_does_not_write_to_is_refused() -> None:
    slide = {"id": "s", "op": "add_slide", "title": "Title"}
    loaded = load_plan(plan(slide, host="wpp"), contract=read_contract({"hosts": ["wps"]}))
    assert [one.note.code for one in loaded.problems] == ["host_not_allowed"]


def test_what_cannot_be_read_as_a_contract_demands_nothing() -> None:
    assert load_plan(plan(TEXT), contract=read_contract(["x"])).plan is not None


def test_the_contracts_of_the_skills_name_operations_of_their_hosts() -> None:
    for path in SKILLS.glob("*/skill.json"):
        manifest = json.loads(path.read_text("utf-8"))
        said = manifest["output"].get("x-plan")
        has_plans = "submit_plan" in manifest["x-metier"]["allowed_tools"]
        assert (said is not None) == has_plans, path
        contract = read_contract(said)
        assert said is None or (contract.hosts and contract.operations), path
        for op in contract.operations or ():
            assert op in OPERATIONS
            assert any(op in operations_of(host) for host in contract.hosts), (path, op)
        for counts in (contract.exactly, contract.at_least, contract.at_most):
            assert set(counts) <= set(contract.operations or ()), path

"""What a model is sent of the tool for plans: the operations of the document at hand and of the skill, no others."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from metier.attachments import add_attachment
from metier.pack import select_packs
from metier.packs.office.plan import OPERATIONS, load_plan, make_example, operations_of, read_contract
from metier.settings import Settings
from metier.testing import FakeModel
from metier.tokens import count_tokens
from metier.workspaces import WorkspaceQuota, workspace_folder
from tests.packs.office.wishes.samples import make_sample

Ask = Callable[..., Any]
# Skills without steps of their own: the model works with the tools.
CONTRACTS: dict[str, Any] = {
    "own-minutes": {
        "hosts": ["wps"],
        "operations": ["upsert_block", "insert_text"],
        "exactly": {"upsert_block": 1},
        "only_in_block": True,
    },
    "own-writing": None,
}
BLOCK = {
    "id": "b",
    "op": "upsert_block",
    "title": "纪要",
    "block_id": "minutes",
    "actions": [{"id": "t", "op": "insert_text", "title": "纪要", "text": "会议决定下周一上线。"}],
}


def _write_skills(folder: Path) -> Path:
    for name, contract in CONTRACTS.items():
        (folder / name).mkdir(parents=True)
        manifest = {
            "schema_version": "ah32.skill.v1",
            "meta": {"id": name, "name": name, "description": f"Use for {name}."},
            "output": {} if contract is None else {"x-plan": contract},
            "tools": [],
            "entry": {"system_prompt": "SYSTEM.md"},
            "x-metier": {"allowed_tools": ["list_documents", "describe_document", "submit_plan", "write_document"]},
        }
        (folder / name / "skill.json").write_text(json.dumps(manifest), "utf-8")
        (folder / name / "SYSTEM.md").write_text("Write plans.", "utf-8")
    return folder


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    skills = _write_skills(tmp_path / "skills")
    settings = Settings(model="builtin", skills_dir=(skills,), storage_dir=tmp_path, embedder="none")

    async def run(model: FakeModel, message: str, *files: str, skill: str) -> list[Any]:
        packs = select_packs(settings, ["office"]).found
        async with Runtime.open(settings, model=model, packs=packs) as runtime:
            made = await runtime.store.conversations.create("local")
            (tmp_path / "files").mkdir(exist_ok=True)
            for file in files:
                content = make_sample(file, tmp_path / "files")
                workspace = workspace_folder(tmp_path, made.id)
                add_attachment(workspace, file, content, max_bytes=1 << 24, quota=WorkspaceQuota())
            request = TurnRequest(message, conversation=made.id, skill=skill)
            return [event async for event in runtime.turn(request)]

    return run


def _find_tools(model: FakeModel) -> list[dict[str, Any]]:
    """The definition of the tool in each prompt that offered it."""
    sent = (tool for prompt in model.prompts for tool in prompt.definitions)
    return [dict(tool) for tool in sent if tool["name"] == "submit_plan"]


def _find_operations(tool: dict[str, Any]) -> set[str]:
    """Every operation that is named anywhere in a definition."""
    return set(re.findall(r"[a-z_]+", json.dumps(tool, ensure_ascii=False))) & set(OPERATIONS)


async def test_a_model_is_sent_the_operations_of_its_skill_and_no_others(ask: Ask) -> None:
    model = FakeModel().say("好")
    await ask(model, "直接写一个方案", "transcript.docx", skill="own-minutes")
    tool = _find_tools(model)[0]
    assert _find_operations(tool) == {"upsert_block", "insert_text"}
    assert "exactly 1 upsert_block" in tool["description"]


@pytest.mark.parametrize(("file", "host"), [("transcript.docx", "wps"), ("budget.xlsx", "et")])
async def test_without_a_contract_it_is_sent_those_of_the_document_at_hand(ask: Ask, file: str, host: str) -> None:
    model = FakeModel().say("好")
    await ask(model, "直接写一个方案", file, skill="own-writing")
    assert _find_operations(_find_tools(model)[0]) == set(operations_of(host))  # type: ignore[arg-type]


async def test_what_it_is_sent_stays_the_same_through_a_turn(ask: Ask) -> None:
    model = FakeModel().call("list_documents").call("describe_document", document="transcript.docx").say("好")
    await ask(model, "直接写一个方案", "transcript.docx", skill="own-minutes")
    sent = [json.dumps(one, sort_keys=True) for one in _find_tools(model)]
    assert len(sent) >= 2
    assert len(set(sent)) == 1


async def test_the_answer_of_a_skill_whose_plan_is_checked_need_not_be_a_plan(ask: Ask) -> None:
    model = FakeModel().say("好")
    events = await ask(model, "分析表格", "contract.docx", skill="meeting-minutes")
    assert not [event for event in events if event.kind == "error"]


async def test_a_plan_that_breaks_the_contract_comes_back_to_the_model(ask: Ask) -> None:
    plan: dict[str, Any] = {"schema_version": "ah32.plan.v1", "host_app": "wps"}
    two: dict[str, Any] = {**plan, "actions": [BLOCK, {**BLOCK, "id": "c", "block_id": "other"}]}
    model = FakeModel()
    model.call("submit_plan", document="transcript.docx", plan=two)
    model.call("submit_plan", document="transcript.docx", plan=dict[str, Any](plan, actions=[BLOCK])).say("好")
    events = await ask(model, "直接写一个方案", "transcript.docx", skill="own-minutes")
    results = [event.data for event in events if event.kind == "tool.result"]
    assert [one["ok"] for one in results] == [False, True]
    assert "actions[1]: " in results[0]["error"]["message"]
    assert results[1]["data"]["attempt"] == 2


def test_the_examples_keep_the_contracts() -> None:
    for host in ("wps", "et", "wpp"):
        assert load_plan(make_example(host), host=host).problems == ()
    minutes = read_contract({"operations": ["upsert_block", "insert_text"], "exactly": {"upsert_block": 1}})
    assert load_plan(make_example("wps", minutes.operations), contract=minutes).problems == ()


async def test_the_definition_of_a_skill_costs_a_quarter_of_that_of_a_document(ask: Ask) -> None:
    """Measured 465 and 2,156 tokens; the whole JSON Schema of a document's plans has three times as many."""
    costs = []
    for skill in ("own-minutes", "own-writing"):
        model = FakeModel().say("好")
        await ask(model, "直接写一个方案", "transcript.docx", skill=skill)
        costs.append(count_tokens(json.dumps(_find_tools(model)[0], ensure_ascii=False)))
    assert costs[0] < 600
    assert costs[1] < 2_500

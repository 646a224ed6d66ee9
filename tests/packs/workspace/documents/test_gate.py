"""A named creation skill runs nothing but its own tools, whatever the model tries."""

from pathlib import Path

from metier.agent import Runtime, TurnRequest
from metier.json_values import JsonObject
from metier.pack import find_installed_packs
from metier.settings import Settings
from metier.testing import FakeModel

MESSAGE = "/pptx create presentation.pptx\n## 背景\n- 甲\n- 乙\n## 计划\n- 丙"
ATTEMPTS: tuple[tuple[str, JsonObject], ...] = (
    ("web_search", {"query": "x"}),
    ("leave_skill", {}),
    ("use_skill", {"skill": ""}),
    ("use_skill", {"skill": "pdf"}),
    ("write_plan", {"goal": "x", "steps": [{"id": "a", "title": "a", "call": "web_search", "with": {"query": "x"}}]}),
    ("task", {"description": "search the web", "subagent_type": "research"}),
    ("pdf", {"content": "sample:work"}),
    ("run_in_terminal", {"command": "python3 -c 'import pptx'"}),
)
ALLOWED = {"find_content", "pptx"}


async def test_pptx_calls_nothing_but_its_tools_whatever_the_model_tries(tmp_path: Path) -> None:
    packs = find_installed_packs().select(["workspace", "office"])
    settings = Settings(model="builtin", skills_dir=(), storage_dir=tmp_path, embedder="none")
    model = FakeModel()
    wrong = []
    async with Runtime.open(settings, model=model, packs=packs) as runtime:
        for name, arguments in ATTEMPTS:
            model.call(name, **arguments).call(name, **arguments).call("web_search", query="y").say("好")
            first = [event async for event in runtime.turn(TurnRequest(MESSAGE))]
            talk = first[0].conversation
            second = [event async for event in runtime.turn(TurnRequest("谢谢，这样很好", conversation=talk))]
            assert model.replies_left == 0, name  # each attempt was made, and nothing is left for the next one
            kept = await runtime.store.conversations.get(talk)
            events = [*first, *second]
            ran = {str(event.data["tool"]) for event in events if event.kind == "tool.result" and event.data.get("ok")}
            refused = [event.data["code"] for event in events if event.kind == "tool.violation"]
            files = [event.data["path"] for event in events if event.kind == "file"]
            is_safe = ran - {"write_plan"} == ALLOWED and "not_allowed_by_skill" in refused and kept.skill == "pptx"
            if not is_safe or files != ["documents/presentation.pptx"]:
                wrong.append((name, ran, refused, kept.skill, files))
    assert wrong == []

"""What runs beside the calls of a turn: lookups pass the caller's middleware, forms and previews are no calls."""

from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime
from metier.language import BilingualText
from metier.store import EventDraft
from metier.testing import FakeModel
from metier.tools import ALWAYS, Preview, ToolResult, function_tool
from tests.e2e.middleware.support import Recorder, reviewing
from tests.e2e.support import Told, answered, said, settings_in, written
from tests.e2e.test_crash import later, recovered

GLOSSARY = """---
name: glossary
title: 术语
description: 解释一个术语
triggers: [术语]
examples: [什么是 RSRP 这个术语]
priority: 60
allowed_tools: [explain_term]
sop:
  - {id: found, title: 查术语, call: explain_term, with: {question: $.message}}
metadata:
  report: "{$.found.text}"
---

# 术语

查。
"""
WEEKLY = """---
name: weekly
title: 周报
description: 写一份周报
triggers: [周报]
examples: [写一份周报]
priority: 60
allowed_tools: [write_report]
sop:
  - {id: area, title: 片区, ask: 哪个片区？, choices: [{text: 东城, value: 东城}, {text: 西城, value: 西城}]}
  - {id: made, title: 写周报, call: write_report, with: {area: $.area}}
metadata:
  report: "{$.made.text}"
---

# 周报

写。
"""
FORTUNE = """---
name: fortune
title: 运势解读
description: 根据出生信息解读运势
triggers: [运势]
examples: [看看我的运势]
priority: 60
profile_fields: [birth_info]
allowed_tools: [ask_birth]
metadata: {collect_tool: ask_birth}
---

# 运势解读

解读。
"""


class Tools:
    """Tools of the skills above, and how often each ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def list(self) -> list[Any]:
        def explain_term(question: str) -> dict[str, str]:
            """Explain a term."""
            self.ran.append("explain_term")
            return {"text": "RSRP 是信号强度。"}

        def write_report(area: str) -> dict[str, str]:
            """Write a report."""
            self.ran.append("write_report")
            return {"text": f"{area}的周报。"}

        def ask_birth(message: str, language: str, answer: dict[str, Any] | None = None) -> ToolResult:
            """Ask for the date of birth."""
            self.ran.append("ask_birth")
            if answer is None:
                forms: dict[str, Any] = {"birth_info.date": {"type": "string", "format": "date"}}
                return ToolResult(data={"needed": True, "forms": forms, "text": "何时出生？"})
            return ToolResult(data={"needed": False}, keep=dict(answer))

        def set_price(price: int) -> dict[str, int]:
            """Set the price."""
            self.ran.append("set_price")
            return {"price": price}

        def preview_price(price: int) -> Preview:
            self.ran.append("preview_price")
            return Preview(BilingualText("改价", "a new price"), (), ())

        read = function_tool(explain_term, idempotent=True, effects=frozenset({"reads"}))
        priced = function_tool(set_price, approval=ALWAYS, preview=preview_price)
        return [read, function_tool(write_report), function_tool(ask_birth), priced]


def opened(folder: Path, tools: Tools, middleware: list[Any], **more: Any) -> Any:
    model = more.pop("model", None)
    skills = folder / "skills"
    if not skills.exists():
        written(folder, glossary=GLOSSARY, weekly=WEEKLY, fortune=FORTUNE)
    settings = settings_in(folder, skills_dir=(skills,), **more)
    return Runtime.open(settings, model=model, tools=tools.list(), middleware=middleware)


async def ask_beside(runtime: Runtime) -> tuple[Told, Told]:
    """A question that waits, and a message beside it that only looks something up."""
    first = await said(runtime, "写一份周报")
    assert first.one("pause.opened")["text"] == "哪个片区？"
    return first, await said(runtime, "什么是 RSRP 这个术语？", first.conversation)


async def test_a_lookup_beside_a_question_passes_the_callers_middleware(tmp_path: Path) -> None:
    tools, seen = Tools(), Recorder()
    async with opened(tmp_path, tools, [seen]) as runtime:
        first, beside = await ask_beside(runtime)
        last = await answered(runtime, first.pause, "东城")
        history = await runtime.store.messages.get_history(first.conversation)
    assert seen.calls[0] == ("explain_term", {"question": "什么是 RSRP 这个术语？"})
    assert beside.text.startswith("RSRP 是信号强度。")
    assert beside.kinds.count("tool.called") == beside.kinds.count("tool.result") == 1
    assert last.text == "东城的周报。"
    assert [call.name for one in history for call in one.tool_calls] == ["write_report"]


async def test_a_lookup_works_without_middleware_as_with_it(tmp_path: Path) -> None:
    tools = Tools()
    async with opened(tmp_path, tools, []) as runtime:
        _, beside = await ask_beside(runtime)
    assert beside.text.startswith("RSRP 是信号强度。")
    assert tools.ran == ["explain_term"]


@pytest.mark.parametrize(
    ("middleware", "policy"),
    [([reviewing(explain_term=True)], ""), ([], 'forbidden = ["explain_term"]'), ([], 'confirm = ["explain_term"]')],
    ids=["a review", "a policy that denies it", "a policy that asks"],
)
async def test_a_lookup_that_may_not_run_unasked_is_not_made_beside_a_question(
    tmp_path: Path, middleware: list[Any], policy: str
) -> None:
    tools, more = Tools(), {}
    if policy:
        (tmp_path / "policy.toml").write_text(policy, "utf-8")
        more = {"policy_file": tmp_path / "policy.toml"}
    async with opened(tmp_path, tools, middleware, **more) as runtime:
        _, beside = await ask_beside(runtime)
    assert tools.ran == []
    assert beside.kinds[-1] in ("pause.opened", "turn.done")


async def test_a_form_of_a_skill_is_no_call_and_is_still_under_the_gate(tmp_path: Path) -> None:
    tools, seen, model = Tools(), Recorder(), FakeModel().say("好")
    async with opened(tmp_path, tools, [seen], model=model) as runtime:
        first = await said(runtime, "看看我的运势")
        last = await answered(runtime, first.pause, {"birth_info.date": "1990-05-01"})
        profile = await runtime.store.profiles.get("local")
    assert profile == {"birth_info": {"date": "1990-05-01"}}
    assert set(tools.ran) == {"ask_birth"}
    assert seen.calls == []
    assert "tool.called" not in (*first.kinds, *last.kinds)
    policy = tmp_path / "policy.toml"
    policy.write_text('forbidden = ["ask_birth"]', "utf-8")
    tools = Tools()
    async with opened(tmp_path, tools, [], model=FakeModel().say("好"), policy_file=policy) as runtime:
        denied = await said(runtime, "看看我的运势", user="ann")
        (refused, *_) = await runtime.store.violations.list(conversation=denied.conversation)
    assert tools.ran == []
    assert (refused.tool, refused.layer) == ("ask_birth", "operator")


async def test_a_preview_is_no_call_and_the_call_is_seen_when_it_runs(tmp_path: Path) -> None:
    tools, seen = Tools(), Recorder()
    model = FakeModel().call("use_skill", skill="none").call("set_price", price=3).say("done")
    async with opened(tmp_path, tools, [seen], model=model) as runtime:
        first = await said(runtime, "please change the price of the tea")
        assert (tools.ran, seen.names) == (["preview_price"], ["use_skill"])
        await answered(runtime, first.pause, {"decision": "approve"})
    assert tools.ran == ["preview_price", "preview_price", "set_price"]
    assert seen.calls[1:] == [("set_price", {"price": 3})]


async def test_a_lookup_that_a_crash_interrupted_leaves_the_question_open_and_can_be_made_again(tmp_path: Path) -> None:
    tools, message = Tools(), "什么是 RSRP 这个术语？"
    arguments: Any = {"question": message}
    calls: Any = [{"id": "c1", "name": "explain_term", "args": arguments}]
    began: Any = {"call": "c1", "tool": "explain_term", "arguments": arguments, "text": "", "calls": calls}
    async with opened(tmp_path, tools, [Recorder()]) as runtime:
        first = await said(runtime, "写一份周报")
        lease = await runtime.store.turns.start(first.conversation, "a process that is gone", 1)
        drafts = [EventDraft("turn.started", {"message": message, "skill": None}), EventDraft("tool.called", began)]
        await runtime.store.events.append_many(first.conversation, drafts, turn=lease.id, fence=lease.fence)
    async with Runtime.open(
        settings_in(tmp_path, skills_dir=(tmp_path / "skills",)),
        tools=tools.list(),
        middleware=[Recorder()],
        clock=later(),
    ) as runtime:
        beside = await recovered(runtime)
        (waiting,) = await runtime.store.pauses.list_open(first.conversation)
        again = await said(runtime, message, first.conversation)
        last = await answered(runtime, first.pause, "东城")
    assert waiting.id == first.pause
    assert again.text.startswith("RSRP 是信号强度。")
    assert last.text == "东城的周报。"
    assert tools.ran.count("write_report") == 1
    assert beside.kinds.count("tool.result") == 1

"""Seed 003: the author's own skill file, the tone of an answer, budgets, tool definitions, queries of a turn."""

from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from metier.skills import SkillLibrary
from metier.skills.lint import lint
from metier.store import MessageDraft, Role
from metier.testing import FakeModel
from metier.tools import ToolExample, tool
from metier.tools.builtin import BuiltinConfig, builtin_tools
from tests.e2e.support import Desk, Told, answered, opened, said, written
from tests.server.support import app_in
from tests.server.support import opened as served

AUTHORS = Path(__file__).parent / "data" / "seed_003" / "skills"
READER = """---
name: reader
description: 读资料
profile_fields: [birth_info.year, skill_data.bazi.chart]
---

读资料。
"""


def test_the_authors_bazi_file_loads_unchanged_and_lint_knows_its_keys() -> None:
    catalog = SkillLibrary.from_folders(AUTHORS).catalog()
    bazi = catalog["bazi"]
    assert (bazi.needs.birth_info, bazi.needs.compute, bazi.needs.compute_type) == (True, True, "bazi")
    assert bazi.profile_fields == ("birth_info", "skill_data.bazi")
    assert [(one.code, one.effect) for one in catalog.diagnostics] == [("description_missing", "repaired")]
    errors = {one.code for one in lint(AUTHORS).findings if one.severity == "error"}
    assert errors == {"standard_description"}


def test_a_missing_description_is_taken_from_the_body(tmp_path: Path) -> None:
    bodies = {
        "plain": ("# 八字命理\n\n你是一位命理师。\n", "你是一位命理师。"),
        "heading": ("# 八字命理\n", "八字命理"),
        "empty": ("", "empty"),
    }
    for name, (body, _) in bodies.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(f"---\nname: {name}\n---\n\n{body}", "utf-8")
    catalog = SkillLibrary.from_folders(tmp_path).catalog()
    assert {skill.id: skill.description for skill in catalog} == {name: text for name, (_, text) in bodies.items()}


async def test_the_tone_is_that_of_the_request_then_of_the_conversation_then_the_default(tmp_path: Path) -> None:
    model = FakeModel()
    for _ in range(5):
        model.say("好")
    async with served(app_in(tmp_path, model=model)) as server:
        talk = (await server.chat("你好"))[0]["conversation"]
        await server.chat("你好", conversation_id=talk, voice_mode="sarcastic")
        await server.chat("你好", conversation_id=talk)
        changed = await server.client.patch(f"/api/conversations/{talk}", json={"voice_mode": "wise"})
        assert changed.json()["voice_mode"] == "wise"
        await server.chat("你好", conversation_id=talk)
        await server.chat("你好", conversation_id=talk, voice_mode="off")
    marks = {"warm": "温暖", "sarcastic": "毒舌", "wise": "沉稳"}
    heard = [next((name for name, mark in marks.items() if mark in one.system), "off") for one in model.prompts]
    assert heard == ["warm", "sarcastic", "warm", "wise", "off"]


async def test_work_without_a_skill_stays_within_its_budget(tmp_path: Path) -> None:
    long = tmp_path / "documents"
    long.mkdir()
    (long / "a.md").write_text("# 弱覆盖\n\n" + "弱覆盖的处理办法。" * 3000, "utf-8")
    model = FakeModel().call("web_search", query="弱覆盖", limit=20).say("好")
    async with opened(tmp_path, model=model, skills_dir=(AUTHORS,), web_search_folder=long) as runtime:
        turn = await said(runtime, "查一下弱覆盖怎么处理")
    built = turn.all("context.built")
    assert [(one["over_budget"], int(str(one["tokens"])) <= int(str(one["limit_tokens"]))) for one in built] == [
        (False, True)
    ] * len(built)


def test_tool_definitions_carry_examples_and_edge_cases_and_lint_asks_for_them(tmp_path: Path) -> None:
    bare = [one.spec.name for one in builtin_tools(BuiltinConfig()) if not (one.spec.examples and one.spec.edge_cases)]
    assert bare == []

    @tool(examples=(ToolExample({"city": "北京"}, "全市"),), edge_cases=("没有的城市返回空列表",))
    def look(city: str) -> list[str]:
        """查小区。"""
        return [city]

    assert look.spec.definition == '查小区。\ne.g. {"city": "北京"} 全市\n! 没有的城市返回空列表'
    folder = tmp_path / "a"
    (folder / "scripts").mkdir(parents=True)
    (folder / "scripts" / "look.py").write_text("def look(**kwargs):\n    return {}\n", "utf-8")
    shape = "parameters: {type: object, properties: {city: {type: string}}}"
    for more, codes in (
        ("", {"tool_examples_missing"}),
        (", examples: [{arguments: {city: x}}], edge_cases: [y]", set()),
    ):
        text = f"---\nname: a\ndescription: x\ntools:\n  - {{name: look, description: x, {shape}{more}}}\n---\n\n做。\n"
        (folder / "SKILL.md").write_text(text, "utf-8")
        found = {one.code for one in lint(tmp_path).findings}
        assert found & {"tool_examples_missing"} == codes


MAX_QUERIES = 8
ROLES: tuple[Role, ...] = ("user", "assistant")
# Of what renews leases and looks for lost turns, which runs beside turns.
BESIDE = ("sqlite_master", "metier_version", "SELECT turns.id, turns.fence FROM", "turns.lease_until <= ?")


@contextmanager
def queries(begin: str = "SELECT") -> Iterator[list[str]]:
    """Statements with this beginning that are sent to the database meanwhile, within and outside of writes."""
    sent: list[str] = []

    def note(*given: object) -> None:
        text = " ".join(str(given[2]).split())
        if text.startswith(begin) and not any(one in text for one in BESIDE):
            sent.append(text)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def test_no_kind_of_turn_sends_more_than_eight_queries(tmp_path: Path) -> None:
    counts: dict[str, int] = {}
    async with opened(tmp_path, Desk()) as runtime:

        async def count(name: str, events: Coroutine[Any, Any, Told]) -> Told:
            with queries() as sent:
                found = await events
            counts[name] = len(sent)
            return found

        first = await said(runtime, "你好")
        await count("plain", said(runtime, "今天天气怎么样", first.conversation))
        steps = await count("steps", said(runtime, "refund my order 4711 please"))
        asked = await count("form", answered(runtime, steps.pause, {"number": 4711}))
        held = await count("answer in words", said(runtime, "Yes, refund", asked.conversation))
        done = await count("approval", answered(runtime, held.pause, {"decision": "approve"}))
        await count("follow-up", said(runtime, "again", done.conversation))
    assert "refund" in [one["tool"] for one in done.all("tool.result")]
    assert {name: number for name, number in counts.items() if not 0 < number <= MAX_QUERIES} == {}


async def test_a_long_talk_sends_no_more_queries_than_a_new_one(tmp_path: Path) -> None:
    async with opened(tmp_path, Desk()) as runtime:
        first = await said(runtime, "你好")
        for number in range(100):
            for role in ROLES:
                await runtime.store.messages.append(first.conversation, MessageDraft(role, f"第{number}句"))
        for _ in range(10):
            await said(runtime, "改了多少个参数", first.conversation)
        with queries() as sent:
            await said(runtime, "改了多少个参数", first.conversation)
    assert 0 < len(sent) <= MAX_QUERIES


async def test_a_plain_turn_writes_its_events_in_two_statements(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        first = await said(runtime, "你好")
        with queries("INSERT INTO events") as written_events:
            turn = await said(runtime, "今天天气怎么样", first.conversation)
    assert len(turn.kinds) > len(written_events)
    assert 0 < len(written_events) <= 2  # what was heard, and what was answered


async def test_a_turn_asks_the_database_only_for_what_is_declared(tmp_path: Path) -> None:
    model = FakeModel().say("一").say("二").say("三")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, reader=READER),)) as runtime:
        await runtime.store.profiles.set("local", {"birth_info": {"year": 1990, "city": "北京"}, "secret": "x"})
        await runtime.store.skill_data.merge("local", "bazi", {"chart": "庚午", "notes": "private"})
        first = await said(runtime, "你好")
        with queries() as skilled:
            await said(runtime, "读一下资料", first.conversation, skill="reader")
    assert len(skilled) <= MAX_QUERIES
    asked = [one for one in skilled if "profiles" in one or "skill_data" in one]
    assert len(asked) == 2
    assert all("->" in one and "data," not in one for one in asked)
    assert "庚午" in model.prompts[-1].system
    assert "1990" in model.prompts[-1].system
    assert not any(word in model.prompts[-1].system for word in ("北京", "private", "secret"))


async def test_a_skill_that_goes_on_without_the_data_it_requires_is_told_what_is_missing(tmp_path: Path) -> None:
    asks = (
        "---\nname: bazi\ndescription: 看八字\nrequires_birth_info: true\nprofile_fields: [birth_info]\n---\n看八字。"
    )
    model = FakeModel().say("请告诉我出生日期。").say("好")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, bazi=asks),)) as runtime:
        first = await said(runtime, "看八字", skill="bazi")
        assert [one["purpose"] for one in first.all("pause.opened")] == ["profile"]
        await said(runtime, "继续", first.conversation)
        assert "尚缺：birth_info。请先向用户询问" in model.prompts[-1].system
        await runtime.store.profiles.set("local", {"birth_info": {"year": 1990}})
        await said(runtime, "继续", first.conversation)
    assert "尚缺" not in model.prompts[-1].system

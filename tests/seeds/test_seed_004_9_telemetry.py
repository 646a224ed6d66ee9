"""Seed 004 §9: the author's addresses, parameter names and event names."""

from pathlib import Path

from metier.json_values import JsonObject
from metier.store import EventKind
from metier.testing import FakeModel
from metier.tools import tool
from tests.server.support import app_in, opened
from tests.telemetry.support import translated, turn_of

_Told = tuple[EventKind, float, JsonObject]

UI = "/dev/telemetry/ui"
EVENTS = "/dev/telemetry/events?limit=200&event_name=chat.turn_done&session_id={session}"


async def test_the_authors_addresses_answer_and_a_parameter_that_is_not_known_is_an_error(tmp_path: Path) -> None:
    model = FakeModel().say("好的。").say("好的。")
    async with opened(app_in(tmp_path, model=model, dev_routes=True)) as server:
        first, second = [(await server.chat(one))[0]["conversation"] for one in ("你好", "早上好")]
        assert server.here.telemetry.flush()
        found = (await server.client.get(EVENTS.format(session=first))).json()["events"]
        assert [(one["event_name"], one["session_id"]) for one in found] == [("chat.turn_done", first)]
        page = await server.client.get(f"{UI}?event_name=chat.turn_done&session_id={second}")
        assert (page.status_code, page.headers["location"]) == (
            307,
            f"/console/telemetry?event=chat.turn_done&session={second}",
        )
        for address, hint in (
            ("/dev/telemetry/events?event_nam=x", "did you mean 'event_name'?"),
            ("/dev/telemetry/events?event=a&event_name=b", "give one of them"),
            ("/dev/telemetry/summary?limit=5", "known here: event"),
            ("/api/conversations?offset=3", "known here: "),
        ):
            refused = await server.client.get(address)
            assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_input"), address
            assert hint in refused.json()["error"]["hint"], address


async def test_every_retriever_is_told_as_rag_retrieve(tmp_path: Path) -> None:
    @tool(retrieves="knowledge")
    def search_manual(query: str) -> JsonObject:
        """Search the manual."""
        return {"passages": [{"text": query}]}

    model = FakeModel()
    model.call("search_manual", query="弱覆盖").call("memory", action="remember", text="喜欢茶")
    model.call("memory", action="recall", query="茶").call("web_search", query="弱覆盖").say("好的。")
    library = tmp_path / "storage" / "library"
    library.mkdir(parents=True)
    (library / "a.md").write_text("# 弱覆盖\n下倾角", "utf-8")
    async with opened(
        app_in(tmp_path, model=model, tools=[search_manual], dev_routes=True, web_search_folder=library)
    ) as server:
        await server.chat("查一下弱覆盖的资料")
        assert server.here.telemetry.flush()
        found = (await server.client.get("/dev/telemetry/events?event_name=rag.retrieve")).json()["events"]
    assert [(one["payload"]["retriever"], one["payload"]["hits"]) for one in reversed(found)] == [
        ("knowledge", 1),
        ("memory", 1),
        ("knowledge", 1),
    ]


def test_cases_in_the_prompt_are_told_once_as_rag_retrieve() -> None:
    shown: JsonObject = {"phase": "work", "skill": "bazi", "sections": [{"name": "cases", "tokens": 9, "kept": ["c1"]}]}
    told = translated(turn_of(("context.built", 0, shown), ("context.built", 5, shown), ("turn.done", 9, {})))
    found = [one.payload for one in told if one.event_name == "rag.retrieve"]
    assert found == [{"retriever": "cases", "skill": "bazi", "hits": 1}]


def test_a_skill_is_applied_if_it_shaped_the_answer_and_only_then() -> None:
    activated: _Told = ("skill.activated", 0, {"skill": "bazi", "title": "八字", "digest": "d", "why": "words"})
    read: _Told = ("context.built", 1, {"phase": "work", "skill": "bazi", "sections": []})
    plain: _Told = ("context.built", 3, {"phase": "choose", "skill": None, "sections": []})
    answer: _Told = ("text.done", 5, {"text": "好"})
    done: _Told = ("turn.done", 6, {"skill": "bazi"})
    left: _Told = ("skill.left", 2, {"skill": "bazi", "title": "八字", "why": "user"})
    planned: _Told = ("plan.created", 1, {"skill": "bazi"})
    step: _Told = ("step.done", 2, {"step": "a"})
    asked: _Told = ("pause.opened", 5, {"pause": "p", "kind": "ask_user"})
    other: _Told = ("plan.created", 5, {"skill": "b"})
    failed: _Told = ("turn.failed", 6, {"code": "model_failed", "message": ""})
    cases: dict[str, tuple[list[_Told], list[str]]] = {
        "its instructions were read": ([activated, read, answer, done], ["bazi"]),
        "its plan ran a step": ([planned, step, done], ["bazi"]),
        "its plan went on after a question": ([step, done], ["bazi"]),
        "activated, then something else answered": ([activated, answer, done], []),
        "activated and left": ([activated, read, left, plain, answer, ("turn.done", 6, {"skill": None})], []),
        "the turn failed": ([activated, read, failed], []),
        "active while a detail was answered": ([answer, done], []),
        "one before a question, another after it": ([activated, read, answer, asked, other, step, done], ["bazi", "b"]),
    }
    found = {
        name: [one.payload["skill"] for one in translated(turn_of(*events)) if one.event_name == "skills.applied"]
        for name, (events, _) in cases.items()
    }
    assert found == {name: expected for name, (_, expected) in cases.items()}

"""Approvals are a person's: with the role approver, and not with the key that asked."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metier.agent import find_refusal
from metier.facts import Fact, FactOption
from metier.store import Principal
from metier.testing import FakeModel
from metier.tools import ALWAYS, Tool, tool
from tests.server.support import Open, app_in, events_of, kinds, opened

SENT: list[str] = []


@pytest.fixture(autouse=True)
def _nothing_sent() -> None:
    SENT.clear()


def report_tool() -> Tool:
    @tool(approval=ALWAYS)
    def send_report(to: str) -> dict[str, object]:
        """Send the report."""
        SENT.append(to)
        return {"sent": to}

    return send_report


def app_with_report(folder: Path, **more: Any):  # type: ignore[no-untyped-def]
    model = FakeModel().call("send_report", to="boss").say("sent")
    return app_in(folder, model=model, tools=[report_tool()], **more)


async def make_key(server: Open, user: str, *roles: str) -> dict[str, str]:
    """Headers with a new key of the user."""
    store = server.here.store
    if user not in [one.name for one in await store.users.list()]:
        await store.users.add(user)
    made = await store.keys.create(user, roles)  # type: ignore[arg-type]
    return {"Authorization": f"Bearer {made.secret}"}


async def ask(server: Open, headers: dict[str, str]) -> dict[str, Any]:
    """Ask for a call that needs approval; the question."""
    told = await server.client.post("/api/chat", json={"message": "send it to my boss"}, headers=headers)
    last = events_of(told.text)[-1]
    assert last["data"]["kind"] == "approval", last
    return {**last["data"], "conversation": last["conversation"]}


async def list_actions(server: Open) -> list[tuple[str, str, str]]:
    return [(one.user, one.action, one.target) for one in await server.here.store.audit.list()]


async def test_an_agent_cannot_approve_what_it_asked_for(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        agent = await make_key(server, "ann")
        approver = await make_key(server, "bob", "approver")
        asked = await ask(server, agent)
        answer = {"answer": {"decision": "approve"}}
        for given in (answer, {"answer": "同意"}, {"answer": "yes"}):
            refused = await server.client.post(f"/api/pauses/{asked['pause']}", json=given, headers=agent)
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "role_missing")
        assert SENT == []
        decided = await server.client.post(
            f"/api/approvals/{asked['pause']}", json={"decision": "approve"}, headers=approver
        )
        assert decided.json() == {"pause": asked["pause"], "decision": "approve", "by": "bob"}
        await server.here.runtime.wait_until_idle()
        assert SENT == ["boss"]
        assert await list_actions(server) == [
            *[("ann", "approval.refused", asked["pause"])] * 3,
            ("bob", "approval.approved", asked["pause"]),
        ]
        refusal, *_, approval = await server.here.store.audit.list()
        assert refusal.data["code"] == "role_missing"
        calls: Any = approval.data["calls"]
        assert [(call["tool"], call["decision"]) for call in calls] == [("send_report", "approve")]
        assert str(calls[0]["digest"]).startswith("sha256:")


async def test_the_refusal_is_told_before_for_every_answer_that_lets_a_call_run(tmp_path: Path) -> None:
    """Also for "run it again" after an unknown outcome, which is no approval by its kind."""
    async with opened(app_with_report(tmp_path)) as server:
        asked = await ask(server, await make_key(server, "ann"))
        store, settings = server.here.store, server.here.settings
        approval = await store.pauses.get(asked["pause"])
        retry = replace(approval, kind="question", payload={"purpose": "outcome", "needs_approval": True})
        free = replace(retry, payload={"purpose": "outcome", "needs_approval": False})
        place, by = await store.conversations.get(approval.conversation), Principal("ann", "another", frozenset())
        told = [await find_refusal(store, settings, one, place, by) for one in (approval, retry, free)]
    assert told == ["role_missing", "role_missing", ""]


async def test_an_approver_cannot_approve_with_the_key_that_asked_but_with_another(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        agent = await make_key(server, "ann", "approver")
        person = await make_key(server, "ann", "approver")
        asked = await ask(server, agent)
        for address, body in (
            (f"/api/pauses/{asked['pause']}", {"answer": {"decision": "approve"}}),
            (f"/api/approvals/{asked['pause']}", {"decision": "approve"}),
            ("/api/chat", {"message": "同意", "conversation_id": asked["conversation"]}),
        ):
            refused = await server.client.post(address, json=body, headers=agent)
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "self_approval"), address
        assert SENT == []
        done = await server.client.post(
            f"/api/pauses/{asked['pause']}", json={"answer": {"decision": "approve"}}, headers=person
        )
        told = events_of(done.text)
        assert kinds(told)[-1] == "turn.done"
        assert told[0]["data"]["by"]["user"] == "ann"
        assert SENT == ["boss"]


async def test_who_changed_a_fact_asked_too(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        agent, person = await make_key(server, "ann", "approver"), await make_key(server, "ann", "approver")
        other = await make_key(server, "bob", "approver")
        made = await server.client.post("/api/conversations", json={}, headers=agent)
        talk, options = made.json()["id"], (FactOption("boss", "The boss"), FactOption("team", "The team"))
        await server.here.store.facts.save(talk, Fact("to", "team", "To", options=options))
        place = f"/api/conversations/{talk}/facts"
        wrong = await server.client.patch(f"{place}/to", json={"value": "nobody"}, headers=person)
        assert (wrong.status_code, wrong.json()["error"]["hint"]) == (400, "one of: The boss, The team")
        assert (await server.client.patch(f"{place}/to", json={"value": "boss"}, headers=other)).status_code == 404
        (fact,) = (await server.client.patch(f"{place}/to", json={"value": "the boss"}, headers=person)).json()["facts"]
        assert (fact["value"], fact["label"], fact["source"], fact["set_by"]) == ("boss", "The boss", "user", "ann")
        body = {"message": "send it to my boss", "conversation_id": talk}
        asked = events_of((await server.client.post("/api/chat", json=body, headers=agent)).text)[-1]["data"]
        refused = await server.client.post(
            f"/api/pauses/{asked['pause']}", json={"answer": {"decision": "approve"}}, headers=person
        )
        assert refused.json()["error"]["code"] == "self_approval"
        exported = await server.client.get(f"/api/conversations/{talk}/export", params={"format": "md"}, headers=agent)
        assert "- To: The boss" in exported.text
        assert (await server.client.delete(f"{place}/to", headers=person)).json() == {"facts": []}
        assert (await server.client.get(place, headers=agent)).json() == {"facts": []}
        approve = {"decision": "approve"}
        await server.client.post(f"/api/approvals/{asked['pause']}", json=approve, headers=other)
        await server.here.runtime.wait_until_idle()
        assert SENT == ["boss"]


async def test_who_answered_a_form_of_the_turn_asked_too(tmp_path: Path) -> None:
    model = FakeModel().call("ask_user", question="to whom?").call("send_report", to="boss").say("sent")
    async with opened(app_in(tmp_path, model=model, tools=[report_tool()])) as server:
        first, second = [await make_key(server, "ann", "approver") for _ in range(2)]
        told = await server.client.post("/api/chat", json={"message": "send it"}, headers=first)
        question = events_of(told.text)[-1]["data"]["pause"]
        told = await server.client.post(f"/api/pauses/{question}", json={"answer": "boss"}, headers=second)
        pause = events_of(told.text)[-1]["data"]["pause"]
        for headers in (first, second):
            refused = await server.client.post(
                f"/api/pauses/{pause}", json={"answer": {"decision": "approve"}}, headers=headers
            )
            assert refused.json()["error"]["code"] == "self_approval"


async def test_whoever_asked_may_withdraw_it(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        agent = await make_key(server, "ann")
        await make_key(server, "bob", "approver")
        asked = await ask(server, agent)
        done = await server.client.post(
            f"/api/pauses/{asked['pause']}", json={"answer": {"decision": "reject"}}, headers=agent
        )
        assert kinds(events_of(done.text))[-1] == "turn.done"
        assert SENT == []
        assert await list_actions(server) == [("ann", "approval.rejected", asked["pause"])]


@pytest.mark.parametrize(
    ("setting", "keys", "is_allowed"),
    [("auto", 0, True), ("auto", 1, True), ("auto", 2, False), ("on", 2, True), ("off", 1, False), ("off", 0, False)],
)
async def test_self_approval_is_for_one_key_unless_the_setting_says_otherwise(
    tmp_path: Path, setting: str, keys: int, is_allowed: bool
) -> None:
    SENT.clear()
    async with opened(app_with_report(tmp_path, self_approval=setting)) as server:
        made = [await make_key(server, f"user{n}", "approver") for n in range(keys)]
        headers = made[0] if made else {}
        asked = await ask(server, headers)
        done = await server.client.post(
            f"/api/pauses/{asked['pause']}", json={"answer": {"decision": "approve"}}, headers=headers
        )
        assert (done.status_code, SENT) == ((200, ["boss"]) if is_allowed else (403, []))


async def test_an_approver_sees_enough_to_judge_and_nothing_else(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        agent = await make_key(server, "ann", "approver")
        approver = await make_key(server, "bob", "approver")
        asked = await ask(server, agent)
        (waiting,) = (await server.client.get("/api/approvals", headers=approver)).json()["approvals"]
        assert (waiting["owner"], waiting["may_answer"]) == ("ann", True)
        assert waiting["messages"][0] == {"role": "user", "content": "send it to my boss"}
        assert waiting["pause"]["calls"][0]["args"] == {"to": "boss"}
        (own,) = (await server.client.get("/api/approvals", headers=agent)).json()["approvals"]
        assert own["may_answer"] is False
        for address in ("", "/events.json", "/turns", "/export", "/files/x"):
            answer = await server.client.get(f"/api/conversations/{asked['conversation']}{address}", headers=approver)
            assert answer.status_code == 404
        assert (await server.client.get("/api/pauses", headers=approver)).json() == {"pauses": []}
        body = {"answer": {"decision": "approve"}}
        answer = await server.client.post(f"/api/pauses/{asked['pause']}", json=body, headers=approver)
        assert answer.status_code == 404


async def test_the_arguments_that_an_approver_edits_are_recorded_by_their_digest(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        asked = await ask(server, await make_key(server, "ann"))
        approver = await make_key(server, "bob", "approver")
        body = {"decision": "edit", "arguments": {"to": "team"}, "note": "not to her"}
        done = await server.client.post(f"/api/approvals/{asked['pause']}", json=body, headers=approver)
        assert done.status_code == 200, done.text
        await server.here.runtime.wait_until_idle()
        assert SENT == ["team"]
        (entry,) = await server.here.store.audit.list()
        assert "not to her" not in str(entry)
        late = await server.client.post(f"/api/approvals/{asked['pause']}", json=body, headers=approver)
        assert late.status_code in (200, 409)
        assert SENT == ["team"]


async def test_a_question_that_is_no_approval_is_not_there_for_an_approver(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path)) as server:
        owner = await make_key(server, "ann")
        approver = await make_key(server, "bob", "approver")
        told = await server.client.post("/api/chat", json={"message": "帮我写这周的周报"}, headers=owner)
        pause = events_of(told.text)[-1]["data"]["pause"]
        answer = await server.client.post(f"/api/approvals/{pause}", json={"decision": "approve"}, headers=approver)
        unknown = await server.client.post("/api/approvals/nope", json={"decision": "approve"}, headers=approver)
        assert answer.status_code == unknown.status_code == 404
        assert answer.text.replace(pause, "nope") == unknown.text
        assert (await server.client.get("/api/approvals", headers=approver)).json() == {"approvals": []}


async def test_an_agui_front_end_cannot_approve_with_its_own_key(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        agent = await make_key(server, "ann", "approver")
        await make_key(server, "bob", "approver")
        rest: dict[str, Any] = {"state": {}, "tools": [], "context": [], "forwardedProps": {}, "messages": []}
        said = {"id": "m", "role": "user", "content": "send it to my boss"}
        await server.client.post(
            "/agui", json={**rest, "threadId": "t", "runId": "r1", "messages": [said]}, headers=agent
        )
        ((pause),) = await server.here.store.pauses.list_open()
        resume = [{"interruptId": pause.id, "status": "resolved", "payload": {"decision": "approve"}}]
        answer = await server.client.post(
            "/agui", json={**rest, "threadId": "t", "runId": "r2", "resume": resume}, headers=agent
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "self_approval")
        assert SENT == []


async def test_an_openai_client_cannot_approve_in_words(tmp_path: Path) -> None:
    async with opened(app_with_report(tmp_path)) as server:
        agent = await make_key(server, "ann", "approver")
        await make_key(server, "bob", "approver")
        asked = await ask(server, agent)
        body = {"messages": [{"role": "user", "content": "yes"}]}
        headers = {**agent, "X-Conversation-Id": asked["conversation"]}
        answer = await server.client.post("/v1/chat/completions", json=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "self_approval")
        assert SENT == []


async def test_the_id_of_a_pause_is_random_and_says_nothing(tmp_path: Path) -> None:
    ids = []
    for n in range(3):
        async with opened(app_with_report(tmp_path / str(n))) as server:
            asked = await ask(server, {})
            ids.append(asked["pause"])
            assert len(asked["pause"]) == 32
            assert asked["conversation"][:8] not in asked["pause"]
    assert len({one[:8] for one in ids}) == 3

"""Conversations over HTTP: listed, searched, renamed, exported, deleted, and only by who they belong to."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from metier.store import MessageDraft
from tests.server.support import Open, app_in, events_of, kinds, opened

KEYS = {"ann": "ann-key-0123456789", "bob": "bob-key-0123456789"}


def bearer(user: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {KEYS[user]}"}


async def test_pages_of_the_list_hold_every_conversation_once_the_newest_first(server: Open) -> None:
    made = [await server.create_conversation(f"第{number}个") for number in range(5)]
    seen: list[str] = []
    before = ""
    while True:
        address = f"/api/conversations?limit=2{f'&before={before}' if before else ''}"
        page = (await server.client.get(address)).json()
        seen += [one["id"] for one in page["conversations"]]
        if page["next"] is None:
            break
        before = page["next"]
    assert seen == made[::-1]


@pytest.mark.parametrize(
    ("words", "found"),
    [("周报", {"标题"}), ("WEEK", {"said"}), ("%", set()), ("_", set()), ("没有", set()), ("  ", {"标题", "said"})],
    ids=["title", "what was said", "percent", "underscore", "nothing", "no words"],
)
async def test_the_list_is_searched_in_titles_and_in_what_was_said(server: Open, words: str, found: set[str]) -> None:
    names = {
        await server.create_conversation("四月周报"): "标题",
        (said := await server.create_conversation("Other")): "said",
    }
    await server.here.store.messages.append(said, MessageDraft("user", "My weekly numbers"))
    answer = await server.client.get("/api/conversations", params={"q": words})
    assert {names[one["id"]] for one in answer.json()["conversations"]} == found


async def test_one_is_read_with_messages_questions_and_what_runs(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    whole = (await server.client.get(f"/api/conversations/{told[0]['conversation']}")).json()
    assert whole["messages"][0]["content"] == "帮我写这周的周报"
    assert [one["pause"] for one in whole["pauses"]] == [told[-1]["data"]["pause"]]
    assert (whole["skill"], whole["running"], whole["last_seq"]) == ("weekly-report", None, told[-1]["seq"])
    await server.here.store.turns.start(whole["id"], "somebody", 60)
    assert (await server.client.get(f"/api/conversations/{whole['id']}")).json()["running"]


async def test_a_conversation_that_a_file_began_is_named_by_the_first_message_only(server: Open) -> None:
    talk = (await server.client.post("/api/conversations", json={})).json()["id"]
    for message in ("look at my file\nplease", "and now?"):
        await server.client.post("/api/chat", json={"message": message, "conversation_id": talk})
    assert (await server.client.get(f"/api/conversations/{talk}")).json()["title"] == "look at my file"


async def test_renaming_keeps_the_skill_and_leaving_the_skill_keeps_the_title(server: Open) -> None:
    made = await server.create_conversation("旧", skill="weekly-report")
    renamed = (await server.client.patch(f"/api/conversations/{made}", json={"title": "新"})).json()
    assert (renamed["title"], renamed["skill"]) == ("新", "weekly-report")
    left = (await server.client.patch(f"/api/conversations/{made}", json={"skill": None})).json()
    assert (left["title"], left["skill"]) == ("新", None)
    events = (await server.client.get(f"/api/conversations/{made}/events.json")).json()["events"]
    assert [(one["kind"], one["data"]["skill"]) for one in events] == [("skill.left", "weekly-report")]


async def test_deleting_leaves_nothing(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    made = told[0]["conversation"]
    workspace = server.here.settings.storage_dir / "workspaces" / made
    workspace.mkdir(parents=True, exist_ok=True)
    (workspace / "notes.txt").write_text("x", "utf-8")
    assert (await server.client.delete(f"/api/conversations/{made}")).json() == {"deleted": made}
    assert not workspace.exists()
    for address in ("", "/events", "/events.json", "/turns", "/export"):
        assert (await server.client.get(f"/api/conversations/{made}{address}")).status_code == 404
    assert (await server.client.get(f"/api/turns/{told[0]['turn']}")).status_code == 404
    assert (await server.client.get("/api/pauses")).json() == {"pauses": []}


async def test_the_export_is_whole(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    made = told[0]["conversation"]
    answer = await server.client.get(f"/api/conversations/{made}/export")
    assert answer.headers["content-disposition"] == f'attachment; filename="metier-{made}.json"'
    assert answer.json()["events"] == told
    text = (await server.client.get(f"/api/conversations/{made}/export?format=md")).text
    assert "帮我写这周的周报" in text
    assert "{" not in text


async def test_documents_are_sent_as_files(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    made, turn = told[0]["conversation"], told[0]["turn"]
    address = f"/api/conversations/{made}/export"
    begins = {"md": b"# ", "html": b"<!doctype html>", "docx": b"PK", "pdf": b"%PDF"}
    wrong = []
    for ending, begin in begins.items():
        answer = await server.client.get(f"{address}?format={ending}&turn={turn}")
        name = f'attachment; filename="metier-{turn}.{ending}"'
        if not answer.content.startswith(begin) or answer.headers["content-disposition"] != name:
            wrong.append((ending, answer.status_code, answer.headers))
    assert wrong == []
    assert (await server.client.get(f"{address}?format=pdf&turn=nothing")).status_code == 404


FOREIGN = [
    ("GET", "", None),
    ("PATCH", "", {"title": "mine"}),
    ("DELETE", "", None),
    ("POST", "/stop", None),
    ("GET", "/events", None),
    ("GET", "/events.json", None),
    ("GET", "/turns", None),
    ("GET", "/export", None),
]


@pytest.fixture
async def shared_server(tmp_path: Path) -> AsyncIterator[Open]:
    async with opened(app_in(tmp_path, api_keys=KEYS)) as running:
        yield running


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("method", "address", "body"), FOREIGN, ids=[f"{row[0]} {row[1]}" for row in FOREIGN])
async def test_somebody_elses_conversation_is_not_there_in_the_same_words(
    shared_server: Open, method: str, address: str, body: dict[str, str] | None
) -> None:
    client = shared_server.client
    made = (await client.post("/api/conversations", json={}, headers=bearer("ann"))).json()["id"]
    answers = [
        await client.request(method, f"/api/conversations/{name}{address}", json=body, headers=bearer("bob"))
        for name in (made, "f" * 32)
    ]
    assert [one.status_code for one in answers] == [404, 404]
    assert answers[0].text.replace(made, "f" * 32) == answers[1].text
    kept = await client.get(f"/api/conversations/{made}", headers=bearer("ann"))
    assert (kept.status_code, kept.json()["title"]) == (200, None)


async def test_users_see_their_own_things_only(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS)) as server:
        answer = await server.client.post("/api/chat", json={"message": "帮我写这周的周报"}, headers=bearer("ann"))
        told = events_of(answer.text)
        made, pause = told[0]["conversation"], told[-1]["data"]["pause"]
        await server.here.store.violations.record(
            made, tool="shell", args_digest="", layer="skill", code="not_allowed_by_skill", reason="no"
        )
        await server.here.store.exceptions.request(made, tool="shell", reason="needed")
        for address, name in (
            ("conversations", "conversations"),
            ("pauses", "pauses"),
            ("violations", "violations"),
            ("exceptions", "exceptions"),
        ):
            for user, count in (("ann", 1), ("bob", 0)):
                listed = (await server.client.get(f"/api/{address}", headers=bearer(user))).json()[name]
                assert len(listed) == count, (address, user)
        for address in (
            f"/api/turns/{told[0]['turn']}",
            f"/api/plans?conversation={made}",
            f"/api/pauses?conversation={made}",
        ):
            assert (await server.client.get(address, headers=bearer("bob"))).status_code == 404
            assert (await server.client.get(address, headers=bearer("ann"))).status_code == 200
        stolen = await server.client.post(f"/api/pauses/{pause}", json={"answer": "x"}, headers=bearer("bob"))
        assert (stolen.status_code, stolen.json()["error"]["message"]) == (404, f"there is no pause {pause!r}")
        talked = {"message": "x", "conversation_id": made}
        assert (await server.client.post("/api/chat", json=talked, headers=bearer("bob"))).status_code == 404
        talked["idempotency_key"] = "k"
        assert (await server.client.post("/api/chat", json=talked, headers=bearer("bob"))).status_code == 404


async def test_the_same_key_of_two_users_is_two_turns(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS)) as server:
        body = {"message": "周报", "idempotency_key": "k1"}
        answers = [await server.client.post("/api/chat", json=body, headers=bearer(user)) for user in KEYS]
        assert len({one.headers["x-conversation-id"] for one in answers}) == 2
        assert {kinds(events_of(one.text))[0] for one in answers} == {"turn.started"}

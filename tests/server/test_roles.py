"""Which key may do what: every endpoint of the OpenAPI document, with no key and with a key of each role."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metier.store import KEY_ROLES
from tests.server.support import Open, app_in, opened

# A new endpoint fails the first test until its role is decided here.
ROLE_BY_ENDPOINT = {
    "GET /healthz": None,
    "GET /readyz": None,
    "GET /api/shared/{token}": None,
    "GET /api/shared/{token}/events.json": None,
    "GET /api/shared/{token}/files/{path}": None,
    "GET /api/approvals": "approver",
    "POST /api/approvals/{pause}": "approver",
    "DELETE /api/users/{user}": "operator",
    "GET /api/audit": "operator",
    "GET /api/exceptions/report": "operator",
    "GET /api/feedback": "operator",
    "GET /api/feedback/{feedback}/case": "operator",
    "GET /api/stats": "operator",
    "GET /api/users/{user}/export": "operator",
    "GET /api/skills/pending": "operator",
    "GET /api/skill-lock": "operator",
    "POST /api/skill-lock": "operator",
    "POST /api/models/test": "operator",
    "POST /api/skills/approve": "operator",
    "POST /api/tools/approve": "operator",
} | dict.fromkeys(
    (
        "DELETE /api/conversations/{conversation}",
        "DELETE /api/conversations/{conversation}/attachments/{path}",
        "GET /api/conversations/{conversation}/attachments",
        "POST /api/conversations/{conversation}/attachments",
        "DELETE /api/conversations/{conversation}/facts/{name}",
        "GET /api/conversations/{conversation}/facts",
        "PATCH /api/conversations/{conversation}/facts/{name}",
        "DELETE /api/shares/{share}",
        "DELETE /api/turns/{turn}/feedback",
        "GET /api/conversations/{conversation}/feedback",
        "GET /api/conversations/{conversation}/shares",
        "GET /api/waiting",
        "POST /api/conversations/{conversation}/branch",
        "POST /api/conversations/{conversation}/shares",
        "PUT /api/turns/{turn}/feedback",
        "GET /api/bench",
        "GET /api/bench/{name}",
        "DELETE /api/profile",
        "GET /api/profile",
        "GET /api/profile/export",
        "PATCH /api/profile",
        "GET /api/conversations/{conversation}/pages/{path}",
        "GET /api/conversations/{conversation}/view/{path}",
        "GET /api/conversations",
        "GET /api/conversations/{conversation}",
        "GET /api/conversations/{conversation}/events",
        "GET /api/conversations/{conversation}/events.json",
        "GET /api/conversations/{conversation}/export",
        "GET /api/conversations/{conversation}/files/{path}",
        "GET /api/conversations/{conversation}/turns",
        "GET /api/exceptions",
        "GET /api/info",
        "GET /api/models",
        "GET /api/packs",
        "GET /api/pauses",
        "GET /api/plans",
        "GET /api/schema/events.json",
        "GET /api/skills",
        "GET /api/skills/log",
        "GET /api/skills/{skill}",
        "GET /api/tools",
        "GET /api/tools/pending",
        "GET /api/turns/{turn}",
        "GET /api/violations",
        "GET /dev/telemetry/events",
        "GET /dev/telemetry/summary",
        "GET /metrics",
        "GET /v1/models",
        "GET /v1/models/{model}",
        "PATCH /api/conversations/{conversation}",
        "POST /agui",
        "POST /api/chat",
        "POST /api/conversations",
        "POST /api/conversations/{conversation}/stop",
        "POST /api/gate",
        "POST /api/pauses/{pause}",
        "POST /api/route",
        "POST /telemetry/events",
        "POST /v1/chat/completions",
    ),
    "user",
)


BODIES = {"branch": {"turn": "0" * 32}, "feedback": {"verdict": "up"}, "{name}": {"value": "x"}}


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


async def make_keys(server: Open) -> dict[str, str]:
    """A key of each role, and of no other."""
    made: dict[str, str] = {}
    for role in KEY_ROLES:
        await server.here.store.users.add(role)
        made[role] = (await server.here.store.keys.create(role, [role])).secret
    return made


async def test_every_endpoint_declares_the_role_that_it_needs(tmp_path: Path) -> None:
    document = app_in(tmp_path, dev_routes=True).openapi()
    declared = {
        name: operation["security"][0]["key"][0] if operation["security"] else None
        for name, operation in operations(document)
    }
    assert declared == ROLE_BY_ENDPOINT
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"


async def test_every_endpoint_answers_the_keys_of_its_role_and_no_others(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, dev_routes=True, rate_limit=0)) as server:
        keys = await make_keys(server)
        problems = []
        for name, needed in ROLE_BY_ENDPOINT.items():
            method, path = name.split(" ")
            address = path.replace("{user}", "nobody").replace("{", "").replace("}", "")
            for role in (None, *KEY_ROLES):
                headers = {"Authorization": f"Bearer {keys[role]}"} if role else {}
                answer = await server.client.request(method, address, headers=headers, json={})
                code = answer.json().get("error", {}).get("code") if "json" in answer.headers["content-type"] else None
                expected = None if needed is None else "unauthorized" if role is None else _expected_code(needed, role)
                refused = code if code in ("unauthorized", "role_missing") else None
                if refused != expected or (refused == "role_missing") != (answer.status_code == 403):
                    problems.append((name, role, answer.status_code, code))
        assert problems == []


def _expected_code(needed: str, role: str) -> str | None:
    return None if needed in ("user", role) else "role_missing"


async def test_a_refusal_says_which_role_is_missing_and_who_can_give_it(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path)) as server:
        keys = await make_keys(server)
        answer = await server.client.get("/api/audit", headers={"X-API-Key": keys["user"]})
        assert answer.json()["error"] == {
            "code": "role_missing",
            "message": "this needs a key with the role 'operator'; yours has: user",
            "hint": "somebody with access to the server makes one: metier keys create --user NAME --role operator",
        }


async def test_without_any_key_the_local_user_may_do_everything(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path)) as server:
        info = (await server.client.get("/api/info")).json()
        assert (info["user"], info["keys"], info["roles"]) == ("local", False, ["user", "approver", "operator"])
        for address in ("/api/audit", "/api/approvals"):
            assert (await server.client.get(address)).status_code == 200


async def test_the_first_key_closes_the_server_at_once_and_revoking_it_opens_nothing(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path)) as server:
        assert (await server.client.get("/api/info")).status_code == 200
        await server.here.store.users.add("ann")
        made = await server.here.store.keys.create("ann")
        assert (await server.client.get("/api/info")).status_code == 401
        headers = {"Authorization": f"Bearer {made.secret}"}
        info = (await server.client.get("/api/info", headers=headers)).json()
        assert (info["user"], info["keys"], info["roles"]) == ("ann", True, ["user"])
        await server.here.store.keys.revoke(made.key.id)
        assert (await server.client.get("/api/info", headers=headers)).status_code == 401
        assert (await server.client.get("/api/info")).status_code == 401


@pytest.mark.parametrize(
    ("keys", "roles", "expected"),
    [
        ({"ann": "a" * 16}, {}, {"ann": ["user", "approver", "operator"]}),
        ({"ann": "a" * 16}, {"ann": "approver"}, {"ann": ["user", "approver"]}),
        ({"ann": "a" * 16, "bob": "b" * 16}, {}, {"ann": ["user"], "bob": ["user"]}),
        (
            {"ann": "a" * 16, "bob": "b" * 16},
            {"bob": "operator, approver"},
            {"ann": ["user"], "bob": ["user", "approver", "operator"]},
        ),
    ],
    ids=["one key", "one key with roles", "two keys", "two keys, one with roles"],
)
async def test_a_key_of_the_settings_has_the_roles_that_the_settings_say(
    tmp_path: Path, keys: dict[str, str], roles: dict[str, str], expected: dict[str, list[str]]
) -> None:
    async with opened(app_in(tmp_path, api_keys=keys, roles=roles)) as server:
        for name, key in keys.items():
            info = (await server.client.get("/api/info", headers={"X-API-Key": key})).json()
            assert (info["user"], info["roles"]) == (name, expected[name])


async def test_an_operator_reads_the_conversations_of_others_and_that_is_recorded(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path)) as server:
        keys = await make_keys(server)
        talk = await server.here.store.conversations.create("user", title="secret")
        for role, status in (("operator", 200), ("approver", 404)):
            headers = {"X-API-Key": keys[role]}
            for address in ("", "/events.json", "/turns", "/export"):
                answer = await server.client.get(f"/api/conversations/{talk.id}{address}", headers=headers)
                assert answer.status_code == status, (role, address)
            changed = await server.client.patch(f"/api/conversations/{talk.id}", headers=headers, json={"title": "x"})
            assert changed.status_code == 404, role
        listed = await server.client.get("/api/conversations?user=user", headers={"X-API-Key": keys["operator"]})
        assert [one["title"] for one in listed.json()["conversations"]] == ["secret"]
        refused = await server.client.get("/api/conversations?user=user", headers={"X-API-Key": keys["approver"]})
        assert refused.json()["error"]["code"] == "role_missing"
        entries = (await server.client.get("/api/audit", headers={"X-API-Key": keys["operator"]})).json()["entries"]
        assert {(one["user"], one["action"], one["target"]) for one in entries} == {
            ("operator", "conversation.read", talk.id),
            ("operator", "conversations.list", "user"),
        }


@pytest.mark.parametrize("role", ["user", "approver"])
async def test_what_belongs_to_another_user_answers_as_what_does_not_exist(tmp_path: Path, role: str) -> None:
    async with opened(app_in(tmp_path)) as server:
        keys = await make_keys(server)
        owner = "operator"
        headers = {"X-API-Key": keys[owner]}
        told = await server.client.post("/api/chat", json={"message": "帮我写这周的周报"}, headers=headers)
        conversation, turn = told.headers["x-conversation-id"], told.headers["x-turn-id"]
        pauses = (await server.client.get("/api/pauses", headers=headers)).json()["pauses"]
        names = {"conversation": conversation, "turn": turn, "pause": pauses[0]["pause"]}
        for name in ROLE_BY_ENDPOINT:
            method, path = name.split(" ")
            kind = next((one for one in names if f"{{{one}}}" in path), None)
            if kind is None:
                continue
            answers = []
            for value in (names[kind], "0" * 32):
                address = path.replace(f"{{{kind}}}", value).replace("{path}", "note.txt")
                body = BODIES.get(path.rsplit("/", 1)[-1], {"answer": "x"} if kind == "pause" else {})
                if "approvals" in path:
                    body = {"decision": "approve"}
                answer = await server.client.request(method, address, headers={"X-API-Key": keys[role]}, json=body)
                answers.append((answer.status_code, answer.text.replace(value, "ID")))
            assert answers[0] == answers[1], name
            assert answers[0][0] in (404, 403)

"""What was refused, what was granted, what was planned."""

from tests.server.support import Open


async def test_violations_and_exceptions_are_listed_the_newest_first(server: Open) -> None:
    made = (await server.client.post("/api/conversations", json={})).json()["id"]
    store = server.here.store
    for tool in ("shell", "fetch"):
        await store.violations.record(
            made, tool=tool, args_digest="", layer="skill", code="not_allowed_by_skill", reason="不在清单里"
        )
        asked = await store.exceptions.request(made, tool=tool, reason="数据在别处")
    await store.exceptions.decide(asked.id, "granted", by="ann")
    violations = (await server.client.get("/api/violations", params={"conversation": made})).json()["violations"]
    assert [one["tool"] for one in violations] == ["fetch", "shell"]
    only = (await server.client.get("/api/violations", params={"tool": "shell"})).json()["violations"]
    assert [one["tool"] for one in only] == ["shell"]
    granted = (await server.client.get("/api/exceptions", params={"state": "granted"})).json()["exceptions"]
    assert [(one["tool"], one["decided_by"]) for one in granted] == [("fetch", "ann")]


async def test_every_version_of_a_plan_is_there(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    plans = (await server.client.get("/api/plans", params={"conversation": told[0]["conversation"]})).json()["plans"]
    assert [one["version"] for one in plans] == list(range(len(plans), 0, -1))
    assert plans[0]["state"] == "running"

"""Every page has its data behind `.json`."""

import pytest

from tests.server.support import Open

TWINS = [
    ("/chat/9f2c.json", "/api/conversations/9f2c"),
    ("/console/timeline.json", "/api/conversations"),
    ("/console/timeline.json?conversation=9f2c", "/api/conversations/9f2c/turns"),
    ("/console/timeline/77ab.json", "/api/turns/77ab"),
    ("/console/context/77ab.json", "/api/turns/77ab"),
    ("/console/skills.json?q=x", "/api/skills"),
    ("/console/skills/weekly-report.json", "/api/skills/weekly-report"),
    ("/console/bench.json", "/api/bench"),
    ("/console/macrobench.json", "/api/plan-bench"),
    ("/console/bench/run-1.json", "/api/bench/run-1"),
    ("/console/violations.json", "/api/violations"),
    ("/console/violations.json?tab=exceptions", "/api/exceptions"),
    ("/console/violations.json?tab=tools", "/api/tools/pending"),
    ("/console/violations.json?tab=//evil.example", "/api/violations"),
    ("/console/telemetry.json?event=chat.*", "/dev/telemetry/events?event=chat.*"),
]


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("address", "data"), TWINS, ids=[row[0] for row in TWINS])
async def test_a_pages_data_is_behind_json(server: Open, address: str, data: str) -> None:
    answer = await server.client.get(address)
    assert (answer.status_code, answer.headers["location"]) == (307, data)


async def test_the_playgrounds_data_is_the_decision(server: Open) -> None:
    answer = await server.client.get("/console/playground.json", params={"q": "帮我写这周的周报"})
    assert answer.json()["skill"] == "weekly-report"
    without = await server.client.get(
        "/console/playground.json", params={"q": "帮我写这周的周报", "without": "weekly-report,x"}
    )
    assert without.json()["candidates"] == []


@pytest.mark.parametrize("address", ["/console/nope.json", "/console/nope/x.json", "/console/violations/x.json"])
async def test_a_page_that_is_not_there_has_no_data(server: Open, address: str) -> None:
    answer = await server.client.get(address)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("address", ["/chat/%2F%2Fevil.example%2F.json", "/console/skills/%2F%2Fevil.example.json"])
async def test_no_address_leads_elsewhere(server: Open, address: str) -> None:
    answer = await server.client.get(address)
    assert answer.headers.get("location", "/api/").startswith("/api/")

"""Models over HTTP: which may be chosen, choosing one for a conversation or a message, and trying one out."""

from pathlib import Path
from typing import Any

from metier.testing import FakeModel
from tests.server.support import Open, app_in, opened

TABLES: Any = {"strong": {"model": "deepseek:deepseek-v4-pro", "api_key": "sk-very-secret"}}


async def test_models_are_listed_without_their_keys(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, models=TABLES, stage_models={"act": "strong"})) as server:
        answer = await server.client.get("/api/models")
    assert "secret" not in answer.text
    builtin, strong = answer.json()["models"]
    assert (builtin["name"], builtin["default"]) == ("builtin", True)
    assert (strong["address"], strong["stages"], strong["key"]) == (
        "https://api.deepseek.com",
        ["act"],
        "models.strong.api_key",
    )


async def test_a_conversation_keeps_the_model_that_was_chosen_for_it(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, models=TABLES)) as server:
        made = (await server.client.post("/api/conversations", json={"model": "strong"})).json()
        assert made["model"] == "strong"
        place = f"/api/conversations/{made['id']}"
        assert (await server.client.patch(place, json={"model": None})).json()["model"] is None
        refused = await server.client.patch(place, json={"model": "stong"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")


async def test_a_message_may_name_only_a_configured_model(server: Open) -> None:
    refused = await server.client.post("/api/chat", json={"message": "你好", "model": "nobody"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "model_not_found")


async def test_a_model_is_tried_out_over_http(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path)) as server:
        answer = (await server.client.post("/api/models/test", json={})).json()
    assert (answer["model"], answer["ok"], answer["checks"][0]["status"]) == ("builtin", True, "ok")


async def test_a_model_object_of_the_program_can_be_listed(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, model=FakeModel())) as server:
        (given,) = (await server.client.get("/api/models")).json()["models"]
    assert (given["name"], given["model"]) == ("given", "metier-fake")

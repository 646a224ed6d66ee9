"""Text that a model streams reaches every reader once, through the real clients of the providers."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from metier.cli import run
from metier.pack import Packs
from metier.server import create_app
from tests.e2e.support import streamed_texts
from tests.providers.conftest import Lives
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import KEY, MODEL, ModelServer, Reply
from tests.providers.support import APIS, WRITE, settings_in

on_module_loop = pytest.mark.asyncio(loop_scope="module")
PIECES = ("Hel", "lo ", "wor", "ld, here is a sentence of some length.", "\n", "And another one.")
TEXT = "".join(PIECES)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(OpenAIApi()) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(server: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """Client of a Metier server whose model is at the model server."""
    told = {"model": f"openai:{MODEL}", "base_url": server.url, "api_key": KEY}
    app = create_app(settings_in(tmp_path_factory.mktemp("served"), **told), packs=Packs())
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as found:
            yield found


@on_module_loop
@pytest.mark.parametrize("provider", sorted(APIS))
async def test_streamed_text_is_the_text_that_is_stored(lives: Lives, provider: str) -> None:
    live = await lives.get(provider)
    told = await live.ask(Reply(text=("I write ", "it down."), calls=(WRITE,)), Reply(text=PIECES))
    assert streamed_texts(told.events) == [("I write it down.", "I write it down."), (TEXT, TEXT)]
    assert told.kinds.count("text.delta") >= 3
    assert live.notes.written == [("a.txt", "whole")]


@on_module_loop
async def test_the_openai_api_streams_it_once(server: ModelServer, client: httpx.AsyncClient) -> None:
    server.reply(Reply(text=PIECES))
    asked = {"model": "metier", "messages": [{"role": "user", "content": "hello"}], "stream": True}
    answer = await client.post("/v1/chat/completions", json=asked)
    assert "".join(one["choices"][0]["delta"].get("content") or "" for one in _data(answer) if one["choices"]) == TEXT


@on_module_loop
@pytest.mark.parametrize(("end", "reason"), [("complete", "stop"), ("length", "length"), ("filter", "content_filter")])
async def test_the_openai_api_says_how_a_reply_ended(
    server: ModelServer, client: httpx.AsyncClient, end: Any, reason: str
) -> None:
    server.reply(Reply(text=PIECES, end=end))
    asked = {"model": "metier", "messages": [{"role": "user", "content": "hello"}]}
    answer = (await client.post("/v1/chat/completions", json=asked)).json()
    assert answer["choices"][0]["finish_reason"] == reason
    assert (answer["usage"]["prompt_tokens"], answer["usage"]["completion_tokens"]) == (11, 7)


@on_module_loop
async def test_ag_ui_streams_it_once(server: ModelServer, client: httpx.AsyncClient) -> None:
    server.reply(Reply(text=PIECES))
    message = {"id": "m", "role": "user", "content": "hello"}
    answer = await client.post("/agui", json={"threadId": "t", "runId": "r", "messages": [message]})
    told = _data(answer)
    assert "".join(one["delta"] for one in told if one["type"] == "TEXT_MESSAGE_CONTENT") == TEXT


def test_the_command_line_prints_it_once(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.reply(Reply(text=PIECES))
    for name, value in {"MODEL": f"openai:{MODEL}", "BASE_URL": server.url, "API_KEY": KEY, "EMBEDDER": "none"}.items():
        monkeypatch.setenv(f"METIER_{name}", value)
    assert run(["run", "hello", "--skills", str(tmp_path)]) == 0
    assert capsys.readouterr().out.strip() == TEXT


def _data(answer: httpx.Response) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]

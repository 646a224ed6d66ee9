"""A chain of models with real clients: whichever way the first one fails, the next answers, and the events say so."""

import socket
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from tests.e2e.support import told
from tests.providers.anthropic_api import AnthropicApi
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import KEY, MODEL, ModelServer, Reply
from tests.providers.support import settings_in

FAILURES = [
    pytest.param("wrong key", (), id="401"),
    pytest.param(KEY, (Reply(status=404, text=("no such model",)),), id="404"),
    pytest.param(KEY, (Reply(status=402, text=("insufficient balance",)),), id="402"),
    pytest.param(KEY, None, id="nobody listens"),
]


@pytest.mark.parametrize(("key", "replies"), FAILURES)
async def test_the_next_model_answers_and_the_usage_says_which(
    key: str, replies: tuple[Reply, ...] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("random.random", lambda: 0.0)  # no wait before a retry
    with ModelServer(OpenAIApi()) as first, ModelServer(AnthropicApi()) as second:
        first.reply(*(replies or ()))
        second.reply(Reply(text=("Hello ", "there.")))
        models: dict[str, dict[str, Any]] = {
            "near": {"model": MODEL, "preset": "vllm", "base_url": first.url if replies is not None else _nobody()},
            "far": {"model": f"anthropic:{MODEL}", "base_url": second.url, "api_key": KEY, "tools": "native"},
        }
        models["near"] |= {"api_key": key, "tools": "native", "price_input": 1e6, "price_output": 1e6}
        models["far"] |= {"price_input": 2.0, "price_output": 30.0}
        settings = settings_in(tmp_path, model="near", model_fallback=("far",), models=models)
        async with Runtime.open(settings) as runtime:
            seen = await told(runtime.turn(TurnRequest("hello there, how are you")))
    used: Any = seen.one("usage")
    assert seen.text == "Hello there."
    assert (used["name"], used["model"], used["fallback"]) == ("near", f"anthropic:{MODEL}", True)
    cost = round((used["input_tokens"] * 2.0 + used["output_tokens"] * 30.0) / 1e6, 6)
    assert used["cost"] == cost == seen.one("turn.done")["cost"]  # at the price of the one that answered


def _nobody() -> str:
    """An address at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"

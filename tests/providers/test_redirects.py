"""No client carries a prompt to an address that its endpoint redirects to."""

import gc

import pytest

from metier.agent import ModelConfig, load_model
from metier.errors import InvalidSettings
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import KEY, MODEL, ModelServer, Reply


class AnyPath(OpenAIApi):
    """An endpoint that answers at every path and asks for no key."""

    def is_chat(self, path: str) -> bool:
        return True

    def key(self, request: object) -> str:
        return KEY


# Of Google's package: it extends a class of aiohttp, and does not await the body of an error.
@pytest.mark.filterwarnings("ignore:Inheritance class Aiohttp")
@pytest.mark.filterwarnings("ignore:coroutine 'ClientResponse.json' was never awaited")
async def test_a_prompt_stays_with_the_endpoint_that_was_chosen() -> None:
    for name in ("anthropic", "google_genai", "ollama", "openai"):
        with ModelServer(AnyPath()) as chosen, ModelServer(AnyPath()) as other:
            model = load_model(ModelConfig(f"{name}:{MODEL}", base_url=chosen.root, api_key=KEY, attempts=1))
            said = []
            for _ in ("streamed", "whole"):
                chosen.reply(Reply(status=307, body=b"", headers={"location": f"{other.root}/v1"}))
            try:
                [chunk async for chunk in model.astream("a secret")]
            except InvalidSettings as error:
                said.append(error.message)
            try:
                model.invoke("a secret")
            except InvalidSettings as error:
                said.append(error.message)
            assert [f"redirects to {other.root}/v1 (307)" in message for message in said] == [True, True], (name, said)
            assert (len(chosen.requests), other.requests) == (2, []), name
    gc.collect()  # what was not awaited is noticed here, not in another test

"""An endpoint on this machine whose replies are decoded at random: under the schema of the request, or under none."""

import asyncio
import json
import random
from collections.abc import Sequence
from typing import Any

from tests.agent.models.decoding.random_json import write_anything, write_under
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import Ability, Api, ModelServer, Received, Reply

PIECE_CHARS = 7


class DecodingServer(ModelServer):
    """Decodes replies at random. `holds` says whether it holds them to a schema that comes with the request.

    Without a schema it may name any tool that `known` lists, offered or not.
    """

    def __init__(
        self, known: Sequence[str], *, holds: bool = True, owner: str = "vllm", api: Api | None = None, seed: int = 1
    ) -> None:
        super().__init__(api or OwnedApi(owner), Ability(schemas=True))
        self.known = known
        self.holds = holds
        self.said: list[str] = []
        self._rng = random.Random(seed)

    async def _answer(self, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.api.is_chat(request.path):
            text = self.decode(request.body)
            self.said.append(text)
            pieces = tuple(text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS))
            self.reply(Reply(text=pieces))
        await super()._answer(request, reader, writer)

    def decode(self, body: dict[str, Any]) -> str:
        schema = find_schema(body)
        if schema is None or not self.holds:
            return write_anything(self._rng, self.known)
        return write_under(schema, self._rng)


class OwnedApi(OpenAIApi):
    """OpenAI's protocol as another engine speaks it, with its own name on its list of models."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def get(self, path: str) -> object:
        found: Any = super().get(path)
        if isinstance(found, dict):
            found["data"][0]["owned_by"] = self._owner
        return found


def find_schema(body: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of a request, wherever an engine looks for it."""
    wrapped = (body.get("response_format") or {}).get("json_schema") or {}
    nested = (body.get("structured_outputs") or {}).get("json")
    places = (wrapped.get("schema"), nested, *(body.get(name) for name in ("guided_json", "json_schema", "format")))
    return next((one for one in places if one), None)


def names_in(text: str) -> set[str]:
    """Tools that a reply names, whoever would read it and however."""
    try:
        value = json.loads(text)
    except ValueError:
        return set()
    return set(_names(value))


def _names(value: object) -> list[str]:
    if isinstance(value, list):
        return [name for one in value for name in _names(one)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("tool", "name") if isinstance(value.get(key), str) and "arguments" in value]
    return own + [name for key in ("reply", "calls") for name in _names(value.get(key))]

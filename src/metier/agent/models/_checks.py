"""Tries out a configured model: reply, streaming, usage, both languages, tools, schema, window."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

import httpx
from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent.models._entries import ModelEntry, is_loopback_url
from metier.agent.models._load import make_endpoint
from metier.agent.models._pool import load_entry
from metier.agent.models.decoding import Capabilities, probe_endpoint
from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.language import language_of

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk

CheckName = Literal["load", "reply", "streaming", "usage", "english", "chinese", "tools", "schema", "window"]
CheckStatus = Literal["ok", "warning", "failed"]
_TIMEOUT_S: Final = 60.0
_ASK_S: Final = 3.0
_ENGLISH: Final = "Reply with the one word: hello"
_CHINESE: Final = "请只用中文回答两个字：你好"
_ADD: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Add two whole numbers.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
        },
    },
}


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """Result of one check: what was seen, and what to do if it is not as it should be."""

    name: CheckName
    status: CheckStatus
    message: str
    hint: str = ""
    elapsed_ms: float | None = None

    def to_json(self) -> JsonObject:
        return {key: value for key, value in asdict(self).items() if value not in (None, "")}


async def check_model(entry: ModelEntry) -> AsyncIterator[ModelCheck]:
    """Try the model alone, without its fallbacks and without retries; ends early if it does not answer."""
    if entry.is_builtin:
        yield ModelCheck("load", "ok", "the built-in model needs no service")
        return
    limit_s = min(entry.config.timeout_s, _TIMEOUT_S)
    alone = replace(entry, fallbacks=(), config=replace(entry.config, attempts=1, timeout_s=limit_s, tools="native"))
    try:
        model = load_entry(alone)
    except MetierError as error:
        yield ModelCheck("load", "failed", error.message, error.hint)
        return
    yield ModelCheck("load", "ok", f"{entry.config.label or entry.config.name} at {entry.address or 'its own address'}")
    answered = False
    async for check in _check_reply(model):
        answered = answered or check.name == "english"
        yield check
    if not answered:
        return
    yield await _run("chinese", _check_chinese(model))
    yield await _run("tools", _check_tools(model))
    async for check in _check_endpoint(model, entry):
        yield check


async def _run(name: CheckName, look: Awaitable[ModelCheck]) -> ModelCheck:
    began = time.perf_counter()
    try:
        found = await look
    except MetierError as error:
        return ModelCheck(name, "warning", error.message, _HINTS[name])
    return replace(found, elapsed_ms=_since(began))


async def _check_reply(model: BaseChatModel) -> AsyncIterator[ModelCheck]:
    began, first_ms, pieces = time.perf_counter(), 0.0, 0
    whole: AIMessageChunk | None = None
    try:
        async for chunk in model.astream(_ENGLISH):
            whole = chunk if whole is None else whole + chunk
            if chunk.text:
                pieces += 1
                first_ms = first_ms or _since(began)
    except MetierError as error:
        yield ModelCheck("reply", "failed", error.message, error.hint)
        return
    total_ms = _since(began)
    text = whole.text.strip() if whole is not None else ""
    if not text:
        yield ModelCheck("reply", "failed", "the reply is empty", "try another model, or raise METIER_MODEL_MAX_OUTPUT")
        return
    yield ModelCheck("reply", "ok", f"first token after {first_ms:.0f} ms, all after {total_ms:.0f} ms", "", total_ms)
    streams = pieces > 1
    yield ModelCheck(
        "streaming", "ok" if streams else "warning", f"{pieces} pieces", "" if streams else _HINTS["streaming"]
    )
    used = whole.usage_metadata if whole is not None else None
    told = f"{used['input_tokens']} tokens read, {used['output_tokens']} written" if used else "not reported"
    yield ModelCheck("usage", "ok" if used else "warning", told, "" if used else _HINTS["usage"])
    good = "hello" in text.casefold()
    yield ModelCheck("english", "ok" if good else "warning", _quote(text), "" if good else _HINTS["english"])


async def _check_chinese(model: BaseChatModel) -> ModelCheck:
    text = (await model.ainvoke(_CHINESE)).text.strip()
    good = bool(text) and language_of(text) == language_of(_CHINESE)
    return ModelCheck("chinese", "ok" if good else "warning", _quote(text), "" if good else _HINTS["chinese"])


async def _check_tools(model: BaseChatModel) -> ModelCheck:
    reply = await model.bind_tools([dict(_ADD)]).ainvoke("Use the tool add: 2 + 3 = ?")
    call = reply.tool_calls[0] if reply.tool_calls else None
    good = call is not None and call["name"] == "add" and call["args"] == {"a": 2, "b": 3}
    seen = f"{call['name']}({call['args']})" if call else f"no call, but {_quote(reply.text)}"
    return ModelCheck("tools", "ok" if good else "warning", seen[:200], "" if good else _HINTS["tools"])


async def _check_endpoint(model: BaseChatModel, entry: ModelEntry) -> AsyncIterator[ModelCheck]:
    """Whether replies can be held to a schema, and the window: what the endpoint is asked at its first use too."""
    began = time.perf_counter()
    try:
        found = await asyncio.to_thread(probe_endpoint, model, make_endpoint(entry.config))
    except MetierError as error:
        yield ModelCheck("schema", "warning", error.message, _HINTS["schema"])
        found = Capabilities()
    else:
        told = f"replies are held to it ({found.schema})" if found.schema else "replies are not held to it"
        hint = "" if found.schema else _HINTS["schema"]
        yield ModelCheck("schema", "ok" if found.schema else "warning", told, hint, _since(began))
    size, source = (entry.window, "from the settings") if entry.window else (found.window_tokens, "as the service says")
    if size:
        yield ModelCheck("window", "ok", f"{size} tokens, {source}")
    else:
        yield ModelCheck("window", "warning", "the service does not say", _HINTS["window"])


async def ask_reachable(entry: ModelEntry) -> ModelCheck | None:
    """Whether the service answers at all; None if its address is not the operator's and not this machine's.

    A service on the internet is not called without being asked: `check_model` does that.
    """
    address = entry.config.base_url or entry.address
    if not address or not (entry.config.base_url or is_loopback_url(address)):
        return None
    own_site = entry.preset is not None and address.startswith(entry.preset.base_url) and not is_loopback_url(address)
    if own_site:
        return None
    path = "/api/tags" if entry.preset is not None and entry.preset.provider == "ollama" else "/models"
    hint = entry.preset.hint if entry.preset is not None else ""
    try:
        async with _http_client(entry) as client:
            status = (await client.get(f"{address.rstrip('/')}{path}")).status_code
    except httpx.HTTPError as error:
        told = f"{entry.address} does not answer ({type(error).__name__})"
        return ModelCheck("reply", "failed", told, hint or "start the service, or change METIER_BASE_URL")
    if status in (401, 403):
        return ModelCheck("reply", "failed", f"{entry.address} refuses the key ({status})", "check the key")
    return ModelCheck("reply", "ok", f"{entry.address} answers")


def _http_client(entry: ModelEntry) -> httpx.AsyncClient:
    key = entry.config.api_key
    return httpx.AsyncClient(timeout=_ASK_S, headers={"Authorization": f"Bearer {key}"} if key else {})


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def _quote(text: str) -> str:
    shown = text.strip().replace("\n", " ")[:80]
    return f"“{shown}”" if shown else "an empty reply"


_HINTS: Mapping[CheckName, str] = {
    "streaming": "answers appear at once, at the end; see the streaming option of the service",
    "usage": "tokens are counted here instead, and may differ from the bill",
    "english": "a stronger model follows instructions better",
    "chinese": "answers to Chinese messages may be in another language; try a model that speaks Chinese",
    "tools": "set METIER_MODEL_TOOLS=text, or use a model that calls tools",
    "schema": "tools are called natively or as text",
    "window": "set METIER_MODEL_WINDOW",
}

"""Tries out a configured model: reply, streaming, usage, both languages, tools, schema, window."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent.models._check_sentences import CHECK_SENTENCES
from metier.agent.models._entries import ModelEntry, is_loopback_url
from metier.agent.models._load import make_endpoint
from metier.agent.models._pool import load_entry
from metier.agent.models.decoding import Capabilities, probe_endpoint
from metier.errors import MetierError
from metier.events import describe_error
from metier.json_values import JsonObject
from metier.language import Language, Sentences, language_of
from metier.tools import read_certificates

if TYPE_CHECKING:
    import httpx
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
    """Result of one check: what was seen, and what to do if it is not as it should be.

    `code` and `hint_code` are keys of `CHECK_SENTENCES` with `values` for both, or the code of an error: the page says
    it in the reader's language.
    """

    name: CheckName
    status: CheckStatus
    message: str
    hint: str = ""
    elapsed_ms: float | None = None
    code: str = ""
    hint_code: str = ""
    values: Mapping[str, str | int] = field(default_factory=dict)

    def text(self, language: Language) -> str:
        """What was seen, in this language."""
        known = self.code in CHECK_SENTENCES
        told = Sentences(CHECK_SENTENCES).render(self.code, language, **self.values) if known else ""
        return told or describe_error(self.code, self.message, language)

    def hint_text(self, language: Language) -> str:
        """What to do about it, in this language; a hint that is not in the table stays as it is."""
        known = self.hint_code in CHECK_SENTENCES
        return Sentences(CHECK_SENTENCES).render(self.hint_code, language, **self.values) if known else self.hint

    def to_json(self) -> JsonObject:
        return {key: value for key, value in asdict(self).items() if value not in (None, "", {})}


async def check_model(entry: ModelEntry) -> AsyncIterator[ModelCheck]:
    """Try the model alone, without its fallbacks and without retries; ends early if it does not answer."""
    if entry.is_builtin:
        yield _make_check("load", "ok", "builtin")
        return
    limit_s = min(entry.config.timeout_s, _TIMEOUT_S)
    alone = replace(entry, fallbacks=(), config=replace(entry.config, attempts=1, timeout_s=limit_s, tools="native"))
    try:
        model = load_entry(alone)
    except MetierError as error:
        yield _from_error("load", "failed", error)
        return
    label = entry.config.label or entry.config.name
    loaded = "loaded" if entry.address else "loaded_own_address"
    yield _make_check("load", "ok", loaded, model=label, address=entry.address)
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


def _make_check(
    name: CheckName, status: CheckStatus, code: str, hint_code: str = "", /, **values: str | int
) -> ModelCheck:
    message = CHECK_SENTENCES[code][0].format(**values)
    hint = CHECK_SENTENCES[hint_code][0].format(**values) if hint_code else ""
    return ModelCheck(name, status, message, hint, code=code, hint_code=hint_code, values=values)


def _from_error(name: CheckName, status: CheckStatus, error: MetierError) -> ModelCheck:
    return ModelCheck(name, status, error.message, error.hint, code=error.code)


async def _run(name: CheckName, look: Awaitable[ModelCheck]) -> ModelCheck:
    began = time.perf_counter()
    try:
        found = await look
    except MetierError as error:
        return _warn_of_error(name, error)
    return replace(found, elapsed_ms=_since(began))


def _warn_of_error(name: CheckName, error: MetierError) -> ModelCheck:
    """The call failed, but the model can be used: the hint is about what the check is for."""
    hint_code = f"hint_{name}"
    return replace(_from_error(name, "warning", error), hint=CHECK_SENTENCES[hint_code][0], hint_code=hint_code)


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
        yield _from_error("reply", "failed", error)
        return
    total_ms = _since(began)
    text = whole.text.strip() if whole is not None else ""
    if not text:
        yield _make_check("reply", "failed", "empty", "hint_empty")
        return
    timing = _make_check("reply", "ok", "timing", first_ms=round(first_ms), total_ms=round(total_ms))
    yield replace(timing, elapsed_ms=total_ms)
    yield _judge("streaming", pieces > 1, "pieces", count=pieces)
    used = whole.usage_metadata if whole is not None else None
    if used:
        yield _make_check("usage", "ok", "tokens", read=used["input_tokens"], written=used["output_tokens"])
    else:
        yield _judge("usage", False, "no_usage")
    yield _judge("english", "hello" in text.casefold(), "replied", text=_shorten(text))


def _judge(name: CheckName, good: bool, code: str, /, **values: str | int) -> ModelCheck:
    """Check that is a warning with the hint of its name if it is not good."""
    return _make_check(name, "ok" if good else "warning", code, "" if good else f"hint_{name}", **values)


async def _check_chinese(model: BaseChatModel) -> ModelCheck:
    text = (await model.ainvoke(_CHINESE)).text.strip()
    good = bool(text) and language_of(text) == language_of(_CHINESE)
    return _judge("chinese", good, "replied" if text else "replied_nothing", text=_shorten(text))


async def _check_tools(model: BaseChatModel) -> ModelCheck:
    reply = await model.bind_tools([dict(_ADD)]).ainvoke("Use the tool add: 2 + 3 = ?")
    if not reply.tool_calls:
        text = _shorten(reply.text)
        return _judge("tools", False, "no_call" if text else "no_call_no_text", text=text)
    call = reply.tool_calls[0]
    good = call["name"] == "add" and call["args"] == {"a": 2, "b": 3}
    return _judge("tools", good, "called", call=f"{call['name']}({call['args']})"[:200])


async def _check_endpoint(model: BaseChatModel, entry: ModelEntry) -> AsyncIterator[ModelCheck]:
    """Whether replies can be held to a schema, and the window: what the endpoint is asked at its first use too."""
    began = time.perf_counter()
    try:
        found = await asyncio.to_thread(probe_endpoint, model, make_endpoint(entry.config))
    except MetierError as error:
        yield _warn_of_error("schema", error)
        found = Capabilities()
    else:
        held = "schema_held" if found.schema else "schema_not_held"
        check = _judge("schema", bool(found.schema), held, way=found.schema or "")
        yield replace(check, elapsed_ms=_since(began))
    if tokens := entry.window or found.window_tokens:
        yield _make_check("window", "ok", "window_set" if entry.window else "window_asked", tokens=tokens)
    else:
        hint = "hint_window_named" if entry.is_named else "hint_window"
        yield _make_check("window", "warning", "window_unknown", hint, name=entry.name)


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
    import httpx

    path = "/api/tags" if entry.preset is not None and entry.preset.provider == "ollama" else "/models"
    try:
        async with _http_client(entry) as client:
            status = (await client.get(f"{address.rstrip('/')}{path}")).status_code
    except httpx.HTTPError as error:
        why = type(error).__name__
        check = _make_check("reply", "failed", "unreachable", "hint_start", address=entry.address, why=why)
        return replace(check, hint=entry.preset.hint or check.hint) if entry.preset is not None else check
    if status in (401, 403):
        return _make_check("reply", "failed", "key_refused", "hint_key", address=entry.address, status=status)
    return _make_check("reply", "ok", "reachable", address=entry.address)


def _http_client(entry: ModelEntry) -> "httpx.AsyncClient":
    import httpx

    key = entry.config.api_key
    return httpx.AsyncClient(
        verify=read_certificates(trust_env=True),
        timeout=_ASK_S,
        headers={"Authorization": f"Bearer {key}"} if key else {},
    )


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 1)


def _shorten(text: str) -> str:
    return text.strip().replace("\n", " ")[:80]

"""What an endpoint can do, asked once and remembered: in memory, and in a file with an expiry."""

import asyncio
import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextvars import Context
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from metier.agent.models.decoding._constraints import ENGINES, SCHEMA_METHODS, Engine, SchemaMethod
from metier.clock import utc_now
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json

ToolMode = Literal["native", "schema", "text"]
CAPABILITIES_FILE: Final = "model-capabilities.json"
_VERSION: Final = 1
_MAX_AGE: Final = timedelta(days=7)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that serves a model. `base_url` is empty for the provider's own address."""

    provider: str
    model: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)

    @property
    def key(self) -> str:
        """Name under which its capabilities are remembered, without a password that stands in the address."""
        parts = urlsplit(self.base_url)
        host = f"{parts.hostname or ''}:{parts.port}" if parts.port else parts.hostname or ""
        address = f"{parts.scheme}://{host}{parts.path.rstrip('/')}" if self.base_url else ""
        return f"{self.provider}:{self.model} {address}".strip()


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an endpoint can do with a model; None where it was not asked.

    `schema` is the method by which replies are held to a JSON Schema, None if there is none. `thinking` means that
    replies begin inside their reasoning, without an opening tag.
    """

    engine: Engine = "unknown"
    tools: bool | None = None
    schema: SchemaMethod | None = None
    window_tokens: int | None = None
    usage: bool | None = None
    thinking: bool = False
    asked_at: str = ""

    @property
    def mode(self) -> ToolMode:
        """How tools reach the model: under a schema if possible, else natively, else as text."""
        if self.schema is not None:
            return "schema"
        return "text" if self.tools is False else "native"

    def to_json(self) -> JsonObject:
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonValue) -> "Capabilities | None":
        """Capabilities from a file; None if it was written by another version or changed by hand."""
        if not isinstance(data, Mapping) or data.get("engine") not in ENGINES:
            return None
        if data.get("schema") not in (None, *SCHEMA_METHODS):
            return None
        flags = {name: data.get(name) for name in ("tools", "usage")}
        window, asked_at = data.get("window_tokens"), data.get("asked_at")
        if not all(flag is None or isinstance(flag, bool) for flag in flags.values()) or not isinstance(asked_at, str):
            return None
        if window is not None and (not isinstance(window, int) or window <= 0):
            return None
        known = {name: data[name] for name in ("engine", "schema")}
        return cls(**known, **flags, window_tokens=window, thinking=data.get("thinking") is True, asked_at=asked_at)  # type: ignore[arg-type]  # checked above


class CapabilityStore:
    """Remembers the capabilities of endpoints, and never asks one endpoint twice at a time.

    `folder` holds the file; without it, capabilities are remembered in memory only. A file that cannot be read or
    written is a warning in the log: the endpoint is then asked again.
    """

    def __init__(self, folder: Path | None = None, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._path = folder / CAPABILITIES_FILE if folder is not None else None
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, Capabilities] | None = None
        self._asking: dict[str, Future[Capabilities]] = {}

    def get(self, endpoint: Endpoint) -> Capabilities | None:
        """Capabilities if they are known and not too old."""
        with self._lock:
            found = self._load().get(endpoint.key)
        return found if found is not None and self._is_fresh(found) else None

    def put(self, endpoint: Endpoint, capabilities: Capabilities) -> None:
        """Remember capabilities."""
        with self._lock:
            known = self._load()
            known[endpoint.key] = capabilities
            self._save(known)

    def forget(self, endpoint: Endpoint) -> None:
        """Forget an endpoint that no longer does what it did."""
        with self._lock:
            known = self._load()
            if known.pop(endpoint.key, None) is not None:
                self._save(known)

    def ask(self, endpoint: Endpoint, probe: Callable[[], Capabilities]) -> Capabilities:
        """Capabilities that are remembered, or else the answer of `probe`.

        Whoever asks while the endpoint is being asked waits for the same answer. A failed probe is not remembered.
        """
        known = self.get(endpoint)
        if known is not None:
            return known
        answer, is_first = self._begin(endpoint)
        return self._run(endpoint, probe, answer) if is_first else answer.result()

    async def aask(self, endpoint: Endpoint, probe: Callable[[], Capabilities]) -> Capabilities:
        """As `ask`, with the probe in a thread."""
        known = self.get(endpoint)
        if known is not None:
            return known
        answer, is_first = self._begin(endpoint)
        if is_first:
            return await asyncio.to_thread(self._run, endpoint, probe, answer)
        return await asyncio.wrap_future(answer)

    def _begin(self, endpoint: Endpoint) -> tuple[Future[Capabilities], bool]:
        with self._lock:
            if (waiting := self._asking.get(endpoint.key)) is not None:
                return waiting, False
            answer = self._asking[endpoint.key] = Future()
            answer.set_running_or_notify_cancel()  # one who waits and is cancelled does not cancel the others
            return answer, True

    def _run(self, endpoint: Endpoint, probe: Callable[[], Capabilities], answer: Future[Capabilities]) -> Capabilities:
        try:
            found = Context().run(probe)  # the probe is not part of the run that needs its answer
            self.put(endpoint, found)
        except BaseException as error:
            self._end(endpoint)
            answer.set_exception(error)
            raise
        self._end(endpoint)
        answer.set_result(found)
        return found

    def _end(self, endpoint: Endpoint) -> None:
        with self._lock:
            self._asking.pop(endpoint.key, None)

    def _is_fresh(self, found: Capabilities) -> bool:
        try:
            age = self._clock() - datetime.fromisoformat(found.asked_at)
        except (ValueError, TypeError):
            return False
        return timedelta() <= age < _MAX_AGE

    def _load(self) -> dict[str, Capabilities]:
        if self._known is None:
            self._known = {}
            try:
                text = self._path.read_text("utf-8") if self._path is not None else "{}"
                data = load_json(text)
            except FileNotFoundError:
                data = None
            except (OSError, UnicodeDecodeError, JsonInvalid) as error:
                _log.warning("cannot read %s, endpoints are asked again: %s", self._path, error)
                data = None
            listed = data.get("endpoints") if isinstance(data, Mapping) and data.get("version") == _VERSION else None
            for key, value in listed.items() if isinstance(listed, Mapping) else ():
                if (found := Capabilities.from_json(value)) is not None:
                    self._known[key] = found
        return self._known

    def _save(self, known: Mapping[str, Capabilities]) -> None:
        if self._path is None:
            return
        data = {"version": _VERSION, "endpoints": {key: one.to_json() for key, one in sorted(known.items())}}
        partial = self._path.with_name(f"{self._path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")
            partial.replace(self._path)
        except OSError as error:
            _log.warning("cannot write %s: %s", self._path, error)

"""Real servers for a real browser: one that needs no model, one whose model says what a test tells it to."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import PrivateAttr

from metier.pack import Packs, find_installed_packs, read_pack
from metier.server import create_app
from metier.settings import Settings
from metier.testing import FakeModel
from tests.browser import shop

HOLD = "\x00hold"


class Talker(FakeModel):
    """A scripted model that stops at a `HOLD` in what it says, until it is told to go on."""

    _latch: threading.Event = PrivateAttr(default_factory=threading.Event)

    def go_on(self) -> None:
        self._latch.set()

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, kwargs):
            if chunk.text == HOLD:
                await asyncio.to_thread(self._latch.wait)
                self._latch.clear()
                continue
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def forget(self) -> None:
        """Drop what is still to be said; the next test writes its own."""
        self._latch.set()
        self._script.replies.clear()
        self._latch.clear()


@dataclass(frozen=True, slots=True)
class House:
    """A server that runs: its address, its folder, and its model when it has one of ours."""

    address: str
    folder: Path
    model: Talker | None = None
    listener: "Listener | None" = None

    def settle(self) -> None:
        """Let every turn end, held ones too, and drop what the model had still to say: the next test writes its own.

        A turn that a test began and did not wait for would otherwise take the first reply of the next one.
        """
        assert self.model is not None
        assert self.listener is not None
        self.model.forget()
        self.listener.wait_until_idle()
        self.model.forget()


class Listener:
    """One application on one port, which can be closed and opened again."""

    def __init__(self, app: FastAPI, port: int = 0) -> None:
        self._app = app
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port = int(self._socket.getsockname()[1])
        config = uvicorn.Config(app, log_level="critical", lifespan="on", ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)
            if not self._thread.is_alive():
                raise RuntimeError("the server did not start")

    def wait_until_idle(self) -> None:
        """Wait until no turn runs."""
        waiting = self._app.state.serving.runtime.wait_until_idle()
        asyncio.run_coroutine_threadsafe(waiting, self._server.servers[0].get_loop()).result(60)

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(60)
        self._socket.close()


class Relay:
    """A wire between a reader and a server, which can be cut and mended; neither of the two is asked."""

    def __init__(self, house: House) -> None:
        self._target = int(house.address.rsplit(":", 1)[1])
        self._listening: asyncio.Server | None = None
        self._wires: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def mend(self) -> None:
        self._listening = await asyncio.start_server(self._carry, "127.0.0.1", self.port)
        self.port = int(self._listening.sockets[0].getsockname()[1])

    async def cut(self) -> None:
        assert self._listening is not None
        self._listening.close()
        for wire in self._wires:
            wire.transport.abort()
        await self._listening.wait_closed()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, beyond = await asyncio.open_connection("127.0.0.1", self._target)
        self._wires |= {writer, beyond}
        await asyncio.gather(_copy(reader, beyond), _copy(there, writer))
        self._wires -= {writer, beyond}


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


def application(
    folder: Path,
    model: Talker | None = None,
    *,
    telecom: bool = False,
    others: Mapping[str, Talker] | None = None,
    **more: Any,
) -> FastAPI:
    """The application over a folder: the shop's skills and tools, saved benchmark runs, the telecom pack if wanted.

    `others` are further models by name.
    """
    here = folder / "shop"
    own = read_pack(here if here.exists() else shop.write_pack(here))
    packs = Packs(found=(own, *(find_installed_packs().select(["telecom"]) if telecom else ())))
    given = {"skills_dir": (), "storage_dir": folder / "storage", "embedder": "none", "sandbox": "off", "rate_limit": 0}
    settings = Settings(**{**given, "dev_routes": True, **more})
    bench = _runs(folder / "bench")
    return create_app(settings, packs=packs, model=model, models=others, tools=shop.tools(), bench_folder=bench)


@contextmanager
def running(folder: Path, model: Talker | None = None, **more: Any) -> Iterator[House]:
    listener = Listener(application(folder, model, **more))
    try:
        yield House(f"http://127.0.0.1:{listener.port}", folder, model, listener)
    finally:
        if model is not None:
            model.forget()
        listener.close()


class RestartableHouse:
    """A server with one pack alone and the router's vectors, which can be started again on the same port."""

    def __init__(self, folder: Path, pack: str = "telecom") -> None:
        self._pack = pack
        self._settings = Settings(skills_dir=(), storage_dir=folder, sandbox="off", rate_limit=0)
        self._listener = Listener(self._make_app())
        self.house = House(f"http://127.0.0.1:{self._listener.port}", folder)

    def restart(self) -> None:
        self.close()
        self._listener = Listener(self._make_app(), self._listener.port)

    def close(self) -> None:
        self._listener.close()

    def _make_app(self) -> FastAPI:
        return create_app(self._settings, packs=Packs(found=find_installed_packs().select([self._pack])))


def _runs(folder: Path) -> Path:
    """Two saved runs: one figure got worse, one better, one stayed."""
    folder.mkdir(exist_ok=True)
    for name, values in (("2026-01-01T000000Z", (10.0, 0.5, 3.0)), ("2026-01-02T000000Z", (14.0, 0.9, 3.0))):
        names = (("turn p50", "ms", False, 50.0), ("recall", "", True, 0.8), ("start", "s", False, 2.0))
        figures = [
            {"suite": "server", "name": named, "value": value, "target": target, "unit": unit, "more": more}
            for (named, unit, more, target), value in zip(names, values, strict=True)
        ]
        saved = {"at": f"{name[:10]}T00:00:00Z", "machine": {"cpu": "two cores"}, "figures": figures}
        (folder / f"{name}.json").write_text(json.dumps(saved), "utf-8")
    return folder

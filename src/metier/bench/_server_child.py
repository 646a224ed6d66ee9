"""Server process that `metier bench server` measures; it stores events at a fixed rate."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI

from metier.pack import Packs
from metier.server import create_app, serve
from metier.settings import Settings
from metier.testing import FakeModel

USER = "local"
_ANSWERS = 1000
_TEXT = "每秒四次的一小段文字。"


def main(folder: Path, conversations: int, period_s: float, embedder: str) -> None:
    """Serve on a free port and print its address; every conversation gets one event per period."""
    settings = Settings(
        skills_dir=(folder / "skills",),
        storage_dir=folder / "storage",
        embedder=embedder,
        telemetry_mode="off",
        rate_limit=0,
        streams_max=10_000,
        conversation_streams_max=10_000,
        port=0,
    )
    model = FakeModel()
    for _ in range(_ANSWERS):
        model.say("好的。")
    app = create_app(settings, packs=Packs(), model=model)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(started: FastAPI) -> AsyncIterator[None]:
        async with inner(started):
            names = [await _create_conversation(started, number) for number in range(conversations)]
            apart_s = period_s / conversations
            beats = (_append_events(started, name, period_s, number * apart_s) for number, name in enumerate(names))
            tasks = [asyncio.create_task(beat) for beat in beats]
            yield
            for task in tasks:
                task.cancel()

    app.router.lifespan_context = lifespan
    ready = partial(print, flush=True)  # the parent reads the address
    serve(app, settings.host, 0, ready, connections_max=settings.connections_max)


async def _create_conversation(app: FastAPI, number: int) -> str:
    made = await app.state.serving.store.conversations.create(USER, title=f"beat {number}")
    return str(made.id)


async def _append_events(app: FastAPI, conversation: str, period_s: float, after_s: float) -> None:
    """Store an event and notify the observers at a fixed rate, as a turn does."""
    here = app.state.serving
    loop = asyncio.get_running_loop()
    due = loop.time() + after_s
    await asyncio.sleep(after_s)
    while True:
        here.observe(await here.store.events.append(conversation, "text.delta", {"text": _TEXT}))
        due += period_s
        await asyncio.sleep(max(0.0, due - loop.time()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])

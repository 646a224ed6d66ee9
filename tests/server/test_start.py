"""What a server loads before it is ready, and what a first message then has to wait for: nothing only some need."""

import json
import subprocess
import sys

import pytest

NOT_BEFORE_READY = (
    *("anthropic", "asyncpg", "dask", "docx", "jieba", "lunar_python", "lxml", "matplotlib"),
    *(
        "mcp",
        "networkx",
        "openai",
        "opencc",
        "openpyxl",
        "pandas",
        "PIL",
        "playwright",
        "pptx",
        "pyarrow",
        "pygraphviz",
    ),
    *("pypdf", "pytest", "reportlab", "scipy", "sklearn", "tokenizers"),
    *("metier.bench", "metier.testing", "metier.tools.browser"),
    *("metier.packs.life.conversation", "metier.packs.office.conversation", "metier.packs.phm.conversation"),
    *("metier.packs.telecom.twin", "metier.packs.workspace.code", "metier.packs.workspace.dispatch"),
)
PROGRAM = """
STORE = "chromadb"  # a thread may import it meanwhile, and what it needs, for the vectors of new skills
import asyncio, json, sys
from pathlib import Path
from metier.cli.terminal import defer_models, defer_packages

defer_packages(), defer_models()  # as the command does

from metier.agent import Runtime, TurnRequest
from metier.pack import LatePackTools
from metier.server import create_app
from metier.settings import Settings

is_ready, prepare = asyncio.Event(), Runtime.prepare

class Watcher:  # asked first for every module that is not loaded yet, in the thread that imports it
    names = []

    @staticmethod
    def find_spec(name, path=None, target=None):
        frame = sys._getframe()
        while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] != STORE:
            frame = frame.f_back
        if frame is None and name.partition(".")[0] != STORE:
            Watcher.names.append(name)

async def prepare_or_look(runtime, *, tools=True):
    if tools:  # what a server loads as soon as it is ready
        print(json.dumps(sorted(sys.modules)))
        is_ready.set()
    else:
        await prepare(runtime, tools=False)

async def main():
    Runtime.prepare = prepare_or_look
    app = create_app(Settings(model="builtin", storage_dir=Path(sys.argv[1]), skills_dir=()))
    async with app.router.lifespan_context(app):
        await is_ready.wait()
        assert app.state.serving.preparation.status == "ok"
        safety = sys.modules["metier.packs.life.safety._crisis_head"]
        assert safety.load_head.cache_info().currsize and safety._read_groups.cache_info().currsize, "guards first"
        seen, load = [], LatePackTools.load
        sys.meta_path.insert(0, Watcher)

        def load_and_look(tools):
            if not tools.is_loaded and not seen:
                seen.append(sorted(Watcher.names))
            return load(tools)

        LatePackTools.load = load_and_look
        async for event in app.state.serving.runtime.turn(TurnRequest(sys.argv[2])):
            if event.kind == "skill.routed":
                print(json.dumps(seen[0] if seen else sorted(Watcher.names)))
                break

asyncio.run(main())
"""


Start = tuple[list[str], list[str]]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Modules of a server that is ready, and those that a first message, sent at once, loads until its skill is told.

    After that its turn loads the tools, in a thread.
    """
    words = [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("storage")), "帮我分析一下朝阳区的弱覆盖问题"]
    ready, turn = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    return json.loads(ready), json.loads(turn)


def test_a_server_with_all_packs_is_ready_without_a_library_that_only_some_tasks_need(start: Start) -> None:
    """A pack costs nothing until it is used: pandas alone would add 68 MB and 0.4 s of CPU to every restart."""
    assert sorted(set(NOT_BEFORE_READY) & set(start[0])) == []


def test_a_first_message_waits_for_no_module_until_its_skill_is_told(start: Start) -> None:
    """What a server does not load before it is ready must not be at the cost of the first who writes to it."""
    assert start[1] == []

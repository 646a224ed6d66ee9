"""What a server loads before it is ready, and what a first message then has to wait for: nothing only some need."""

import json
import subprocess
import sys

import pytest

MAY_COME_LATE = {"metier.packs.workspace"}  # a few lines, which ask whether there are files
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
import asyncio, json, sys
from pathlib import Path
from metier.cli.terminal import defer_models, defer_packages

defer_packages(), defer_models()  # as the command does

from metier.agent import Runtime, TurnRequest
from metier.server import create_app
from metier.settings import Settings

is_ready, prepare = asyncio.Event(), Runtime.prepare

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
        before, seen = set(sys.modules), {}
        async for event in app.state.serving.runtime.turn(TurnRequest(sys.argv[2])):
            seen.setdefault(event.kind, sorted(sys.modules.keys() - before))
        print(json.dumps(seen))

asyncio.run(main())
"""


Start = tuple[list[str], dict[str, list[str]]]  # modules when it is ready; and those loaded since, at each event


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Modules of a server that is ready, and those that a first message, sent at once, has loaded at each event."""
    words = [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("storage")), "帮我分析一下朝阳区的弱覆盖问题"]
    ready, turn = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    return json.loads(ready), json.loads(turn)


def test_a_server_with_all_packs_is_ready_without_a_library_that_only_some_tasks_need(start: Start) -> None:
    """A pack costs nothing until it is used: pandas alone would add 68 MB and 0.4 s of CPU to every restart."""
    assert sorted(set(NOT_BEFORE_READY) & set(start[0])) == []


def test_a_first_message_waits_for_no_module_until_its_skill_is_told(start: Start) -> None:
    """What a server does not load before it is ready must not be at the cost of the first who writes to it."""
    told = start[1]
    assert [one for one in told["turn.started"] if one not in MAY_COME_LATE] == []
    assert [one for one in told["skill.routed"] if one not in MAY_COME_LATE] == []

"""What a server loads before it is ready: its own code and what it is built on, nothing only some tasks need."""

import json
import subprocess
import sys
from pathlib import Path

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
from metier.cli.terminal import defer_packages

defer_packages()  # as the command does

from metier.agent import Runtime
from metier.server import create_app
from metier.settings import Settings

is_ready, prepare = asyncio.Event(), Runtime.prepare

async def prepare_or_look(runtime, *, tools=True):
    if tools:  # what a server loads as soon as it is ready
        print(json.dumps(sorted(set(json.loads(sys.argv[2])) & sys.modules.keys())))
        is_ready.set()
    else:
        await prepare(runtime, tools=False)

async def main():
    Runtime.prepare = prepare_or_look
    app = create_app(Settings(model="builtin", storage_dir=Path(sys.argv[1]), skills_dir=()))
    async with app.router.lifespan_context(app):
        await is_ready.wait()
        assert app.state.serving.preparation.status == "ok"

asyncio.run(main())
"""


def test_a_server_with_all_packs_is_ready_without_a_library_that_only_some_tasks_need(tmp_path: Path) -> None:
    """A pack costs nothing until it is used: pandas alone would add 68 MB and 0.4 s of CPU to every restart."""
    words = [sys.executable, "-c", PROGRAM, str(tmp_path), json.dumps(NOT_BEFORE_READY)]
    ended = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout) == []

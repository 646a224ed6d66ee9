"""Run suites, keep the machine's name beside the figures."""

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from metier.bench._cli import measure_cli
from metier.bench._context import measure_context
from metier.bench._figures import Figure, Run
from metier.bench._routing import measure_routing
from metier.bench._server import measure_server
from metier.bench._skills import measure_skills
from metier.bench._store import measure_store
from metier.bench._tools import measure_tools
from metier.bench._turn import measure_turn
from metier.errors import NotFound

SUITES: Mapping[str, Callable[[], Iterator[Figure]]] = MappingProxyType(
    {
        "skills": measure_skills,
        "routing": measure_routing,
        "tools": measure_tools,
        "context": measure_context,
        "turn": measure_turn,
        "store": measure_store,
        "server": measure_server,
        "cli": measure_cli,
    },
)


def run_suites(only: Sequence[str] = ()) -> Run:
    """Measure the named suites, or all of them."""
    unknown = next((name for name in only if name not in SUITES), None)
    if unknown is not None:
        raise NotFound(f"no suite {unknown!r}", hint=f"suites: {', '.join(SUITES)}")
    figures = [figure for name in only or SUITES for figure in SUITES[name]()]
    machine = {
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": str(os.cpu_count()),
        "processor": platform.machine(),
    }
    return Run(datetime.now(UTC).isoformat(timespec="seconds"), machine, tuple(figures))


def save(run: Run, folder: Path) -> Path:
    """Write the run beside earlier ones."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{run.at.replace(':', '').replace('+0000', 'Z')}.json"
    path.write_text(json.dumps(run.to_json(), ensure_ascii=False, indent=2) + "\n", "utf-8")
    return path

"""Runs benchmark suites and saves the figures with a description of the machine."""

import inspect
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from metier.bench._figures import BenchRun, Figure
from metier.clock import utc_now
from metier.errors import InvalidPack, NotFound
from metier.pack import Pack, find_installed_packs

# As strings, imported on use: a suite loads only what it measures, so that memory figures do not mix.
SUITES: Mapping[str, str] = MappingProxyType(
    {
        "skills": "_skills:measure_skills",
        "routing": "_routing:measure_routing",
        "tools": "_tools:measure_tools",
        "context": "_context:measure_context",
        "turn": "_turn:measure_turn",
        "store": "_store:measure_store",
        "server": "_server:measure_server",
        "layout": "_layout:measure_layout",
        "cli": "_cli:measure_cli",
        "start": "_start:measure_start",
        "models": "models:measure_models",
    },
)


def list_suites() -> dict[str, str]:
    """All suites with whose they are: Metier's own, and the packs'."""
    packs = {suite: pack.id for pack in find_installed_packs().found for suite, _ in pack.figures}
    return {**dict.fromkeys(SUITES, "metier"), **packs}


def run_suites(
    only: Sequence[str] = (),
    *,
    data: Path | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
    say: Callable[[str], object] = lambda text: None,
) -> BenchRun:
    """Run the named suites, or all of Metier's own; `say` is told which one is measured.

    Each suite gets those of the `options` that it takes; one that an installed pack brings also the folder `data` with
    public records.
    """
    found = find_installed_packs().found if set(only) - set(SUITES) else ()
    packs = {suite: pack for pack in found for suite, _ in pack.figures}
    unknown = next((name for name in only if name not in SUITES and name not in packs), None)
    if unknown is not None:
        raise NotFound(f"no suite {unknown!r}", hint=f"suites: {', '.join([*SUITES, *packs])}")
    names = tuple(only or SUITES)
    figures: list[Figure] = []
    for number, name in enumerate(names, 1):
        say(f"{name} ({number} of {len(names)})")
        figures += _measure(name, options) if name in SUITES else _measure_pack(packs[name], name, data, options)
    machine = {
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": str(os.cpu_count()),
        "processor": platform.machine(),
    }
    return BenchRun(utc_now().isoformat(timespec="seconds"), machine, tuple(figures))


def _measure(name: str, options: Mapping[str, object]) -> Iterator[Figure]:
    module, _, function = SUITES[name].partition(":")
    measure: Callable[..., Iterator[Figure]] = getattr(import_module(f"metier.bench.{module}"), function)
    return measure(**_select(options, measure))


def _select(options: Mapping[str, object], measure: Callable[..., object]) -> dict[str, object]:
    """Those of the options that a suite takes."""
    taken = inspect.signature(measure).parameters
    return {name: value for name, value in options.items() if name in taken}


def _measure_pack(pack: Pack, suite: str, data: Path | None, options: Mapping[str, object]) -> Iterator[Figure]:
    measure = pack.load_figures(suite)
    for figure in measure(data, **_select(options, measure)):
        if not isinstance(figure, Figure):
            raise InvalidPack(f"the figures of pack {pack.id!r} are no figures", hint="metier.bench.Figure")
        yield figure


def write_models_page(path: Path, options: Mapping[str, object] = MappingProxyType({})) -> None:
    """Write the page of the suite `models` as Markdown; what was measured in this process is not measured again."""
    from metier.bench.models import collect_columns, render_page

    path.parent.mkdir(parents=True, exist_ok=True)
    collect: Callable[..., Sequence[Any]] = collect_columns
    path.write_text(render_page(collect(**_select(options, collect))), "utf-8")


def save(run: BenchRun, folder: Path) -> Path:
    """Write the run as a JSON file named by its time."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{run.at.replace(':', '').replace('+0000', 'Z')}.json"
    path.write_text(json.dumps(run.to_json(), ensure_ascii=False, indent=2) + "\n", "utf-8")
    return path

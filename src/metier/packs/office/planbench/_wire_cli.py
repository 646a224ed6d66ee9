"""Command line of the bench over HTTP, which two scripts share."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import httpx

from metier.packs.office.planbench._cases import PlanCase
from metier.packs.office.planbench._wire import describe_wire, run_wire

__all__ = ["run_wire_bench"]

_TIMEOUT_S: Final = 300.0


def run_wire_bench(cases: Sequence[PlanCase], arguments: Sequence[str] | None = None, *, title: str = "") -> int:
    """Ask a server for these cases and print the summary; 1 if one of them fails."""
    options = _parse(arguments, title)
    headers = {"X-API-Key": options.api_key} if options.api_key else {}
    with httpx.Client(base_url=options.api_base, headers=headers, timeout=_TIMEOUT_S) as client:
        results = run_wire(client, cases, out=options.json_out, resume=options.resume, max_repairs=options.max_repairs)
    say: Callable[[str], object] = print
    for line in describe_wire(results):
        say(line)
    return 0 if all(one.ok for one in results) else 1


def _parse(arguments: Sequence[str] | None, title: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--api-base", default="http://127.0.0.1:8000", help="Address of the server.")
    parser.add_argument("--api-key", default="", help="Sent as X-API-Key.")
    parser.add_argument("--max-repairs", type=int, default=5, help="A plan that took more repairs fails.")
    parser.add_argument("--json-out", type=Path, help="Results are saved here after each case.")
    parser.add_argument("--resume", action="store_true", help="Do not ask again what was right in --json-out.")
    return parser.parse_args(arguments)

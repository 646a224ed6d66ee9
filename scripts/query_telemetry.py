"""Shortcut for `metier telemetry query`: `python scripts/query_telemetry.py --limit 200 --event chat.turn_done`."""

import sys

from metier.cli import run

if __name__ == "__main__":
    sys.exit(run(["telemetry", "query", *sys.argv[1:]]))

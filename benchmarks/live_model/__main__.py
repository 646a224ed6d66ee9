"""`python -m benchmarks.live_model`: serve the small model; `--record` records its answers for the suite `models`."""

import argparse
import asyncio
import signal
import sys
import threading
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.live_model._engine import MODEL, WINDOW_TOKENS, EngineFailed, count_threads, install, serve
from metier.agent import ModelConfig
from metier.bench.models import (
    KINDS,
    RECORDED_MODES,
    RECORDINGS,
    Kind,
    Mode,
    list_current,
    record,
    write_recording,
)
from metier.cli.terminal import print_error, print_line, print_note

_TIMEOUT_S = 1500.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Install and serve; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live_model", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(".cache/live-model"), help="where engine and weights lie")
    parser.add_argument("--threads", type=int, default=count_threads(), help="default: one less than the cores")
    parser.add_argument("--record", action="store_true", help="record what has no answer to today's prompt, then stop")
    given = parser.parse_args(arguments)
    try:
        model = install(given.folder)
        with serve(given.folder, model, threads=given.threads) as address:
            if given.record:
                asyncio.run(record_missing(address, RECORDINGS))
            else:
                _wait(address)
    except EngineFailed as error:
        print_error(error, as_json=False)
        return 1
    return 0


async def record_missing(
    address: str, folder: Path, kinds: Sequence[Kind] = KINDS, modes: Sequence[Mode] | None = None
) -> None:
    """Ask every question that has no answer to today's prompt yet; a new answer takes the place of the old one."""
    config = ModelConfig(MODEL, base_url=address, timeout_s=_TIMEOUT_S, options={"temperature": 0})
    for kind in kinds:
        for mode in [one for one in RECORDED_MODES[kind] if modes is None or one in modes]:
            done = await list_current(kind, mode)
            async for row in record(kind, mode, config, date.today(), skip=done):
                write_recording(folder, row)
                print_note(f"{kind} {mode} {row.id}")


def _wait(address: str) -> None:
    for line in (f"METIER_MODEL={MODEL}", f"METIER_BASE_URL={address}", f"METIER_MODEL_WINDOW={WINDOW_TOKENS}"):
        print_line(line)
    print_note("serving until Ctrl-C; with these lines in .env: metier model test, metier bench models")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):  # either way the engine is ended too
        signal.signal(number, lambda *_: stop.set())
    stop.wait()


if __name__ == "__main__":
    sys.exit(main())

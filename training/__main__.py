"""`python -m training --data DIR --out DIR`: learn the maps and heads that ship with the router."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from metier.cli.terminal import print_error, print_note
from metier.errors import MetierError
from metier.routing import plain_encoders
from training import learn, load_corpora


def run(argv: Sequence[str] | None = None) -> int:
    """Learn from the labelled sets of a folder and return the exit code."""
    parser = ArgumentParser(prog="python -m training", description="Learn the files that ship with the router.")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("--out", type=Path, default=Path("learned"), help="folder for the files")
    asked = parser.parse_args(argv)
    try:
        corpora = load_corpora(asked.data)
        learned = learn(corpora, plain_encoders(), say=print_note)
    except MetierError as error:
        print_error(error, as_json=False)
        return error.exit_code
    sets = ", ".join(corpus.name for corpus in corpora)
    for path in learned.save(asked.out, {"sets": sets, "command": "python -m training --data DIR"}):
        print_note(f"saved {path}")
    return 0


if __name__ == "__main__":
    sys.exit(run())

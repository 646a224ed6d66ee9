"""`python -m training --data DIR --out DIR`: learn the maps and heads that ship with the router."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from metier.cli.terminal import print_error, print_note
from metier.errors import MetierError
from metier.routing import plain_encoders
from metier.routing.fitting import write_heads
from training import Corpus, learn, learn_heads, load_corpora, load_described


def run(argv: Sequence[str] | None = None) -> int:
    """Learn from the labelled sets of a folder and return the exit code."""
    parser = ArgumentParser(prog="python -m training", description="Learn the files that ship with the router.")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("--out", type=Path, default=Path("learned"), help="folder for the files")
    parser.add_argument("--heads", action="store_true", help="fit the heads alone, on top of the shipped maps")
    parser.add_argument("--cache", type=Path, help="folder that keeps vectors and maps for the next run of --heads")
    asked = parser.parse_args(argv)
    try:
        corpora = load_corpora(asked.data)
        if asked.heads:
            return _fit_heads(corpora, asked.data, asked.cache, asked.out)
        learned = learn(corpora, plain_encoders(), say=print_note)
    except MetierError as error:
        print_error(error, as_json=False)
        return error.exit_code
    sets = ", ".join(corpus.name for corpus in corpora)
    for path in learned.save(asked.out, {"sets": sets, "command": "python -m training --data DIR"}):
        print_note(f"saved {path}")
    return 0


def _fit_heads(corpora: Sequence[Corpus], data: Path, cache: Path | None, out: Path) -> int:
    described = load_described(data)
    heads = learn_heads(corpora, described, plain_encoders(), cache=cache, say=print_note)
    sets = ", ".join(corpus.name for corpus in (*corpora, *described))
    write_heads(out / "calibration.json", heads, {"sets": sets, "command": "python -m training --data DIR --heads"})
    print_note(f"saved {out / 'calibration.json'}")
    return 0


if __name__ == "__main__":
    sys.exit(run())

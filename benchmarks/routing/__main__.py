"""`python -m benchmarks.routing --data DIR`: compare routers on labelled sets and write page, chart and JSON."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from benchmarks.routing import OWN_SKILLS, ComparisonOptions, compare_routers, save_comparison
from metier.cli.terminal import print_error, print_json, print_note, print_table
from metier.errors import MetierError

_HEADS = ("suite", "figure", "measured", "target", "", "against the raw library")


def run(argv: Sequence[str] | None = None) -> int:
    """Run the comparison and return the exit code."""
    asked = _build_parser().parse_args(argv)
    options = ComparisonOptions(
        asked.data,
        tuple(asked.sets),
        asked.draws,
        asked.messages,
        peers=asked.peers,
        own_skills=asked.own_skills,
        own_test=asked.own_test,
    )
    try:
        comparison = compare_routers(options, say=print_note)
        saved = save_comparison(comparison, asked.out)
    except MetierError as error:
        print_error(error, as_json=asked.json)
        return error.exit_code
    if asked.json:
        print_json({"figures": [figure.to_json() for figure in comparison.figures]})
    else:
        print_table(_HEADS, [figure.row for figure in comparison.figures])
    for path in saved:
        print_note(f"saved {path}")
    return 0


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m benchmarks.routing", description="Compare routers on labelled sets.")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("--out", type=Path, default=Path("bench-results"), help="folder for the results")
    parser.add_argument("--set", dest="sets", action="append", default=[], metavar="NAME", help="only this set; repeat")
    parser.add_argument("--draws", type=int, default=2, help="draws of examples from each set")
    parser.add_argument("--messages", type=int, default=200, help="messages asked in each draw")
    parser.add_argument("--peers", action="store_true", help="compare with other routers, as far as installed")
    own = "skills that our own messages are about"
    parser.add_argument("--own-skills", type=Path, default=OWN_SKILLS, help=own)
    parser.add_argument("--own-test", action="store_true", help="report the test half of our own messages too")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(run())

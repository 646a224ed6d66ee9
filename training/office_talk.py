"""`python -m training.office_talk`: fit the reader of talk of the office pack; measure it on authors left out."""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from metier.cli.terminal import print_note
from metier.packs.office.drafting.letters import is_person
from metier.packs.office.drafting.talk import THRESHOLD, list_features, may_be_talk, write_weights
from training._regression import Floats, fit_alone

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "src/metier/packs/office/drafting/talk"
_MIN_COUNT: Final = 2
_BIAS: Final = ""


class TalkRow(NamedTuple):
    """A clause, whether it is talk, and the number of its author."""

    is_talk: bool
    clause: str
    author: int


class TalkFigures(NamedTuple):
    """Of clauses of authors left out: how many are talk and found, and how many are demands and taken for talk."""

    talk: int
    found: int
    demands: int
    mistaken: int


def run(argv: Sequence[str] | None = None) -> int:
    """Fit the weights on `training/data` and write them where the package reads them."""
    parser = ArgumentParser(prog="python -m training.office_talk", description="Fit the reader of talk.")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args(argv)
    rows = read_rows(sorted((ROOT / "training/data").glob("office_talk_[0-9].txt")))
    content = read_rows([ROOT / "training/data/office_talk_content.txt"])
    figures = measure(rows, content)
    print_note(
        f"authors left out: {figures.found} of {figures.talk} clauses of talk are found, "
        f"{figures.mistaken} of {figures.demands} demands are taken for talk"
    )
    write_weights(fit([*rows, *content]), len(rows) + len(content), asked.out)
    print_note(f"{len(rows) + len(content)} clauses: {asked.out}")
    return 0


def read_rows(paths: Sequence[Path]) -> list[TalkRow]:
    """Labelled clauses, one author a file: the label, a tab, the clause, a tab, the message.

    Who is asked (小李) is left out before the reader reads a request, and is not learned: every name would be talk.
    """
    rows = []
    for author, path in enumerate(paths):
        for line in path.read_text("utf-8").splitlines():
            label, _, rest = line.partition("\t")
            clause = rest.partition("\t")[0].strip(" .。，,!！?？")
            if label in ("talk", "demand") and not is_person(clause):
                rows.append(TalkRow(label == "talk", clause, author))
    return rows


def fit(rows: Sequence[TalkRow]) -> Mapping[str, float]:
    """Weights of the features that more than one clause has."""
    features = [list_features(one.clause) for one in rows]
    counts = Counter(name for one in features for name in one)
    names = sorted(name for name, count in counts.items() if count >= _MIN_COUNT)
    places = {name: at for at, name in enumerate(names)}
    entries = [
        (row, places[name], worth) for row, one in enumerate(features) for name, worth in one.items() if name in places
    ]
    entries += [(row, len(names), 1.0) for row in range(len(rows))]
    at_row, at_column, worths = zip(*entries, strict=True)
    matrix = csr_array((worths, (at_row, at_column)), shape=(len(rows), len(names) + 1))
    wanted: Floats = np.array([float(one.is_talk) for one in rows])
    weights = fit_alone(matrix, wanted, np.ones(len(rows)))
    return dict(zip([*names, _BIAS], (float(one) for one in weights), strict=True))


def measure(rows: Sequence[TalkRow], content: Sequence[TalkRow] = ()) -> TalkFigures:
    """What the reader, with the rules before it, says of each author's clauses when it learned from the others'.

    Clauses of the shipped wordings (`content`) are learned each time and not counted.
    """
    called: list[tuple[bool, bool]] = []
    for author in {one.author for one in rows}:
        weights = fit([*(one for one in rows if one.author != author), *content])
        called += [(one.is_talk, _is_called(one.clause, weights)) for one in rows if one.author == author]
    talk = [is_called for is_talk, is_called in called if is_talk]
    demands = [is_called for is_talk, is_called in called if not is_talk]
    return TalkFigures(len(talk), sum(talk), len(demands), sum(demands))


def _is_called(clause: str, weights: Mapping[str, float]) -> bool:
    score = weights[_BIAS] + sum(weights.get(name, 0.0) * worth for name, worth in list_features(clause).items())
    return score > THRESHOLD and may_be_talk(clause)


if __name__ == "__main__":
    sys.exit(run())

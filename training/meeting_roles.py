"""`python -m training.meeting_roles`: fit the judge of a line's role in a meeting; measure it on authors left out."""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from metier.cli.terminal import print_note
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.meetings import Utterance, read_transcript
from metier.packs.office.analysis.meetings.roles import (
    ROLES,
    WANTED,
    RoleJudge,
    SpokenLine,
    describe_context,
    describe_lines,
    write_judge,
)
from training._regression import Floats, fit_alone

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "src/metier/packs/office/analysis/meetings/roles"
_MIN_COUNT: Final = 3
_FOLDS: Final = 5
_BIAS: Final = ""


class LabelledTalk(NamedTuple):
    """A transcript with the roles of its lines, its language and the number of its author."""

    name: str
    language: str
    author: int
    lines: tuple[SpokenLine, ...]
    roles: tuple[frozenset[str], ...]


class LineScore(NamedTuple):
    """What a judge that did not learn from its author says of a line, and what the line is."""

    talk: LabelledTalk
    at: int
    odds: Floats


def run(argv: Sequence[str] | None = None) -> int:
    """Fit the weights on `training/data` and write them where the package reads them."""
    parser = ArgumentParser(prog="python -m training.meeting_roles", description="Fit the judge of roles.")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args(argv)
    talks = read_talks()
    for line in report(score_left_out(talks)):
        print_note(line)
    lines = sum(len(one.lines) for one in talks)
    write_judge(fit(talks), {"transcripts": len(talks), "lines": lines}, asked.out)
    print_note(f"{len(talks)} transcripts, {lines} lines: {asked.out}")
    return 0


def read_talks(folder: Path = ROOT / "training/data") -> list[LabelledTalk]:
    """Labelled transcripts, one author a file: `# name, language, day, trade`, then a role, a tab and the line."""
    found = []
    for author, path in enumerate(sorted(folder.glob("meeting_roles_[0-9].txt"))):
        for block in path.read_text("utf-8").split("\n\n"):
            head, *rows = block.strip().splitlines()
            name, language, *_ = head.removeprefix("# ").split(", ")
            labels, lines = zip(*(row.split("\t", 1) for row in rows), strict=True)
            said = read_transcript([TextPiece(f"p{at}", line) for at, line in enumerate(lines)])
            roles = tuple(frozenset(one.split("+")) for one in labels)
            found.append(LabelledTalk(name, language, author, tuple(_to_line(one) for one in said), roles))
    return found


def _to_line(said: Utterance) -> SpokenLine:
    return SpokenLine(said.speaker, said.text)


def fit(talks: Sequence[LabelledTalk]) -> RoleJudge:
    """Weights of the inputs that several lines have, and of the context of lines that these had not seen."""
    described = [one for talk in talks for one in describe_lines(talk.lines)]
    folds = np.array([at % _FOLDS for at, talk in enumerate(talks) for _ in talk.lines])
    wanted = np.array([[role in one for role in ROLES] for talk in talks for one in talk.roles], float)
    counts = Counter(name for one in described for name in one)
    names = sorted(name for name, count in counts.items() if count >= _MIN_COUNT)
    matrix = _to_matrix(described, names)
    unseen = np.zeros_like(wanted)
    for fold in range(_FOLDS):
        unseen[folds == fold] = matrix[folds == fold] @ _fit_roles(matrix[folds != fold], wanted[folds != fold])
    inputs, start = [], 0
    for talk in talks:
        inputs.append(describe_context(unseen[start : start + len(talk.lines)], [one.speaker for one in talk.lines]))
        start += len(talk.lines)
    context = _fit_roles(np.vstack(inputs), wanted[:, : len(WANTED)])
    return RoleJudge(dict(zip([*names, _BIAS], _fit_roles(matrix, wanted), strict=True)), context)


def _fit_roles(inputs: Floats | csr_array, wanted: Floats) -> Floats:
    return np.stack([fit_alone(inputs, one, np.ones(len(one))) for one in wanted.T], axis=1)


def _to_matrix(described: Sequence[Mapping[str, float]], names: Sequence[str]) -> csr_array:
    places = {name: at for at, name in enumerate(names)}
    entries = [
        (row, places[name], worth) for row, one in enumerate(described) for name, worth in one.items() if name in places
    ]
    entries += [(row, len(names), 1.0) for row in range(len(described))]
    at_row, at_column, worths = zip(*entries, strict=True)
    return csr_array((worths, (at_row, at_column)), shape=(len(described), len(names) + 1))


def score_left_out(talks: Sequence[LabelledTalk]) -> list[LineScore]:
    """What the judge says of each author's lines when it learned from the others'."""
    found = []
    for author in sorted({one.author for one in talks}):
        judge = fit([one for one in talks if one.author != author])
        for talk in (one for one in talks if one.author == author):
            found += [LineScore(talk, at, odds) for at, odds in enumerate(judge.score(talk.lines))]
    return found


def report(scores: Sequence[LineScore], thresholds: Sequence[float] = (0.0, 0.5, 1.0, 1.5)) -> Iterator[str]:
    """Recall and precision of what scores above a threshold, by role, language and author."""
    for at, role in enumerate(WANTED):
        for language in ("zh", "en"):
            for author in sorted({one.talk.author for one in scores}):
                rows = [one for one in scores if one.talk.language == language and one.talk.author == author]
                is_so = np.array([role in one.talk.roles[one.at] for one in rows])
                odds = np.array([one.odds[at] for one in rows])
                shares = [_count(odds > one, is_so) for one in thresholds]
                told = "  ".join(f"{one}: {r:.2f}/{p:.2f}" for one, (r, p) in zip(thresholds, shares, strict=True))
                yield f"{role} {language}, author {author + 1} left out, recall/precision above {told}"


def _count(called: NDArray[np.bool_], is_so: NDArray[np.bool_]) -> tuple[float, float]:
    right = float((called & is_so).sum())
    return right / max(1, is_so.sum()), right / max(1, called.sum())


if __name__ == "__main__":
    sys.exit(run())

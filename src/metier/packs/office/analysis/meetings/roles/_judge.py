"""Learned judge of what a line of a meeting is for: first each line, then with what its neighbours and speaker say.

`python -m training.meeting_roles` learns the weights. They are a readable file, so that each score can be explained.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import Unavailable
from metier.packs.office.analysis.meetings.roles._lines import SpokenLine, describe_lines

__all__ = ["ROLES", "WANTED", "RoleJudge", "describe_context", "load_judge", "write_judge"]

Floats = NDArray[np.float64]
ROLES: Final = ("decision", "todo", "proposal", "open", "info", "question", "assent", "talk")
WANTED: Final = ("decision", "todo")
_FOLDER: Final = Path(__file__).parent
_FILE: Final = "roles"
_BIAS: Final = ""
_SCALE: Final = 100
# Shares of the neighbours, of the speaker's other lines and of what two lines say together, beside the line's own odds.
_NEXT, _NEAR, _OWN, _BOTH = 3.0, 2.0, 6.0, 0.5
_CONTEXT_SHARE: Final = 0.3
_QUESTION, _PROPOSAL, _ASSENT, _TODO = (ROLES.index(one) for one in ("question", "proposal", "assent", "todo"))


@dataclass(frozen=True, slots=True)
class RoleJudge:
    """Weights of the inputs of a line for each role, and of the context for each wanted role."""

    lines: Mapping[str, Floats]
    context: Floats

    def score(self, lines: Sequence[SpokenLine]) -> Floats:
        """Log odds that a line is a decision, and that it is a to-do: one row a line."""
        if not lines:
            return np.zeros((0, len(WANTED)))
        odds = np.stack([self._score_line(one) for one in describe_lines(lines)])
        found: Floats = describe_context(odds, [one.speaker for one in lines]) @ self.context
        return found

    def _score_line(self, inputs: Mapping[str, float]) -> Floats:
        found = self.lines[_BIAS].copy()
        for name, worth in inputs.items():
            if (weights := self.lines.get(name)) is not None:
                found += worth * weights
        return found


def describe_context(odds: Floats, speakers: Sequence[str]) -> Floats:
    """Inputs of the second step: the line's own odds, its neighbours' roles, and what its speaker mostly says."""
    shares = 1 / (1 + np.exp(-odds))
    padded = np.vstack([np.zeros((2, len(ROLES))), shares, np.zeros((2, len(ROLES)))])
    before, after = padded[1:-3], padded[3:-1]
    decides, does = odds[:, :1], odds[:, _TODO : _TODO + 1]
    both = np.hstack(
        [
            decides * after[:, [_ASSENT]],
            decides * before[:, [_PROPOSAL, _QUESTION]],
            does * after[:, [_ASSENT, _TODO]],
        ]
    )
    parts = [odds, _NEXT * before, _NEXT * after, _NEAR * padded[:-4], _NEAR * padded[4:]]
    inputs = np.hstack([*parts, _OWN * _average_others(shares, speakers), _BOTH * both])
    return np.hstack([_CONTEXT_SHARE * inputs, np.ones((len(odds), 1))])


def _average_others(shares: Floats, speakers: Sequence[str]) -> Floats:
    """How much of a speaker's other lines decide or take work; of all other lines where nobody is named."""
    own = shares[:, : len(WANTED)]
    found = np.zeros_like(own)
    for speaker in dict.fromkeys(speakers):
        at = np.array([one == speaker for one in speakers])
        among = at if speaker and at.sum() > 1 else np.ones(len(speakers), dtype=bool)
        found[at] = (own[among].sum(axis=0) - own[at]) / max(1, among.sum() - 1)
    return found


@cache
def load_judge() -> RoleJudge:
    """The judge that ships; `Unavailable` if the file is not what was learned."""
    content = (_FOLDER / f"{_FILE}.tsv").read_bytes()
    expected = json.loads((_FOLDER / f"{_FILE}.json").read_text("utf-8"))["sha256"]
    if hashlib.sha256(content).hexdigest() != expected:
        raise Unavailable(
            "the weights of the judge of roles are not those that were learned",
            hint="install Metier again, or run `python -m training.meeting_roles`",
        )
    rows = (line.split("\t") for line in content.decode("utf-8").splitlines())
    kept = {name: np.array([int(one or 0) for one in worths]) / _SCALE for name, *worths in rows}
    context = np.stack([kept.pop(f"context {at}") for at in range(sum(name.startswith("context ") for name in kept))])
    return RoleJudge(kept, context)


def write_judge(judge: RoleJudge, made_from: Mapping[str, int | str], folder: Path) -> None:
    """Write the weights that matter, in hundredths, and their checksum."""
    rounded = {name: np.rint(_SCALE * worths).astype(int) for name, worths in sorted(judge.lines.items())}
    kept = {name: worths for name, worths in rounded.items() if worths.any() or name == _BIAS}
    kept |= {f"context {at}": np.rint(_SCALE * row).astype(int) for at, row in enumerate(judge.context)}
    lines = ["\t".join([name, *(str(one or "") for one in worths)]) + "\n" for name, worths in kept.items()]
    content = "".join(lines).encode()
    told = {
        "sha256": hashlib.sha256(content).hexdigest(),
        **made_from,
        "command": "python -m training.meeting_roles",
    }
    (folder / f"{_FILE}.tsv").write_bytes(content)
    (folder / f"{_FILE}.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")

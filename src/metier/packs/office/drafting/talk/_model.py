"""Linear model over single words and pairs of words: whether a clause is talk or a demand.

`python -m training.office_talk` learns the weights. They are a readable file, so that each score can be explained.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import Unavailable
from metier.packs.office.drafting.talk._guard import is_statement

__all__ = ["THRESHOLD", "is_demand", "list_features", "load_weights", "score_talk", "write_weights"]

# No demand of an author whose clauses were left out of the learning scored as high (`python -m training.office_talk`).
THRESHOLD: Final = -0.2
# Below it the reader overrules a rule that would set a clause aside: of authors left out, 34 of 59 demands came back
# and 13 of 428 clauses of talk.
_DEMAND: Final = -0.7
_FOLDER: Final = Path(__file__).parent
_BIAS: Final = ""
_START, _END = "^", "$"
_TOKEN: Final = re.compile(r"[\u4e00-\u9fff]|[a-z]+(?:['’][a-z]+)?|\d+|[^\s\w]")
_SCALE: Final = 3.0


def list_features(clause: str) -> Mapping[str, float]:
    """Chinese characters and words of other languages, singly and in pairs, with the edges of the clause."""
    tokens = [_START, *_TOKEN.findall(clause.lower().replace("’", "'")), _END]
    found = {*tokens[1:-1], *(f"{one} {other}" for one, other in pairwise(tokens))}
    worth = _SCALE / sqrt(len(found))
    return MappingProxyType(dict.fromkeys(sorted(found), worth))


def score_talk(clause: str) -> float:
    """Log odds that a clause is talk."""
    weights = load_weights()
    return weights[_BIAS] + sum(weights.get(name, 0.0) * worth for name, worth in list_features(clause).items())


def is_demand(clause: str) -> bool:
    """Whether a clause is so surely a demand that it overrules a rule that calls the clause an aside."""
    return score_talk(clause) < _DEMAND or is_statement(clause)


@cache
def load_weights() -> Mapping[str, float]:
    """Weights of the features, the bias under the empty name; `Unavailable` if the file is not what was learned."""
    content = (_FOLDER / "talk.tsv").read_bytes()
    expected = json.loads((_FOLDER / "talk.json").read_text("utf-8"))["sha256"]
    if hashlib.sha256(content).hexdigest() != expected:
        raise Unavailable(
            "the weights of the reader of talk are not those that were learned",
            hint="install Metier again, or run `python -m training.office_talk`",
        )
    lines = (line.split("\t") for line in content.decode("utf-8").splitlines())
    return MappingProxyType({name: int(weight) / 1000 for name, weight in lines})


def write_weights(weights: Mapping[str, float], clauses: int, folder: Path) -> None:
    """Write the weights that matter, in thousandths, and their checksum."""
    rounded = {name: round(1000 * weight) for name, weight in weights.items()}
    lines = [f"{name}\t{weight}\n" for name, weight in sorted(rounded.items()) if weight or name == _BIAS]
    content = "".join(lines).encode()
    told = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "clauses": clauses,
        "command": "python -m training.office_talk",
    }
    (folder / "talk.tsv").write_bytes(content)
    (folder / "talk.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")

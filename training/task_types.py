"""`python -m training.task_types`: fit the task-type model that ships with `metier.tasks`.

Messages that are almost the same as one of the frozen test sets are left out, so that those stay unseen.
"""

import json
import random
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from metier.cli.terminal import print_note
from metier.routing import load_text_embedder
from metier.settings import load_settings
from metier.tasks import TaskTypeModel, compute_features, load_type_model
from metier.textsearch import has_cjk

ROOT: Final = Path(__file__).resolve().parent.parent
MAX_LIKENESS: Final = 0.8
TYPES: Final = ("research", "creation", "data_processing", "web_task", "code_development")
_REGULARISATION: Final = 1.0
_JOINED: Final = (
    *(("research", "creation"),) * 3,
    *(("data_processing", "creation"),) * 2,
    *(("web_task", "data_processing"),) * 2,
    ("code_development", "creation"),
    ("data_processing", "code_development"),
    ("web_task", "creation"),
)
_ROUNDS: Final = 15
_JOINED_WEIGHT: Final = 0.5
_AND: Final = (("，然后", "，再", "，最后", "，接着"), (" and then ", ", then ", " and ", ". After that "))
Floats = NDArray[np.float64]


class Labelled(NamedTuple):
    """A message and its task types."""

    types: frozenset[str]
    message: str


def read_labelled(*paths: Path) -> list[Labelled]:
    """Read lines of types, a tab and a message; `none` is no type, `a+b` are two."""
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    rows = [line.split("\t", 1) for line in lines if line.strip() and not line.startswith("#")]
    return [Labelled(frozenset() if kind == "none" else frozenset(kind.split("+")), text) for kind, text in rows]


def run(argv: Sequence[str] | None = None) -> int:
    """Fit the model on `training/data` and write it where the package reads it."""
    parser = ArgumentParser(prog="python -m training.task_types", description="Fit the task-type model.")
    parser.add_argument("--out", type=Path, default=ROOT / "src/metier/tasks/data/task_type_model.json")
    asked = parser.parse_args(argv)
    settings = load_settings()
    embedder = load_text_embedder(settings)
    if embedder is None:
        print_note("no embedder is configured")
        return 1
    rows = read_labelled(*sorted((ROOT / "training/data").glob("task_messages_*.txt")))
    frozen = read_labelled(*sorted((ROOT / "tests/tasks/data").glob("messages_*.txt")))
    tested = _to_directions(embedder.embed([one.message for one in frozen]))
    likeness = (_to_directions(embedder.embed([one.message for one in rows])) @ tested.T).max(axis=1)
    kept = [one for one, near in zip(rows, likeness, strict=True) if near <= MAX_LIKENESS]
    joined = _join_messages(kept)
    every = [*kept, *joined]
    vectors = np.concatenate([embedder.embed([one.message]) for one in every])
    features = np.stack([compute_features(one.message, vector) for one, vector in zip(every, vectors, strict=True)])
    worth = np.array([1.0] * len(kept) + [_JOINED_WEIGHT] * len(joined))
    fitted = [_fit(features, np.array([name in one.types for one in every], float), worth) for name in TYPES]
    talk = _fit_talk(embedder.embed, features[: len(kept)], kept)
    model = TaskTypeModel(settings.embedder, TYPES, np.stack(fitted, axis=1), talk)
    asked.out.write_text(json.dumps(model.to_json()), "utf-8")
    load_type_model.cache_clear()
    print_note(f"{len(kept)} messages, {len(rows) - len(kept)} left out as too near to a test message: {asked.out}")
    return 0


def _fit_talk(embed: Callable[[Sequence[str]], NDArray[np.float32]], typed: Floats, rows: Sequence[Labelled]) -> Floats:
    """Weights for messages that need no tool at all, against those of a type and others that need one."""
    said = read_labelled(ROOT / "training/data/talk_messages.txt")
    vectors = embed([one.message for one in said])
    features = np.stack([compute_features(one.message, vector) for one, vector in zip(said, vectors, strict=True)])
    of_a_type = np.array([bool(one.types) for one in rows])
    wanted = [*(one.types == {"talk"} for one in said), *[False] * int(of_a_type.sum())]
    every = np.concatenate([features, typed[of_a_type]])
    return _fit(every, np.array(wanted, float), np.ones(len(every)))


def _to_directions(vectors: NDArray[np.float32]) -> Floats:
    found: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return found


def _join_messages(rows: Sequence[Labelled]) -> list[Labelled]:
    """Messages that ask for two things, made of two that ask for one."""
    chance = random.Random(1)  # noqa: S311
    alone = {name: [one.message for one in rows if one.types == {name}] for name in TYPES}
    made = []
    for _ in range(_ROUNDS):
        for first, second in _JOINED:
            for is_english, words in enumerate(_AND):
                one = chance.choice([text for text in alone[first] if has_cjk(text) != bool(is_english)])
                other = chance.choice([text for text in alone[second] if has_cjk(text) != bool(is_english)])
                ending = other[0].lower() + other[1:] if is_english else other
                made.append(Labelled(frozenset({first, second}), one.rstrip("。.？?") + chance.choice(words) + ending))
    return made


def _fit(features: Floats, wanted: Floats, worth: Floats) -> Floats:
    """Weights of a logistic regression; the constant is not regularised."""

    def measure(weights: Floats) -> tuple[float, Floats]:
        odds = features @ weights
        off = 1 / (1 + np.exp(-odds)) - wanted
        loss = float((worth * (np.logaddexp(0, odds) - wanted * odds)).sum())
        slope = features.T @ (worth * off)
        slope[:-1] += _REGULARISATION * weights[:-1]
        return loss + _REGULARISATION * float(weights[:-1] @ weights[:-1]) / 2, slope

    found: Floats = minimize(measure, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B").x
    return found


if __name__ == "__main__":
    sys.exit(run())

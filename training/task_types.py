"""`python -m training.task_types`: fit the task-type model that ships with `metier.tasks`.

Messages that are almost the same as one of the frozen test sets are left out, so that those stay unseen.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from metier.cli.terminal import print_note
from metier.routing import load_text_embedder
from metier.settings import load_settings
from metier.tasks import (
    TaskTypeModel,
    compute_features,
    compute_second_features,
    list_seconds,
    load_type_model,
    split_parts,
)
from training._labelled import (
    TYPES,
    Clause,
    Labelled,
    join_clauses,
    join_messages,
    read_clauses,
    read_labelled,
    surround_messages,
)
from training._regression import Floats, fit_alone, fit_shares

ROOT: Final = Path(__file__).resolve().parent.parent
MAX_LIKENESS: Final = 0.8
_MADE_WEIGHT: Final = 0.5
_FOLDS: Final = 5
_BLOCK: Final = 25
Embed = Callable[[str], NDArray[np.float32]]


def run(argv: Sequence[str] | None = None) -> int:
    """Fit the model on `training/data` and write it where the package reads it."""
    parser = ArgumentParser(prog="python -m training.task_types", description="Fit the task-type model.")
    parser.add_argument("--out", type=Path, default=ROOT / "src/metier/tasks/data")
    asked = parser.parse_args(argv)
    settings = load_settings()
    embedder = load_text_embedder(settings)
    if embedder is None:
        print_note("no embedder is configured")
        return 1
    vectors: dict[str, NDArray[np.float32]] = {}

    def embed(text: str) -> NDArray[np.float32]:
        if text not in vectors:
            vectors[text] = embedder.embed([text])[0]
        return vectors[text]

    sources = [read_labelled(path) for path in sorted((ROOT / "training/data").glob("task_messages_*.txt"))]
    frozen = read_labelled(*sorted((ROOT / "tests/tasks/data").glob("messages_*.txt")))
    tested = np.stack([_to_direction(embed(one.message)) for one in frozen])
    kept = [
        [one for one in rows if (tested @ _to_direction(embed(one.message))).max() <= MAX_LIKENESS] for rows in sources
    ]
    kept.append([Labelled(frozenset(), one.message) for one in _read_talk()])
    every = [one for rows in kept for one in rows]
    clauses = read_clauses(ROOT / "training/data/task_clauses.txt")
    shares, alone = _fit_types(embed, every, clauses)
    second = _fit_second(embed, kept, clauses)
    model = TaskTypeModel(settings.embedder, TYPES, shares, alone, _fit_talk(embed, every), second)
    for name, content in model.to_files().items():
        (asked.out / name).write_bytes(content)
    load_type_model.cache_clear()
    left_out = sum(map(len, sources)) - sum(map(len, kept[:-1]))
    print_note(f"{len(every)} messages, {left_out} left out as too near to a test message: {asked.out}")
    return 0


def _fit_types(embed: Embed, rows: Sequence[Labelled], clauses: Sequence[Clause]) -> tuple[Floats, Floats]:
    """Weights of the types that compete with each other and with none, and of each type by itself."""
    circumstances = (ROOT / "training/data/circumstances.txt").read_text("utf-8").splitlines()
    said = [Labelled(frozenset({one.kind}), one.text) for one in clauses]
    made = [*join_messages(rows), *surround_messages(rows, circumstances[1:]), *said, *join_clauses(clauses)]
    every = [*rows, *made]
    features = _compute_all(embed, [one.message for one in every])
    worth = np.array([1.0] * len(rows) + [_MADE_WEIGHT] * len(made))
    wanted = np.array([[name in one.types for name in TYPES] for one in every], float)
    none = (wanted.sum(axis=1) == 0).astype(float)
    split = np.column_stack([wanted, none])
    alone = [fit_alone(features, wanted[:, at], worth) for at in range(len(TYPES))]
    return fit_shares(features, split / split.sum(axis=1, keepdims=True), worth), np.stack(alone, axis=1)


def _fit_second(embed: Embed, sources: Sequence[Sequence[Labelled]], clauses: Sequence[Clause]) -> Floats:
    """Weights for the question of a second type, from messages that the types' weights have not seen."""
    # Neighbours in a file are alike: blocks of them are seen or unseen together.
    folds = [(at * 7 + row // _BLOCK) % _FOLDS for at, rows in enumerate(sources) for row in range(len(rows))]
    every = [one for rows in sources for one in rows]
    features, wanted = [], []
    for fold in range(_FOLDS):
        held = clauses[fold::_FOLDS]
        seen = [one for one, its in zip(every, folds, strict=True) if its != fold]
        shares, alone = _fit_types(embed, seen, [one for one in clauses if one not in held])
        model = TaskTypeModel("", TYPES, shares, alone, np.zeros(0), np.zeros(0))
        unseen = [one for one, its in zip(every, folds, strict=True) if its == fold]
        for one in (*unseen, *join_clauses(held)):
            whole = model.read(compute_features(one.message, embed(one.message)))
            first = int(whole.shares.argmax())
            if first == len(TYPES) or TYPES[first] not in one.types:
                continue
            parts = [model.read(compute_features(part, embed(part))) for part in split_parts(one.message)]
            for name in list_seconds(TYPES[first], TYPES):
                pair = (TYPES[first], name)
                features.append(compute_second_features(one.message, [whole, *parts], pair, TYPES))
                wanted.append(float(name in one.types))
    return fit_alone(np.stack(features), np.array(wanted), np.ones(len(wanted)))


def _fit_talk(embed: Embed, rows: Sequence[Labelled]) -> Floats:
    """Weights for messages that need no tool at all, against those of a type and others that need one."""
    said = _read_talk()
    typed = [one for one in rows if one.types]
    wanted = [*(one.types == {"talk"} for one in said), *[False] * len(typed)]
    features = _compute_all(embed, [one.message for one in (*said, *typed)])
    # Messages of a type are many; together they weigh as much as four times the others.
    worth = np.array([1.0] * len(said) + [4 * len(said) / len(typed)] * len(typed))
    return fit_alone(features, np.array(wanted, float), worth)


def _read_talk() -> list[Labelled]:
    """Messages without a task type, some of which need no tool at all."""
    return read_labelled(ROOT / "training/data/talk_messages.txt")


def _compute_all(embed: Embed, messages: Sequence[str]) -> csr_array:
    """Inputs of all messages; most of the pieces are in none of them, so that only those that are there are kept."""
    rows = (csr_array(compute_features(message, embed(message))[None]) for message in messages)
    return csr_array(vstack(list(rows), format="csr"))


def _to_direction(vector: NDArray[np.float32]) -> Floats:
    return vector.astype(np.float64) / float(np.linalg.norm(vector))


if __name__ == "__main__":
    sys.exit(run())

"""`python -m training.claims`: fit the learned part of the check for questions on what is never foretold.

The same regression as `training.crisis`, on the patterns in `closed_patterns.txt`; measured on patterns left out as a
whole, and on the questions of the tests, which are not learned from.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.cli.terminal import print_note
from metier.packs.life.safety import closed_head, crisis_head, fold_words
from metier.routing import load_text_embedder
from metier.settings import load_settings
from training.crisis import (
    DATA,
    FOLDS,
    ROOT,
    WORDINGS,
    Sentence,
    compress_weights,
    compute_material,
    fill_slots,
    read_material,
    read_sentences,
    score_left_out,
    solve_ridge,
)

PATTERNS: Final = DATA / "closed_patterns.txt"
QUESTIONS: Final = ROOT / "tests/packs/life/data/closed_questions.txt"
_NONE: Final = "none"
_EVERY: Final = 4


def read_topics(file: Path = PATTERNS) -> Iterator[Sentence]:
    """Read patterns, each in its first few wordings; the kind of a sentence is its topic."""
    topic = ""
    for at, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        if line.startswith("## "):
            topic = line[3:]
        elif line and not line.startswith("#"):
            for text in dict.fromkeys(fill_slots(line, turn) for turn in range(WORDINGS)):
                yield Sentence(topic != _NONE, text, topic, at)


def digest_topics() -> str:
    """SHA-256 of the patterns that the shipped weights were learned from."""
    return hashlib.sha256(PATTERNS.read_bytes()).hexdigest()


def run() -> int:
    """Fit, report and write the weights."""
    embedder = load_text_embedder(load_settings())
    if embedder is None:
        print_note("no embedder is configured")
        return 1
    safe = read_sentences(*sorted(DATA.glob("crisis_*_safe.txt")))
    plain = [one for one in read_material() if one.kind.startswith(("requests", "ordinary"))][::_EVERY]
    others = [one for one in (*safe, *plain) if "foretold" not in one.kind]
    sentences = [*read_topics(), *(one._replace(kind=_NONE, pattern=0) for one in others)]
    vectors = embedder.embed([fold_words(one.text) for one in sentences])
    material = compute_material(sentences, vectors)
    wanted = np.array([1.0 if one.is_danger else -1.0 for one in sentences])
    kernel = material.build_kernel(with_vectors=True)
    kinds = np.array([one.kind for one in sentences])
    middles = [material.vectors[kinds == topic].mean(axis=0) for topic in closed_head.TOPICS]
    parts = {f"full_{name}": one for name, one in compress_weights(material, solve_ridge(kernel, wanted)).items()}
    parts |= {"rarity": material.rarity, "topics": np.stack(middles) - np.mean(middles, axis=0)}
    shipped: dict[str, NDArray[np.float32]] = {name: one.astype(np.float32) for name, one in parts.items()}
    np.savez_compressed(closed_head.HEAD_FILE, allow_pickle=False, **shipped)
    notes = {
        "sha256": hashlib.sha256(closed_head.HEAD_FILE.read_bytes()).hexdigest(),
        "embedder": embedder.name,
        "material": digest_topics(),
        "sentences": str(len(sentences)),
        "command": "python -m training.claims",
    }
    closed_head.NOTES_FILE.write_text(json.dumps(notes, indent=1) + "\n", "utf-8")
    folds = np.array([one.pattern % FOLDS if one.pattern else -1 for one in sentences])
    left = folds >= 0
    _report("patterns left out", score_left_out(kernel, wanted, folds)[left], wanted[left])
    asked = [line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines() if "\t" in line and line[0] != "#"]
    scores = _score(fold_words(text) for _, text in asked) if asked else []
    _report(
        "questions of the tests", np.array(scores), np.array([-1.0 if topic == _NONE else 1.0 for topic, _ in asked])
    )
    return 0


def _score(folded: Iterator[str]) -> list[float]:
    embedder, head = load_text_embedder(load_settings()), closed_head.load_closed_head()
    texts = list(folded)
    vectors: Sequence[NDArray[np.float32]] = list(embedder.embed(texts)) if embedder else []
    return [
        head.score(crisis_head.compute_word_features(text), crisis_head.normalize_vector(row))
        for text, row in zip(texts, vectors, strict=True)
    ]


def _report(name: str, scores: NDArray[np.float64], wanted: NDArray[np.float64]) -> None:
    """Print which share of closed and of other questions is above a limit."""
    for limit in (0.0, closed_head.LIMIT, -0.3):
        closed, other = (100 * (scores[wanted == one] > limit).mean() for one in (1.0, -1.0))
        print_note(f"{name}, above {limit}: closed {closed:.1f} %, others {other:.1f} % of {len(scores)}")


if __name__ == "__main__":
    sys.exit(run())

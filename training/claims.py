"""`python -m training.claims`: fit the learned checks for questions on what is never foretold, and for such claims.

The same regression as `training.crisis`, on `closed_patterns.txt` and `claim_patterns.txt`; measured on patterns left
out as a whole, and on lines of the tests, which are not learned from.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve

from metier.cli.terminal import print_note
from metier.packs.life.readings import load_rules
from metier.packs.life.safety import SentenceEmbedder, crisis_head, fold_words, topic_head
from metier.packs.life.tarot import load_deck
from metier.routing import load_text_embedder
from metier.settings import load_settings
from training.crisis import (
    DATA,
    FOLDS,
    ROOT,
    WORDINGS,
    Floats,
    Sentence,
    compress_weights,
    compute_material,
    fill_slots,
    read_material,
    read_sentences,
    score_left_out,
    solve_ridge,
)

_NONE: Final = "none"
_EVERY: Final = 4
_TOPIC_RIDGE: Final = 0.3
_LIMITS: Final = (0.2, 0.1, 0.0, -0.1, -0.2, -0.3)


@dataclass(frozen=True, slots=True)
class Task:
    """What one check is learned from, and labelled lines (topic, tab, text) that it is not learned from."""

    check: topic_head.TopicCheck
    patterns: Path
    held_out: Path


TASKS: Final = (
    Task(topic_head.CLOSED, DATA / "closed_patterns.txt", ROOT / "tests/packs/life/data/closed_questions.txt"),
    Task(topic_head.CLAIMED, DATA / "claim_patterns.txt", ROOT / "tests/packs/life/data/claims_fresh.txt"),
)


def read_topics(file: Path) -> Iterator[Sentence]:
    """Read patterns, each in its first few wordings; the kind of a sentence is its topic."""
    topic = ""
    for at, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        if line.startswith("## "):
            topic = line[3:]
        elif line and not line.startswith("#"):
            for text in dict.fromkeys(fill_slots(line, turn) for turn in range(WORDINGS)):
                yield Sentence(topic != _NONE, text, topic, at)


def digest_topics(check: topic_head.TopicCheck) -> str:
    """SHA-256 of the patterns and word groups that the shipped weights of a check were learned from."""
    task = next(one for one in TASKS if one.check is check)
    return hashlib.sha256(task.patterns.read_bytes() + check.words.read_bytes()).hexdigest()


def run() -> int:
    """Fit, report and write the weights of both checks."""
    embedder = load_text_embedder(load_settings())
    if embedder is None:
        print_note("no embedder is configured")
        return 1
    for task in TASKS:
        _fit(task, embedder)
    return 0


def _fit(task: Task, embedder: SentenceEmbedder) -> None:
    check = task.check
    others = _read_others() if check is topic_head.CLOSED else _read_plain_sentences()
    sentences = [*read_topics(task.patterns), *(one._replace(kind=_NONE, pattern=0) for one in others)]
    vectors = embedder.embed([fold_words(one.text) for one in sentences])
    material = compute_material(sentences, vectors, check.words)
    wanted = np.array([1.0 if one.is_danger else -1.0 for one in sentences])
    kinds = np.array([one.kind for one in sentences])
    parts = {"rarity": material.rarity, "topics": _fit_topics(material.vectors[wanted > 0], kinds[wanted > 0], check)}
    folds = np.array([one.pattern % FOLDS if one.pattern else -1 for one in sentences])
    for name, with_vectors in (("full", True), ("words", False)):
        kernel = material.build_kernel(with_vectors=with_vectors)
        left = folds >= 0
        scores = score_left_out(kernel, wanted, folds)
        weights = compress_weights(material, solve_ridge(kernel, wanted))
        parts |= {f"{name}_{key}": one for key, one in weights.items()}
        _report(f"{check.weights.stem}, {name}, patterns left out", scores[left], wanted[left])
    shipped: dict[str, NDArray[np.float32]] = {name: one.astype(np.float32) for name, one in parts.items()}
    np.savez_compressed(check.weights, allow_pickle=False, **shipped)
    notes = {
        "sha256": hashlib.sha256(check.weights.read_bytes()).hexdigest(),
        "embedder": embedder.name,
        "material": digest_topics(check),
        "sentences": str(len(sentences)),
        "command": "python -m training.claims",
    }
    check.notes.write_text(json.dumps(notes, indent=1) + "\n", "utf-8")
    topic_head.read_topic_notes.cache_clear()
    topic_head.load_topic_head.cache_clear()
    lines = [line.split("\t") for line in task.held_out.read_text("utf-8").splitlines() if "\t" in line]
    rows = [row for row in lines if not row[0].startswith("#")]
    labels = np.array([-1.0 if topic == _NONE else 1.0 for topic, _ in rows])
    for name, used in (("full", embedder), ("words", None)):
        scores = np.array(_score([fold_words(text) for _, text in rows], check, used))
        _report(f"{check.weights.stem}, {name}, {task.held_out.name}", scores, labels)


def _fit_topics(vectors: Floats, kinds: NDArray[np.str_], check: topic_head.TopicCheck) -> Floats:
    """Weights that tell the topics from each other, a row for each."""
    wanted = np.stack([(kinds == topic) - float((kinds == topic).mean()) for topic in check.topics], axis=1)
    found: Floats = solve(vectors.T @ vectors + _TOPIC_RIDGE * np.eye(vectors.shape[1]), vectors.T @ wanted)
    return found.T


def _read_others() -> list[Sentence]:
    """Messages that ask for nothing closed."""
    safe = read_sentences(*sorted(DATA.glob("crisis_*_safe.txt")))
    plain = [one for one in read_material() if one.kind.startswith(("requests", "ordinary"))][::_EVERY]
    return [one for one in (*safe, *plain) if "foretold" not in one.kind]


def _read_plain_sentences() -> list[Sentence]:
    """What the pack itself says (readings, cards), and ordinary sentences of guides and skills."""
    texts = [text for kind in ("bazi", "zodiac") for rule in load_rules(kind) for text in (rule.text.zh, rule.text.en)]
    sides = [side for card in load_deck() for side in (card.upright, card.reversed)]
    texts += [text for side in sides for text in (side.zh, side.en)]
    plain = [one for one in read_sentences(DATA / "crisis_plain.txt") if not one.is_danger]
    return [*(Sentence(False, text, _NONE) for text in texts), *plain]


def _score(texts: Sequence[str], check: topic_head.TopicCheck, embedder: SentenceEmbedder | None) -> list[float]:
    head = topic_head.load_topic_head(check)
    if embedder is None:
        return [head.score(text, None) for text in texts]
    rows = embedder.embed(texts)
    return [head.score(text, crisis_head.normalize_vector(row)) for text, row in zip(texts, rows, strict=True)]


def _report(name: str, scores: NDArray[np.float64], wanted: NDArray[np.float64]) -> None:
    """Print which share of closed and of other texts is above a limit."""
    for limit in _LIMITS:
        closed, other = (100 * (scores[wanted == one] > limit).mean() for one in (1.0, -1.0))
        print_note(f"{name}, above {limit}: closed {closed:.1f} %, others {other:.1f} % of {len(scores)}")


if __name__ == "__main__":
    sys.exit(run())

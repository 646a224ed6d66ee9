"""`python -m training.crisis`: fit the learned part of the life pack's crisis check; measure it on what is left out.

Ridge regression in its kernel form: one inverse gives the score of every sentence as if it, or its whole kind in its
language, had not been there.
"""

import hashlib
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metier.cli.terminal import print_note
from metier.packs.life.safety import crisis_head, find_crisis, fold_words
from metier.routing import load_text_embedder
from metier.settings import load_settings
from metier.textsearch import has_cjk

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "training/data"
SEEN: Final = ROOT / "tests/packs/life/data/crisis_seen.txt"
_RIDGE: Final = 1.0
_AXES: Final = 64
_EVERY: Final = 5
Floats = NDArray[np.float64]


class Sentence(NamedTuple):
    """A sentence, whether somebody is in danger, and its kind."""

    is_danger: bool
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Material:
    """Features of all sentences: groups, pieces (dense, unit rows) and vectors."""

    groups: Floats
    pieces: NDArray[np.float32]
    vectors: Floats
    rarity: Floats

    def build_kernel(self, *, with_vectors: bool) -> Floats:
        """Likeness of every two sentences."""
        groups = self.groups @ self.groups.T
        kernel: Floats = 1.0 + crisis_head.GROUPS_SHARE * groups + crisis_head.PAIRS_SHARE * groups**2
        kernel += crisis_head.PIECES_SHARE * (self.pieces @ self.pieces.T)
        if with_vectors:
            near = self.vectors @ self.vectors.T
            kernel += crisis_head.VECTOR_SHARE * near + crisis_head.SQUARES_SHARE * near**2
        return kernel


def read_sentences(*files: Path) -> Iterator[Sentence]:
    """Read lines that begin with `+` (danger) or `-`; a line `## kind` begins a kind."""
    for file in files:
        kind = file.stem
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("## "):
                kind = line[3:]
            elif line[:2] in ("+ ", "- "):
                yield Sentence(line[0] == "+", line[2:], f"{kind}, {'zh' if has_cjk(line) else 'en'}")


def read_material() -> list[Sentence]:
    """All sentences to learn from: those written for it, those seen by the rules, and ordinary requests."""
    written = read_sentences(*sorted(DATA.glob("crisis_*.txt")), SEEN)
    asked = [
        line.split("\t", 1)[1]
        for file in sorted(DATA.glob("t*_messages*.txt"))
        for line in file.read_text("utf-8").splitlines()[::_EVERY]
        if "\t" in line
    ]
    return list(dict.fromkeys([*written, *(Sentence(False, text, "requests") for text in asked)]))


def digest_material() -> str:
    """SHA-256 of the sentences and word groups that the shipped weights were learned from."""
    files = [*sorted(DATA.glob("crisis_*.txt")), SEEN, crisis_head.HEAD_FILE.with_name("crisis_words.toml")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def run(argv: Sequence[str] | None = None) -> int:
    """Fit, report and write the weights."""
    parser = ArgumentParser(prog="python -m training.crisis", description="Fit the crisis check.")
    parser.add_argument("--out", type=Path, default=crisis_head.HEAD_FILE)
    asked = parser.parse_args(argv)
    embedder = load_text_embedder(load_settings())
    if embedder is None:
        print_note("no embedder is configured")
        return 1
    sentences = read_material()
    material = _compute_material(sentences, embedder.embed([fold_words(one.text) for one in sentences]))
    wanted = np.array([1.0 if one.is_danger else -1.0 for one in sentences])
    parts: dict[str, NDArray[np.float32]] = {"rarity": material.rarity.astype(np.float32)}
    for name, with_vectors in (("full", True), ("words", False)):
        kernel = material.build_kernel(with_vectors=with_vectors) + _RIDGE * np.eye(len(wanted))
        inverse = np.asarray(np.linalg.inv(kernel), dtype=np.float64)
        weights = inverse @ wanted
        _report(name, sentences, inverse, weights, wanted)
        parts |= {f"{name}_{key}": one.astype(np.float32) for key, one in _compress(material, weights).items()}
    np.savez_compressed(asked.out, allow_pickle=False, **parts)
    notes = {
        "sha256": hashlib.sha256(asked.out.read_bytes()).hexdigest(),
        "embedder": embedder.name,
        "material": digest_material(),
        "sentences": str(len(sentences)),
        "command": "python -m training.crisis",
    }
    asked.out.with_suffix(".json").write_text(json.dumps(notes, indent=1) + "\n", "utf-8")
    print_note(f"{len(sentences)} sentences: {asked.out}")
    return 0


def _compute_material(sentences: Sequence[Sentence], vectors: NDArray[np.float32]) -> Material:
    words = [crisis_head.compute_word_features(fold_words(one.text)) for one in sentences]
    pieces = np.zeros((len(sentences), crisis_head.PIECE_BUCKETS), dtype=np.float32)
    for at, one in enumerate(words):
        pieces[at, one.pieces] = 1.0
    rarity = np.maximum(np.log(len(sentences) / (1.0 + pieces.sum(axis=0, dtype=np.float64))), 0.0)
    pieces *= rarity.astype(np.float32)
    pieces /= np.maximum(np.linalg.norm(pieces, axis=1, keepdims=True), 1e-9)
    unit = np.stack([crisis_head.normalize_vector(row) for row in vectors])
    return Material(np.stack([one.groups for one in words]), pieces, unit, rarity)


def _compress(material: Material, weights: Floats) -> dict[str, Floats]:
    """Weights of the features in place of those of the sentences; of the squares only the strongest directions."""
    squares = crisis_head.SQUARES_SHARE * (material.vectors.T * weights) @ material.vectors
    strengths, directions = np.linalg.eigh(squares)
    kept = np.argsort(-np.abs(strengths))[:_AXES]
    return {
        "bias": np.array(weights.sum()),
        "groups": crisis_head.GROUPS_SHARE * (weights @ material.groups),
        "pairs": crisis_head.PAIRS_SHARE * (material.groups.T * weights) @ material.groups,
        "pieces": crisis_head.PIECES_SHARE * (weights @ material.pieces).astype(np.float64),
        "vector": crisis_head.VECTOR_SHARE * (weights @ material.vectors),
        "axes": directions[:, kept].T,
        "curves": strengths[kept],
    }


def _report(name: str, sentences: Sequence[Sentence], inverse: Floats, weights: Floats, wanted: Floats) -> None:
    """Print recall and false alarms where each sentence, and each kind in each language, was left out."""
    alone = wanted - weights / np.diag(inverse)
    by_kind = np.zeros_like(wanted)
    kinds = np.array([one.kind for one in sentences])
    for kind in sorted(set(kinds)):
        here = np.flatnonzero(kinds == kind)
        by_kind[here] = wanted[here] - np.linalg.solve(inverse[np.ix_(here, here)], weights[here])
    by_rule = np.array([bool(find_crisis(one.text)) for one in sentences])
    danger = wanted > 0
    written = np.array([not one.kind.startswith(("requests", "ordinary")) for one in sentences])
    for what, scores in (("each left out", alone), ("kinds left out", by_kind)):
        for limit in (0.35, 0.05, -0.05):
            found = (scores > limit) | (by_rule & (scores > -0.3))
            lost, false = found[danger].mean(), found[~danger & written].mean()
            print_note(f"{name}, {what}, limit {limit}: recall {lost:.3f}, false alarms {false:.3f}")


if __name__ == "__main__":
    sys.exit(run())

"""`python -m training.crisis`: fit the learned part of the life pack's crisis check; measure it on what is left out.

Ridge regression in its kernel form, in single precision. `crisis_patterns.txt` holds patterns with `{one|other}`
wording; a pattern is left out as a whole where the check is measured, because its wordings are alike.
"""

import hashlib
import json
import re
import sys
import zlib
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_matrix

from metier.cli.terminal import print_note
from metier.packs.life.safety import crisis_head, decide_level, find_crisis, fold_words
from metier.routing import load_text_embedder
from metier.settings import load_settings
from metier.textsearch import has_cjk

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "training/data"
PATTERNS: Final = DATA / "crisis_patterns.txt"
# Ordinary requests; a fixed list, so that new material of other models does not change what is learned here.
REQUESTS: Final = (
    DATA / "talk_messages.txt",
    *(DATA / f"task_messages_{number}.txt" for number in range(1, 21)),
)
SEEN: Final = ROOT / "tests/packs/life/data/crisis_seen.txt"
_RIDGE: Final = 1.0
_AXES: Final = 64
_EVERY: Final = 2
WORDINGS: Final = 3
FOLDS: Final = 4
_ROWS: Final = 1024
_SLOT: Final = re.compile(r"\{([^{}]*)\}")
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


class Sentence(NamedTuple):
    """A sentence, whether somebody is in danger, its kind, and the number of its pattern (0: it has none)."""

    is_danger: bool
    text: str
    kind: str
    pattern: int = 0


@dataclass(frozen=True, slots=True)
class Material:
    """Features of all sentences: groups, pieces (sparse, unit rows), vectors, and how rare each piece is."""

    groups: Floats
    pieces: csr_matrix
    vectors: Floats
    rarity: Floats

    def build_kernel(self, *, with_vectors: bool, chosen: NDArray[np.int64] | None = None) -> Singles:
        """Likeness of every two sentences, made some rows at a time: the whole needs gigabytes in double precision.

        With `chosen`, likeness of every sentence to each of those.
        """
        to = np.arange(len(self.groups)) if chosen is None else chosen
        kernel: Singles = np.empty((len(self.groups), len(to)), dtype=np.float32)
        groups, vectors, others = (
            self.groups.astype(np.float32),
            self.vectors.astype(np.float32),
            self.pieces[to].T,
        )
        for start in range(0, len(self.groups), _ROWS):
            here = slice(start, start + _ROWS)
            shared = groups[here] @ groups[to].T
            rows = 1.0 + crisis_head.GROUPS_SHARE * shared + crisis_head.PAIRS_SHARE * shared**2
            rows += crisis_head.PIECES_SHARE * (self.pieces[here] @ others).toarray()
            if with_vectors:
                near = vectors[here] @ vectors[to].T
                rows += crisis_head.VECTOR_SHARE * near + crisis_head.SQUARES_SHARE * near**2
            kernel[here] = rows
        return kernel


def read_sentences(*files: Path) -> Iterator[Sentence]:
    """Read lines that begin with `+` (danger) or `-`; a line `## kind` begins a kind."""
    for file in files:
        kind = file.stem
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("## "):
                kind = line[3:]
            elif line[:2] in ("+ ", "- "):
                yield Sentence(
                    line[0] == "+",
                    line[2:],
                    f"{kind}, {'zh' if has_cjk(line) else 'en'}",
                )


def read_patterns(file: Path) -> Iterator[Sentence]:
    """Read patterns: lines as of `read_sentences`, each in its first few wordings."""
    for at, one in enumerate(read_sentences(file), start=1):
        for text in dict.fromkeys(fill_slots(one.text, turn) for turn in range(WORDINGS)):
            yield one._replace(text=text, pattern=at)


def fill_slots(pattern: str, turn: int) -> str:
    """The pattern in one of its wordings."""

    def choose(slot: re.Match[str]) -> str:
        choices = slot[1].split("|")
        return choices[(zlib.crc32(f"{slot.start()} {pattern}".encode()) + turn) % len(choices)]

    return _SLOT.sub(choose, pattern).strip()


def read_material() -> list[Sentence]:
    """All sentences to learn from: those written for it, those seen by the rules, and ordinary requests."""
    files = [file for file in sorted(DATA.glob("crisis_*.txt")) if file != PATTERNS]
    written = [*read_sentences(*files, SEEN), *read_patterns(PATTERNS)]
    asked = [
        line.split("\t", 1)[1]
        for file in REQUESTS
        for line in file.read_text("utf-8").splitlines()[::_EVERY]
        if "\t" in line
    ]
    return list(dict.fromkeys([*written, *(Sentence(False, text, "requests") for text in asked)]))


def digest_material() -> str:
    """SHA-256 of the sentences and word groups that the shipped weights were learned from."""
    files = [
        *sorted(DATA.glob("crisis_*.txt")),
        *REQUESTS,
        SEEN,
        crisis_head.CRISIS_WORDS,
    ]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def run(argv: Sequence[str] | None = None) -> int:
    """Fit, report and write the weights."""
    parser = ArgumentParser(prog="python -m training.crisis", description="Fit the crisis check.")
    parser.add_argument("--out", type=Path, default=crisis_head.HEAD_FILE)
    parser.add_argument(
        "--measure",
        action="store_true",
        help="fit without each quarter of the patterns too, and report",
    )
    asked = parser.parse_args(argv)
    embedder = load_text_embedder(load_settings())
    if embedder is None:
        print_note("no embedder is configured")
        return 1
    sentences = read_material()
    material = compute_material(sentences, embedder.embed([fold_words(one.text) for one in sentences]))
    wanted = np.array([1.0 if one.is_danger else -1.0 for one in sentences])
    parts: dict[str, NDArray[np.float32]] = {"rarity": material.rarity.astype(np.float32)}
    for name, with_vectors in (("full", True), ("words", False)):
        kernel = material.build_kernel(with_vectors=with_vectors)
        if asked.measure:
            _report(name, sentences, kernel, wanted)
        weights = solve_ridge(kernel, wanted)
        parts |= {f"{name}_{key}": one.astype(np.float32) for key, one in compress_weights(material, weights).items()}
        del kernel
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


def compute_material(
    sentences: Sequence[Sentence],
    vectors: NDArray[np.float32],
    groups: Path = crisis_head.CRISIS_WORDS,
    rarity: Floats | None = None,
) -> Material:
    """Compute the features of sentences with these vectors and groups of words, and with how rare pieces are."""
    words = [crisis_head.compute_word_features(fold_words(one.text), groups) for one in sentences]
    found = [one.pieces for one in words]
    bounds = np.cumsum([0, *(len(one) for one in found)])
    at = np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
    if rarity is None:
        counts = np.bincount(at, minlength=crisis_head.PIECE_BUCKETS)
        rarity = np.maximum(np.log(len(sentences) / (1.0 + counts)), 0.0)
    weights = rarity[at].astype(np.float32)
    lengths = np.sqrt([float(weights[start:end] @ weights[start:end]) for start, end in pairwise(bounds)])
    weights /= np.repeat(np.maximum(lengths, 1e-9), np.diff(bounds)).astype(np.float32)
    pieces = csr_matrix((weights, at, bounds), shape=(len(sentences), crisis_head.PIECE_BUCKETS))
    unit = np.stack([crisis_head.normalize_vector(row) for row in vectors])
    return Material(np.stack([one.groups for one in words]), pieces, unit, rarity)


def solve_ridge(kernel: Singles, wanted: Floats) -> Floats:
    """Weights of the sentences of a kernel, which is overwritten."""
    kernel[np.diag_indices(len(wanted))] += _RIDGE
    factor = cho_factor(kernel.T, lower=True, overwrite_a=True, check_finite=False)
    found: Floats = cho_solve(factor, wanted.astype(np.float32), check_finite=False).astype(np.float64)
    return found


def compress_weights(material: Material, weights: Floats) -> dict[str, Floats]:
    """Weights of the features in place of those of the sentences; of the squares only the strongest directions."""
    squares = crisis_head.SQUARES_SHARE * (material.vectors.T * weights) @ material.vectors
    return {
        "bias": np.array(weights.sum()),
        "groups": crisis_head.GROUPS_SHARE * (weights @ material.groups),
        "pairs": crisis_head.PAIRS_SHARE * (material.groups.T * weights) @ material.groups,
        "pieces": crisis_head.PIECES_SHARE * (material.pieces.T @ weights),
        "vector": crisis_head.VECTOR_SHARE * (weights @ material.vectors),
        **keep_strongest(squares),
    }


def keep_strongest(squares: Floats) -> dict[str, Floats]:
    """The strongest directions of a matrix of squares, and their strengths."""
    strengths, directions = np.linalg.eigh(squares)
    kept = np.argsort(-np.abs(strengths))[:_AXES]
    return {"axes": directions[:, kept].T, "curves": strengths[kept]}


def score_left_out(kernel: Singles, wanted: Floats, folds: NDArray[np.int64]) -> Floats:
    """Scores of the sentences of each fold by weights that were fitted without it; -1 is learned from always."""
    scores: Floats = np.zeros_like(wanted)
    for fold in range(FOLDS):
        kept, left = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        scores[left] = kernel[np.ix_(left, kept)] @ solve_ridge(kernel[np.ix_(kept, kept)], wanted[kept])
    return scores


def _report(name: str, sentences: Sequence[Sentence], kernel: Singles, wanted: Floats) -> None:
    """Print recall and false alarms on patterns, and on every fourth ordinary request, that were left out."""
    is_request = np.array([one.kind == "requests" for one in sentences])
    folds = np.array([one.pattern % FOLDS if one.pattern else -1 for one in sentences])
    folds[is_request] = np.arange(is_request.sum()) % FOLDS
    scores = score_left_out(kernel, wanted, folds)
    rules = [find_crisis(one.text) if fold >= 0 else "" for fold, one in zip(folds, sentences, strict=True)]
    by_words = name == "words"
    levels = np.array([decide_level(*pair, by_words=by_words) for pair in zip(scores, rules, strict=True)])
    is_pattern = (folds >= 0) & ~is_request
    for what, here in (
        ("danger", is_pattern & (wanted > 0)),
        ("hard safe", is_pattern & (wanted < 0)),
        ("ordinary requests", is_request),
    ):
        shares = ", ".join(f"{level} {100 * (levels[here] == level).mean():.1f} %" for level in ("stop", "ask", "none"))
        print_note(f"{name}, left out, {what} ({here.sum()}): {shares}")


if __name__ == "__main__":
    sys.exit(run())

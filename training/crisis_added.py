"""`python -m training.crisis_added`: add what newer sentences teach to the weights that `training.crisis` wrote.

What the weights miss of the new sentences is fitted by ridge regression on chosen sentences, with a part of the old
ones beside them so that what is known stays, and with plain requests of public sets (what their comparison asks is not
among them). The features are the same, so both sums of weights are one. It needs a fifth of the time of a whole fit.
"""

import hashlib
import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from metier.cli.terminal import print_note
from metier.packs.life.safety import crisis_head, fold_words
from metier.routing import load_text_embedder
from metier.settings import load_settings
from training._corpora import load_corpora
from training.crisis import (
    DATA,
    Floats,
    Material,
    Sentence,
    compress_weights,
    compute_material,
    keep_strongest,
    read_material,
    read_sentences,
)

ADDED: Final = (DATA / "added_people.txt", DATA / "added_authors.txt")
# Sentences of many authors: near twins with and without danger, and sets that were read once as a test before.
NEWER: Final = tuple(sorted(DATA.glob("tuned_*.txt")))
NEWEST: Final = (DATA / "tuned_people.txt",)
_RIDGE: Final = 3.0
_ROUNDING: Final = 1e-3
# Of the old sentences every second danger and every fifth other one are learned from again.
_OLD_DANGERS: Final = 2
_OLD_OTHERS: Final = 5
_PUBLIC: Final = 3000
# Every how many dangers and others the likeness of all is weighed to, by file; the last is for old and public ones.
_STEPS: Final = ((NEWEST, (1, 2)), (ADDED, (2, 4)), (NEWER, (3, 6)))
_OLD_STEPS: Final = (6, 16)


def run(argv: Sequence[str] | None = None) -> int:
    """Fit the addition and write the sum."""
    parser = ArgumentParser(
        prog="python -m training.crisis_added",
        description="Add sentences to the crisis check.",
    )
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        help="folder of labelled sets, whose requests are plain",
    )
    parser.add_argument(
        "--base",
        type=Path,
        default=crisis_head.HEAD_FILE,
        help="the weights of training.crisis",
    )
    parser.add_argument("--out", type=Path, default=crisis_head.HEAD_FILE)
    asked = parser.parse_args(argv)
    notes: dict[str, str] = json.loads(asked.base.with_suffix(".json").read_text("utf-8"))
    embedder = load_text_embedder(load_settings())
    if embedder is None or "added" in notes:
        print_note("no embedder is configured" if embedder is None else "first: python -m training.crisis")
        return 1
    weights = crisis_head.read_weights(asked.base, notes["sha256"])
    sentences = choose_sentences(asked.data)
    vectors = embedder.embed([fold_words(one.text) for one in sentences])
    material = compute_material(sentences, vectors, rarity=weights["rarity"])
    # The weights of words alone, for use without vectors, stay as they are.
    parts = weights | add_weights(material, sentences, weights, "full", with_vectors=True)
    singles: dict[str, NDArray[np.float32]] = {name: one.astype(np.float32) for name, one in parts.items()}
    np.savez_compressed(asked.out, allow_pickle=False, **singles)
    told = {
        "sha256": hashlib.sha256(asked.out.read_bytes()).hexdigest(),
        "added": digest_added(),
    }
    told["command"] = f"{notes['command']} && python -m training.crisis_added --data FOLDER"
    told["public"] = hashlib.sha256("\n".join(read_public(asked.data)).encode()).hexdigest()
    asked.out.with_suffix(".json").write_text(json.dumps({**notes, **told}, indent=1) + "\n", "utf-8")
    print_note(f"{len(sentences)} sentences: {asked.out}")
    return 0


def digest_added() -> str:
    """SHA-256 of the sentences that were added."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in (*ADDED, *NEWER))).hexdigest()


def read_public(data: Path) -> list[str]:
    """Plain requests of the labelled sets in a folder, spread evenly over sets and intents."""
    found = [one for corpus in load_corpora(data) for said in corpus.messages.values() for one in said]
    listed = list(dict.fromkeys(found))
    return listed[:: max(len(listed) // _PUBLIC, 1)]


def choose_sentences(data: Path) -> list[Sentence]:
    """The new sentences, the newest first, then the old ones that are learned from again, then public requests."""
    by_kind = read_sentences_by_kind(data)
    dangers, others = ([one for one in by_kind["old"] if one.is_danger is wanted] for wanted in (True, False))
    return [*by_kind["new"], *dangers[::_OLD_DANGERS], *others[::_OLD_OTHERS], *by_kind["public"]]


def read_sentences_by_kind(data: Path) -> dict[str, list[Sentence]]:
    """New, old and public sentences; a text is learned from once, as the newest that it is."""
    public = [Sentence(False, text, "public") for text in read_public(data)]
    new = read_sentences(*NEWEST, *ADDED, *(file for file in NEWER if file not in NEWEST))
    listed = {"new": list(new), "old": read_material(), "public": public}
    seen: set[str] = set()
    found: dict[str, list[Sentence]] = {}
    for kind, sentences in listed.items():
        found[kind] = []
        for one in sentences:
            folded = fold_words(one.text)
            if folded not in seen:
                seen.add(folded)
                found[kind].append(one)
    return found


def choose_centres(sentences: Sequence[Sentence]) -> NDArray[np.int64]:
    """Sentences to which the likeness of all is weighed: all dangers of the newest ones, fewer of what is older."""
    steps = {one.text: step for files, step in reversed(_STEPS) for one in read_sentences(*files)}
    found = [steps.get(one.text, _OLD_STEPS)[0 if one.is_danger else 1] for one in sentences]
    return np.array([at for at, step in enumerate(found) if at % step == 0], dtype=np.int64)


def add_weights(
    material: Material,
    sentences: Sequence[Sentence],
    weights: Mapping[str, Floats],
    name: str,
    *,
    with_vectors: bool,
) -> dict[str, Floats]:
    """The stored weights of this name with what was fitted on their errors."""
    wanted = np.array([1.0 if one.is_danger else -1.0 for one in sentences])
    errors = wanted - score_all(material, weights, name, with_vectors=with_vectors)
    centres = choose_centres(sentences)
    kernel = material.build_kernel(with_vectors=with_vectors, chosen=centres)
    held = (kernel.T @ kernel).astype(np.float64) + _RIDGE * kernel[centres].astype(np.float64)
    held[np.diag_indices(len(centres))] += _ROUNDING
    found = cho_solve(cho_factor(held, lower=True), kernel.T.astype(np.float64) @ errors)
    chosen = Material(
        material.groups[centres],
        material.pieces[centres],
        material.vectors[centres],
        material.rarity,
    )
    added = compress_weights(chosen, found)
    old = {key.removeprefix(f"{name}_"): one for key, one in weights.items() if key.startswith(f"{name}_")}
    total = {key: old[key] + added[key] for key in ("bias", "groups", "pairs", "pieces", "vector")}
    total |= keep_strongest(_multiply_out(old) + _multiply_out(added))
    return {f"{name}_{key}": one for key, one in total.items()}


def score_all(material: Material, weights: Mapping[str, Floats], name: str, *, with_vectors: bool) -> Floats:
    """Scores of all sentences by stored weights."""
    groups = material.groups
    scores: Floats = weights[f"{name}_bias"] + groups @ weights[f"{name}_groups"]
    scores = scores + np.einsum("ij,ij->i", groups @ weights[f"{name}_pairs"], groups)
    scores = scores + material.pieces @ weights[f"{name}_pieces"]
    if with_vectors:
        scores = scores + material.vectors @ weights[f"{name}_vector"]
        scores = scores + np.square(material.vectors @ weights[f"{name}_axes"].T) @ weights[f"{name}_curves"]
    return scores


def _multiply_out(parts: Mapping[str, Floats]) -> Floats:
    """The matrix of squares of its directions and strengths."""
    found: Floats = (parts["axes"].T * parts["curves"]) @ parts["axes"]
    return found


if __name__ == "__main__":
    sys.exit(run())

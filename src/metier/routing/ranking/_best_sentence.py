"""Similarity of a message to the nearest sentence of each description, where skills have no examples."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking._prototypes import DenseView, Floats, HalfFloats, SkillVectors, normalize_rows, to_float32


def score_best_sentence(
    views: Sequence[DenseView],
    messages: Mapping[str, Floats],
    skills: NDArray[np.int64],
    left_out: tuple[int, int] | None = None,
) -> Floats:
    """Largest cosine of the message to a sentence of each skill, averaged over the views.

    A skill with examples, or whose view keeps no sentences, is compared by its items; one without any scores zero.
    """
    found: Floats = np.zeros(len(skills), dtype=np.float32)
    skill, out = left_out or (-1, -1)
    for view in views:
        rows = [_select_rows(view.skills[at], out if at == skill else None) for at in skills.tolist()]
        places = np.repeat(np.arange(len(skills)), [len(part) for part in rows])
        items = to_float32(np.concatenate(rows))
        lengths = np.sqrt(np.einsum("ij,ij->i", items, items))
        near = items @ normalize_rows(messages[view.name]) / np.maximum(lengths, np.float32(1e-9))
        best: Floats = np.full(len(skills), -1.0, dtype=np.float32)
        np.maximum.at(best, places, near)
        found += np.where(np.bincount(places, minlength=len(skills)) > 0, best, 0) / np.float32(len(views))
    return found


def _select_rows(vectors: SkillVectors, left_out: int | None) -> HalfFloats:
    if len(vectors.sentences):
        return vectors.sentences
    return vectors.items if left_out is None else np.delete(vectors.items, left_out, axis=0)

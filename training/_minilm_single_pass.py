"""Graph of MiniLM with one int8 product per matrix, for processors that multiply bytes of eight bits exactly (arm64).

An activation is one byte, in steps that are the same for every message: the input of a layer is normalised, so its
range is known, and a vector does not depend on the texts it was embedded with. A few channels have a far larger range.
Such a channel is divided by a whole number and its row of the matrix is repeated as often, so the steps of the others
stay small: cosine to the float graph 0.9967 and above over 215 messages and descriptions, where one scale per token
alone gave 0.985. Channels and ranges were read from messages of the development sets.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

import numpy as np
from onnx import TensorProto

from training._graph_builder import MICROSOFT, GraphBuilder
from training._minilm_graph import EMBEDDINGS, EPSILON, HEADS, LAYERS, WIDTH, SourceModel

_RANGE: Final = 3.2
_HEARD_RANGE: Final = 3.5
_COPIES: Final = MappingProxyType({99: 8, 223: 5, 63: 3, 157: 2, 338: 2, 267: 2, 127: 4, 319: 3, 303: 2, 363: 2})
_MIDDLE: Final = 128
_STEPS: Final = 127
# GELU is never below -0.17: sixteen steps below zero will do, if the range above is at least 2.7.
_GELU_ZERO: Final = 16
_GELU_STEPS: Final = 239
_GELU_RANGE: Final = 2.7


def build_single_pass_graph(source: SourceModel) -> tuple[bytes, tuple[str, ...]]:
    """Build the graph; returns it with the names of the weights it needs."""
    layers = _SinglePass(source)
    return layers.build(), layers.draw.external_weights


class _SinglePass:
    def __init__(self, source: SourceModel) -> None:
        self.draw = GraphBuilder("model.onnx")
        self._source = source

    def build(self) -> bytes:
        norm = self._add_norm_weights(f"{EMBEDDINGS}.LayerNorm")
        rows = self.draw.add_node("LayerNormalization", "rows", *norm, axis=-1, epsilon=EPSILON)
        for layer in range(LAYERS):
            rows = self._add_layer(f"inner.encoder.layer.{layer}", rows)
        inputs: dict[str, tuple[int, Sequence[int | str]]] = {
            "rows": (TensorProto.FLOAT, ("texts", "tokens", WIDTH)),
            "mask": (TensorProto.INT32, ("texts", "tokens")),
        }
        return self.draw.to_bytes(inputs, rows)

    def _add_layer(self, name: str, rows: str) -> str:
        draw = self.draw
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        asked = self._add_matmul(parts, self._quantize_normalised(rows), _RANGE, copies=True)
        split = draw.add_multi_output_node("Split", [asked, draw.add_int64(*[WIDTH] * 3)], 3, axis=-1)
        bias = self._join([f"{part}.bias" for part in parts], axis=0)
        heard = draw.add_node("MultiHeadAttention", *split, bias, "mask", domain=MICROSOFT, num_heads=HEADS)
        output = f"{name}.attention.output"
        made = self._add_matmul([f"{output}.dense"], self._quantize(heard, _HEARD_RANGE), _HEARD_RANGE)
        rows = self._add_residual(output, made, rows)
        wide = f"{name}.intermediate.dense"
        inner = self._add_matmul([wide], self._quantize_normalised(rows), _RANGE, copies=True)
        inner = draw.add_node("FastGelu", inner, self._add_weight(f"{wide}.bias"), domain=MICROSOFT)
        return self._add_residual(f"{name}.output", self._add_matmul_by_token(f"{name}.output.dense", inner), rows)

    def _quantize(self, rows: str, highest: float) -> str:
        draw = self.draw
        return draw.add_node("QuantizeLinear", rows, self._add_float(highest / _STEPS), self._add_byte(_MIDDLE))

    def _quantize_normalised(self, rows: str) -> str:
        """Bytes of normalised rows; a channel of large range is divided and repeated."""
        draw = self.draw
        shares = np.ones(WIDTH, dtype=np.float32)
        shares[list(_COPIES)] = [1 / count for count in _COPIES.values()]
        found = self._quantize(draw.add_node("Mul", rows, draw.add_constant(shares)), _RANGE)
        return draw.add_node("Concat", found, draw.add_node("Gather", found, self._add_repeated(), axis=-1), axis=-1)

    def _add_repeated(self) -> str:
        return self.draw.add_int64(*[channel for channel, count in _COPIES.items() for _ in range(count - 1)])

    def _add_matmul(self, layers: Sequence[str], quantized: str, highest: float, *, copies: bool = False) -> str:
        """Int8 product without the bias; layers are joined by column."""
        matrices = [self._source.matrices[layer] for layer in layers]
        matrix = self._join([f"{name}_q" for name in matrices], axis=1)
        if copies:
            repeated = self.draw.add_node("Gather", matrix, self._add_repeated(), axis=0)
            matrix = self.draw.add_node("Concat", matrix, repeated, axis=0)
        columns = self._add_columns(matrices)
        scale, middle = self._add_float(highest / _STEPS), self._add_byte(_MIDDLE)
        return self.draw.add_node("MatMulIntegerToFloat", quantized, matrix, scale, columns, middle, domain=MICROSOFT)

    def _add_matmul_by_token(self, layer: str, rows: str) -> str:
        """Int8 product of what comes out of GELU, which has no known range: each token has its own scale."""
        draw = self.draw
        highest = draw.add_node("ReduceMax", rows, axes=[-1], keepdims=1)
        highest = draw.add_node("Max", highest, self._add_float(_GELU_RANGE))
        scale, zero = self._add_float(1 / _GELU_STEPS), self._add_byte(_GELU_ZERO)
        found = draw.add_node("QuantizeLinear", draw.add_node("Div", rows, highest), scale, zero)
        matrix = self._source.matrices[layer]
        weights = self._add_weight(f"{matrix}_q"), scale, self._add_columns([matrix]), zero
        return draw.add_node("Mul", draw.add_node("MatMulIntegerToFloat", found, *weights, domain=MICROSOFT), highest)

    def _add_residual(self, name: str, made: str, rows: str) -> str:
        bias, norm = self._add_weight(f"{name}.dense.bias"), self._add_norm_weights(f"{name}.LayerNorm")
        return self.draw.add_node("SkipLayerNormalization", made, rows, *norm, bias, domain=MICROSOFT, epsilon=EPSILON)

    def _add_columns(self, matrices: Sequence[str]) -> str:
        scales = self._join([f"{name}_scale" for name in matrices], axis=1)
        return self.draw.add_node("Reshape", scales, self.draw.add_int64(-1))

    def _add_norm_weights(self, name: str) -> list[str]:
        return [self._add_weight(f"{name}.{part}") for part in ("weight", "bias")]

    def _join(self, names: Sequence[str], *, axis: int) -> str:
        """Weights joined along an axis; ONNX Runtime does it once, when the graph is loaded."""
        added = [self._add_weight(name) for name in names]
        return added[0] if len(added) == 1 else self.draw.add_node("Concat", *added, axis=axis)

    def _add_weight(self, name: str) -> str:
        return self.draw.add_weight(name, self._source.weights[name])

    def _add_float(self, value: float) -> str:
        return self.draw.add_constant(np.array(value, dtype=np.float32))

    def _add_byte(self, value: int) -> str:
        return self.draw.add_constant(np.array(value, dtype=np.uint8))

"""Graph of MiniLM with int8 matrix products: the package's weights, nearly the same vectors, half the time.

The package's model holds int8 weights and a graph that converts them to float32 first, 42 MB to read for every message.
This graph multiplies in int8. Each activation is split into a coarse and a fine part of seven bits, fourteen in total,
which keeps the cosine to the float graph at 0.99997 and above. Seven bits, not eight: processors with AVX2 but without
VNNI add two products in sixteen bits, where 2 · 127 · 127 fits and 2 · 255 · 127 does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from training._graph_builder import MICROSOFT, Array, GraphBuilder

WIDTH: Final = 384
LAYERS: Final = 6
HEADS: Final = 12
EPSILON: Final = 1e-12
_COARSE: Final = np.array(1 / 63, dtype=np.float32)
_FINE: Final = np.array(1 / 126, dtype=np.float32)
_ZERO_POINT: Final = np.array(64, dtype=np.uint8)
EMBEDDINGS: Final = "inner.embeddings"
# Tables that are read by token and position, outside of the graph.
TABLES: Final = (
    f"{EMBEDDINGS}.word_embeddings.weight_q",
    f"{EMBEDDINGS}.word_embeddings.weight_scale",
    f"{EMBEDDINGS}.position_embeddings.weight_q",
    f"{EMBEDDINGS}.position_embeddings.weight_scale",
    f"{EMBEDDINGS}.token_type_embeddings.weight",
)


@dataclass(frozen=True, slots=True)
class SourceModel:
    """Weights of the package's model by name, and the matrix of each layer by the layer's name."""

    weights: dict[str, Array]
    matrices: dict[str, str]
    raw: dict[str, bytes] = field(repr=False)


def read_source(file: Path) -> SourceModel:
    """Read the package's model file."""
    graph = onnx.load_model(file).graph
    products = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    added = [node.input for node in graph.node if node.op_type == "Add"]
    # Matrices have numbers for names; the bias added to their product carries the layer's name.
    matrices = {inputs[1]: products[inputs[0]] for inputs in added if inputs[0] in products}
    return SourceModel(
        {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer},
        {bias.removesuffix(".bias"): matrix for bias, matrix in matrices.items()},
        {tensor.name: tensor.raw_data for tensor in graph.initializer},
    )


def build_minilm_graph(source: SourceModel) -> tuple[bytes, tuple[str, ...]]:
    """Build the graph; returns it with the names of the weights it needs."""
    draw = GraphBuilder("model.onnx")
    layers = _Layers(draw, source)
    rows = draw.add_node(
        "LayerNormalization", "rows", *layers.add_norm(f"{EMBEDDINGS}.LayerNorm"), axis=-1, epsilon=EPSILON
    )
    for layer in range(LAYERS):
        rows = layers.add_layer(f"inner.encoder.layer.{layer}", rows)
    inputs: dict[str, tuple[int, Sequence[int | str]]] = {
        "rows": (TensorProto.FLOAT, ("texts", "tokens", WIDTH)),
        "mask": (TensorProto.INT32, ("texts", "tokens")),
    }
    return draw.to_bytes(inputs, rows), draw.external_weights


@dataclass(frozen=True, slots=True)
class _Layers:
    draw: GraphBuilder
    source: SourceModel

    def add_layer(self, name: str, rows: str) -> str:
        draw = self.draw
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        asked = draw.add_multi_output_node(
            "Split", [self._add_int8_matmul(parts, rows), draw.add_int64(*[WIDTH] * 3)], 3, axis=-1
        )
        bias = self._join([f"{part}.bias" for part in parts], axis=0)
        heard = draw.add_node("MultiHeadAttention", *asked, bias, "mask", domain=MICROSOFT, num_heads=HEADS)
        rows = self._add_projection(f"{name}.attention.output", heard, rows)
        wide = f"{name}.intermediate.dense"
        bias = self._add_weight(f"{wide}.bias")
        inner = draw.add_node("BiasGelu", self._add_int8_matmul([wide], rows), bias, domain=MICROSOFT)
        return self._add_projection(f"{name}.output", inner, rows)

    def add_norm(self, name: str) -> list[str]:
        return [self._add_weight(f"{name}.{part}") for part in ("weight", "bias")]

    def _add_projection(self, name: str, found: str, rows: str) -> str:
        """Project back to the model width, add the residual, normalise."""
        bias = self._add_weight(f"{name}.dense.bias")
        made = self._add_int8_matmul([f"{name}.dense"], found)
        norm = self.add_norm(f"{name}.LayerNorm")
        return self.draw.add_node("SkipLayerNormalization", made, rows, *norm, bias, domain=MICROSOFT, epsilon=EPSILON)

    def _add_int8_matmul(self, layers: Sequence[str], rows: str) -> str:
        """Int8 product without the bias, of the coarse and the fine part in one call; layers are joined by column."""
        draw = self.draw
        middle, finer = draw.add_constant(_ZERO_POINT), draw.add_constant(_FINE)
        highest = draw.add_node("ReduceMax", draw.add_node("Abs", rows), keepdims=0)
        scale = draw.add_node("Mul", highest, draw.add_constant(_COARSE))
        coarse = draw.add_node("QuantizeLinear", rows, scale, middle)
        rest = draw.add_node("Sub", rows, draw.add_node("DequantizeLinear", coarse, scale, middle))
        fine = draw.add_node("QuantizeLinear", rest, draw.add_node("Mul", scale, finer), middle)
        both = draw.add_node("Concat", coarse, fine, axis=0)
        matrices = [self.source.matrices[layer] for layer in layers]
        matrix = self._join([f"{name}_q" for name in matrices], axis=1)
        scales = self._join([f"{name}_scale" for name in matrices], axis=1)
        columns = draw.add_node("Reshape", scales, draw.add_int64(-1))
        made = draw.add_node("MatMulIntegerToFloat", both, matrix, scale, columns, middle, domain=MICROSOFT)
        first, second = draw.add_multi_output_node("Split", [made], 2, axis=0)
        return draw.add_node("Add", first, draw.add_node("Mul", second, finer))

    def _join(self, names: Sequence[str], *, axis: int) -> str:
        """Weights joined along an axis; ONNX Runtime does it once, when the graph is loaded."""
        added = [self._add_weight(name) for name in names]
        return added[0] if len(added) == 1 else self.draw.add_node("Concat", *added, axis=axis)

    def _add_weight(self, name: str) -> str:
        return self.draw.add_weight(name, self.source.weights[name])


def locate_weights(source: SourceModel, file: Path, names: Sequence[str]) -> dict[str, tuple[str, list[int], int]]:
    """Type, shape and byte offset of weights in the package's model file."""
    content = file.read_bytes()
    found: dict[str, tuple[str, list[int], int]] = {}
    for name in names:
        values = source.weights[name]
        # Equal bytes are equal weights, so the first place that holds them will do.
        found[name] = (values.dtype.str, list(values.shape), content.index(source.raw[name]))
    return found

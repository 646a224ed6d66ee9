"""Graph of MiniLM in float32: the package's int8 weights, converted when the graph is loaded, and fused layers.

For processors that do not multiply bytes of eight bits exactly (x86-64 without VNNI): there two products of seven bits
take longer than one in float32 (a batch of sixteen examples 125 ms, 79 in float32; 24 tokens 11.4 and 9.0), and one of
eight bits, widened to sixteen, is as fast for a message, slower for batches (94 ms) and less exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import onnx
from onnx import TensorProto, numpy_helper

from training._graph_builder import MICROSOFT, Array, GraphBuilder

WIDTH: Final = 384
LAYERS: Final = 6
HEADS: Final = 12
EPSILON: Final = 1e-12
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
            "Split", [self._add_matmul(parts, rows), draw.add_int64(*[WIDTH] * 3)], 3, axis=-1
        )
        bias = self._join([f"{part}.bias" for part in parts], axis=0)
        heard = draw.add_node("MultiHeadAttention", *asked, bias, "mask", domain=MICROSOFT, num_heads=HEADS)
        rows = self._add_projection(f"{name}.attention.output", heard, rows)
        wide = f"{name}.intermediate.dense"
        bias = self._add_weight(f"{wide}.bias")
        inner = draw.add_node("BiasGelu", self._add_matmul([wide], rows), bias, domain=MICROSOFT)
        return self._add_projection(f"{name}.output", inner, rows)

    def add_norm(self, name: str) -> list[str]:
        return [self._add_weight(f"{name}.{part}") for part in ("weight", "bias")]

    def _add_projection(self, name: str, found: str, rows: str) -> str:
        """Project back to the model width, add the residual, normalise."""
        bias = self._add_weight(f"{name}.dense.bias")
        made = self._add_matmul([f"{name}.dense"], found)
        norm = self.add_norm(f"{name}.LayerNorm")
        return self.draw.add_node("SkipLayerNormalization", made, rows, *norm, bias, domain=MICROSOFT, epsilon=EPSILON)

    def _add_matmul(self, layers: Sequence[str], rows: str) -> str:
        """Product without the bias; layers are joined by column. ONNX Runtime converts their weights once."""
        draw = self.draw
        matrices = [self.source.matrices[layer] for layer in layers]
        whole = draw.add_node("Cast", self._join([f"{name}_q" for name in matrices], axis=1), to=TensorProto.FLOAT)
        scales = self._join([f"{name}_scale" for name in matrices], axis=1)
        return draw.add_node("MatMul", rows, draw.add_node("Mul", whole, scales))

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

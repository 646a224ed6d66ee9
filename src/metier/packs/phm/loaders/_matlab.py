"""MATLAB files up to version 7: how many numbers they state, and the arrays within their structs and cells.

SciPy lists the shape of a struct or cell, not what lies in it, so a small file could unpack to any size.
"""

import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, Protocol

import numpy as np

_HEADER_BYTES: Final = 128
_MATRIX, _COMPRESSED = 14, 15
_CONTAINERS: Final = (1, 2, 3)  # cell, struct, object
_COMPLEX: Final = 0x0800
_CHUNK: Final = 1 << 20
_MAX_DEPTH: Final = 8


class _Source(Protocol):
    def read(self, count: int, /) -> bytes: ...


def list_sizes(path: Path) -> Iterator[int]:
    """Numbers of each array as its header states them, also within structs and cells, before the array is read."""
    from scipy.io import whosmat

    listed = whosmat(path)
    if not any(kind in ("cell", "struct", "object") for _, _, kind in listed):
        yield from (math.prod(shape) for _, shape, _ in listed)
        return
    with path.open("rb") as file:
        start = file.read(_HEADER_BYTES)
        order = "<" if start[126:128] == b"IM" else ">"
        while len(tag := file.read(8)) == 8:
            kind, size = struct.unpack(f"{order}II", tag)
            end = file.tell() + size
            source: _Source = file
            if kind == _COMPRESSED:
                source = _Inflated(file, size)
                kind, size = struct.unpack(f"{order}II", source.read(8))
            if kind == _MATRIX:
                yield from _list_sizes(source, size, order)
            file.seek(end)


def list_arrays(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Arrays and scalars of a variable by name; fields of a struct and elements of a cell are `name/field`."""
    array = np.asarray(value)
    if depth > _MAX_DEPTH or (array.dtype.names is None and array.dtype.kind != "O"):
        yield name, value
    elif array.dtype.names is not None:
        for at, one in enumerate(array.ravel()):
            prefix = name if array.size == 1 else f"{name}/{at + 1}"
            for field in array.dtype.names:
                yield from list_arrays(f"{prefix}/{field}", one[field], depth + 1)
    elif array.ndim == 0:
        yield from list_arrays(name, array.item(), depth + 1)
    else:
        for at, one in enumerate(array.ravel()):
            yield from list_arrays(f"{name}/{at + 1}", one, depth + 1)


class _Inflated:
    """Reads what a compressed element holds, a chunk at a time."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file, self._left = file, size
        self._inflate = zlib.decompressobj()
        self._ready = b""

    def read(self, count: int, /) -> bytes:
        while len(self._ready) < count:
            packed = self._inflate.unconsumed_tail or self._file.read(min(_CHUNK, self._left))
            if not packed:
                break
            if not self._inflate.unconsumed_tail:
                self._left -= len(packed)
            self._ready += self._inflate.decompress(packed, _CHUNK)
        found, self._ready = self._ready[:count], self._ready[count:]
        return found


def _list_sizes(source: _Source, size: int, order: str, depth: int = 0) -> Iterator[int]:
    """Numbers of a matrix whose tag was read; of a struct or cell those of its parts."""
    if size == 0 or depth > _MAX_DEPTH:
        _skip(source, size)
        return
    flags, used = _read_element(source, order)
    shape, more = _read_element(source, order)
    used += more
    word = struct.unpack(f"{order}I", flags[:4])[0]
    if word & 0xFF not in _CONTAINERS:
        sides = struct.unpack(f"{order}{len(shape) // 4}i", shape)
        yield math.prod(max(side, 0) for side in sides) * (2 if word & _COMPLEX else 1)
        _skip(source, size - used)
        return
    while used + 8 <= size:
        kind, length = struct.unpack(f"{order}II", source.read(8))
        used += 8
        if kind >> 16:  # a small element lies within its tag
            continue
        if kind == _MATRIX:
            yield from _list_sizes(source, length, order, depth + 1)
            used += length
        else:
            _skip(source, _pad(length))
            used += _pad(length)


def _read_element(source: _Source, order: str) -> tuple[bytes, int]:
    """Data of a short element and the bytes it takes; one of up to four bytes may lie within its tag."""
    tag = source.read(8)
    kind, length = struct.unpack(f"{order}II", tag)
    if kind >> 16:
        return tag[4 : 4 + (kind >> 16)], 8
    if length > _CHUNK:
        raise ValueError("the header of an array is larger than any")
    return source.read(_pad(length))[:length], 8 + _pad(length)


def _skip(source: _Source, count: int) -> None:
    while count > 0:
        got = len(source.read(min(count, _CHUNK)))
        if not got:
            raise EOFError("the file ends within an array")
        count -= got


def _pad(length: int) -> int:
    return -(-length // 8) * 8

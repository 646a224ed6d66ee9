"""MATLAB files up to version 7: how many numbers they state, and the arrays within their structs and cells.

SciPy lists the shape of a struct or cell, not what lies in it, so a small file could unpack to any size. It
also follows cells within cells without a limit, and reads on past the size that an array states: what is not exactly
as the format says is refused here.
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
_CELL, _STRUCT, _OBJECT = 1, 2, 3
_TEXT, _SPARSE = 4, 5
_NUMBERS: Final = range(4, 16)  # text, sparse, floats and integers; beyond are function handles and objects of classes
_LEAST_NUMBERS: Final = 16  # an array takes this much in memory even if it is empty
_FLAG_BYTES: Final = 16
_COMPLEX: Final = 0x0800
_CHUNK: Final = 1 << 20
_MAX_DEPTH: Final = 8


class _Source(Protocol):
    def read(self, count: int, /) -> bytes: ...


class UnreadableMatlab(ValueError):
    """What a file holds is no record, or lies deeper than any record does; the words follow the name of the file."""


def list_sizes(path: Path) -> Iterator[int]:
    """Numbers of each array as its header states them, also within structs and cells, before the array is read."""
    from scipy.io import whosmat
    from scipy.io.matlab import matfile_version

    if matfile_version(path)[0] != 1:  # version 4 has neither structs nor compression
        yield from (math.prod(shape) for _, shape, _ in whosmat(path))
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
        self._ready, self._at = b"", 0

    def read(self, count: int, /) -> bytes:
        while len(self._ready) - self._at < count:
            packed = self._inflate.unconsumed_tail or self._file.read(min(_CHUNK, self._left))
            if not packed:
                break
            if not self._inflate.unconsumed_tail:
                self._left -= len(packed)
            self._ready, self._at = self._ready[self._at :] + self._inflate.decompress(packed, _CHUNK), 0
        found = self._ready[self._at : self._at + count]
        self._at += len(found)
        return found


def _list_sizes(source: _Source, size: int, order: str, depth: int = 0) -> Iterator[int]:
    """Numbers of a matrix whose tag was read; of a struct or cell its places and those of its parts."""
    yield _LEAST_NUMBERS
    if size == 0:
        return
    kind, is_complex, count, used = _read_header(source, order)
    if kind in _NUMBERS:
        yield count * (2 if is_complex else 1)
        if depth:  # SciPy reads the next one where the data of this one end; outside it goes by the sizes
            stored = 1 + (3 if kind == _SPARSE else 1) + (is_complex and kind != _TEXT)
            used += sum(_skip_element(source, order) for _ in range(stored))
            _check_end(used, size)
        return
    if depth == _MAX_DEPTH:
        raise UnreadableMatlab(f"has cells or structs more than {_MAX_DEPTH} deep")
    used += _skip_element(source, order)  # the name
    fields, more = (1, 0) if kind == _CELL else _read_fields(source, order, is_object=kind == _OBJECT)
    used += more
    yield count * max(fields, 1)
    for _ in range(count * fields):
        tag, length = struct.unpack(f"{order}II", source.read(8))
        if tag != _MATRIX:
            raise ValueError("a cell or struct holds less than it states")
        yield from _list_sizes(source, length, order, depth + 1)
        used += 8 + length
    if depth:
        _check_end(used, size)


def _read_header(source: _Source, order: str) -> tuple[int, bool, int, int]:
    """Class of an array, whether it is complex, how many places it has, and the bytes that say so."""
    flags, used = _read_element(source, order)
    if used != _FLAG_BYTES:
        raise ValueError("the flags of an array are not as the format says")
    word = struct.unpack(f"{order}I", flags[:4])[0]
    kind = word & 0xFF
    if kind not in (_CELL, _STRUCT, _OBJECT, *_NUMBERS):
        raise UnreadableMatlab("holds a function handle or an object of a class")
    shape, more = _read_element(source, order)
    sides = struct.unpack(f"{order}{len(shape) // 4}i", shape)
    if any(side < 0 for side in sides):
        raise ValueError("a side of an array is negative")
    return kind, bool(word & _COMPLEX), math.prod(sides), used + more


def _read_fields(source: _Source, order: str, *, is_object: bool) -> tuple[int, int]:
    """How many fields a struct has, and the bytes that their names take."""
    used = _skip_element(source, order) if is_object else 0
    width, more = _read_element(source, order)
    names, most = _read_element(source, order)
    each = struct.unpack(f"{order}i", width)[0]
    if each <= 0:
        raise ValueError("the fields of a struct have no names")
    return len(names) // each, used + more + most


def _check_end(used: int, size: int) -> None:
    if used != size:
        raise ValueError("an array is not as long as it states")


def _skip_element(source: _Source, order: str) -> int:
    """Skip an element; returns the bytes it takes."""
    kind, length = struct.unpack(f"{order}II", source.read(8))
    if kind >> 16:  # a small element lies within its tag
        return 8
    _skip(source, _pad(length))
    return 8 + _pad(length)


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

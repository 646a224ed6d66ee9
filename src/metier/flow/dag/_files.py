"""Where values are kept: in memory, and as `.npy` files of the run that survive the process. Nothing is pickled."""

import json
import os
import struct
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.lib import format as npy

from metier.clock import random_id
from metier.errors import InvalidInput
from metier.flow.dag._value import Axis, Value
from metier.json_values import JsonInvalid, JsonObject, load_json

_END: Final = struct.Struct("<Q8s")
_MARK: Final = b"metier-1"
_MAX_MEMORY_BYTES: Final = 128 * 1024 * 1024
_MAP_FROM_BYTES: Final = 8 * 1024 * 1024  # larger arrays are mapped, not read
# Up to here a file is written under its own name: until its end is there it counts as missing. To rename it afterwards
# took longer than all else that is done for a small node.
_IN_PLACE_BYTES: Final = 1024 * 1024


class ValueStore:
    """Values by digest, shared by all DAGs of a run; without a folder they are kept in memory only.

    A value whose file is cut short or cannot be read counts as missing, so it is computed again.
    """

    __slots__ = ("_bytes", "_claims", "_folder", "_lock", "_max_bytes", "_recent")

    def __init__(self, folder: Path | None = None, *, max_memory_bytes: int = _MAX_MEMORY_BYTES) -> None:
        self._folder = None if folder is None else str(folder)
        self._max_bytes = max_memory_bytes
        self._recent: OrderedDict[str, Value] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        self._claims: dict[str, tuple[Lock, int]] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def put(self, digest: str, value: Value) -> None:
        """Store a value that `get` did not find; with a folder it is written before this returns."""
        if self._folder is not None:
            _write_value(self._folder, digest, value)
        self._remember(digest, value)

    def get(self, digest: str) -> Value | None:
        """Stored value; None if it is not there."""
        with self._lock:
            found = self._recent.get(digest)
            if found is not None:
                self._recent.move_to_end(digest)
                return found
        if self._folder is None:
            return None
        read = _read_value(self._folder, digest)
        if read is not None:
            self._remember(digest, read)
        return read

    @contextmanager
    def claim(self, digest: str) -> Iterator[None]:
        """Compute a value alone: whoever asks for the same one meanwhile waits and then finds it stored."""
        with self._lock:
            lock, waiting = self._claims.get(digest, (Lock(), 0))
            self._claims[digest] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                _, waiting = self._claims.pop(digest)
                if waiting > 1:
                    self._claims[digest] = (lock, waiting - 1)

    def _remember(self, digest: str, value: Value) -> None:
        with self._lock:
            if digest in self._recent:
                return
            self._recent[digest] = value
            self._bytes += value.array.nbytes
            while self._folder is not None and self._bytes > self._max_bytes and len(self._recent) > 1:
                self._bytes -= self._recent.popitem(last=False)[1].array.nbytes


def _write_value(folder: str, digest: str, value: Value) -> None:
    """Write an array with its description behind it: one file, which readers of `.npy` read as it is."""
    array = np.asarray(value.array, order="C")
    told = json.dumps(value.describe(), ensure_ascii=False).encode()
    parts = (_build_header(array.dtype.str, array.shape), array.data, told, _END.pack(len(told), _MARK))
    file = f"{folder}/{digest}.npy"
    if array.nbytes <= _IN_PLACE_BYTES:
        try:
            _write_parts(file, [b"".join(parts)])
        except FileExistsError:
            pass
        else:
            return
    partial = f"{folder}/.{digest[:24]}.{random_id()[:12]}"
    _write_parts(partial, parts)
    os.replace(partial, file)  # noqa: PTH105 - a run has many small files: paths as objects cost as much as they


@lru_cache(maxsize=256)  # nodes of a run have few shapes
def _build_header(dtype: str, shape: tuple[int, ...]) -> bytes:
    head = BytesIO()
    npy.write_array_header_1_0(head, {"descr": dtype, "fortran_order": False, "shape": shape})
    return head.getvalue()


def _write_parts(file: str, parts: Sequence[bytes | memoryview]) -> None:
    """Write a new file, unbuffered: parts are few and large."""
    with open(file, "xb", buffering=0) as opened:  # noqa: PTH123 - as above
        for part in parts:
            rest = memoryview(part).cast("B")
            while rest:
                rest = rest[opened.write(rest) :]


def _read_value(folder: str, digest: str) -> Value | None:
    file = f"{folder}/{digest}.npy"
    try:
        told = _read_description(file)
        mapped = os.stat(file).st_size > _MAP_FROM_BYTES  # noqa: PTH116 - as above
        array = np.load(file, mmap_mode="r" if mapped else None, allow_pickle=False)
        axis, notes, dims = told.get("axis"), told.get("notes"), told.get("dims")
        return Value(
            array,
            tuple(map(str, dims)) if isinstance(dims, list) else (),
            Axis.from_json(axis) if isinstance(axis, Mapping) else None,
            str(told.get("unit", "")),
            str(told.get("kind", "")),
            notes if isinstance(notes, Mapping) else {},
        )
    except (OSError, ValueError, EOFError, KeyError, JsonInvalid, InvalidInput):
        return None


def _read_description(path: str) -> JsonObject:
    """Description behind the array; raises `ValueError` for a file cut short."""
    with open(path, "rb") as file:  # noqa: PTH123 - as above
        end = file.seek(-_END.size, 2)
        length, mark = _END.unpack(file.read(_END.size))
        if mark != _MARK or not 0 < length <= end:
            raise ValueError("the file is cut short")
        file.seek(end - length)
        told = load_json(file.read(length).decode())
    if not isinstance(told, Mapping):
        raise ValueError("the file has no description")
    return told

"""Readers by file format; each gives named arrays. What cannot be read is `InvalidInput` with the reason."""

import struct
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from metier.errors import InvalidInput, PathNotFound
from metier.packs.phm.loaders._channels import RecordFile, build_file

if TYPE_CHECKING:
    import h5py

_HDF5: Final = b"\x89HDF\r\n\x1a\n"
_BROKEN: Final = (OSError, ValueError, TypeError, KeyError, IndexError, EOFError, zlib.error, struct.error, MemoryError)


def read_file(path: Path) -> RecordFile:
    """Read all channels of a file."""
    reader = _READERS.get(path.suffix.lower())
    if not path.is_file():
        raise PathNotFound(f"there is no file {path.name!r}", hint="give the path of a record")
    if reader is None:
        raise InvalidInput(f"{path.name!r} is no record", hint=f"known formats: {', '.join(SUFFIXES)}")
    try:
        found = reader(path)
    except InvalidInput:
        raise
    except _BROKEN as error:
        raise InvalidInput(
            f"{path.name!r} cannot be read: {error}"[:300], hint="it may be cut off; copy it again"
        ) from error
    if not found.channels:
        raise InvalidInput(f"{path.name!r} holds no channel of samples", hint="a channel is an array of numbers")
    return found


def _read_mat(path: Path) -> RecordFile:
    """MATLAB up to version 7 by SciPy; version 7.3 is HDF5."""
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    with path.open("rb") as file:
        start = file.read(1024)
    if _HDF5 in start or b"MATLAB 7.3" in start[:128]:
        return _read_hdf5(path)
    try:
        stored = loadmat(path, squeeze_me=True)
    except MatReadError as error:
        raise InvalidInput(f"{path.name!r} cannot be read: {error}", hint="it may be cut off; copy it again") from error
    except NotImplementedError:
        return _read_hdf5(path)
    return build_file({name: value for name, value in stored.items() if not name.startswith("__")})


def _read_hdf5(path: Path) -> RecordFile:
    import h5py

    with h5py.File(path, "r") as file:
        arrays = dict(_walk_datasets(file))
        facts = {name: _to_fact(value) for name, value in file.attrs.items()}
    return build_file({**{name: value for name, value in facts.items() if value is not None}, **arrays})


def _walk_datasets(group: "h5py.Group", prefix: str = "") -> Iterator[tuple[str, object]]:
    import h5py

    for name, item in group.items():
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiub":
            yield f"{prefix}{name}", item[()]
            for key, value in item.attrs.items():
                fact = _to_fact(value)
                if fact is not None and key.lower() in ("fs", "rpm", "sample_rate"):
                    yield key, fact
        elif isinstance(item, h5py.Group) and not name.startswith("#"):
            yield from _walk_datasets(item, f"{prefix}{name}/")


def _to_fact(value: object) -> float | str | None:
    if isinstance(value, bytes | str):
        return value.decode() if isinstance(value, bytes) else value
    array = np.asarray(value)
    return float(array.ravel()[0]) if array.size == 1 and array.dtype.kind in "fiu" else None


def _read_text(path: Path) -> RecordFile:
    """Columns separated by comma, semicolon, tab or blanks; a header line gives their names."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        first = file.readline()
        while first.startswith("#"):
            first = file.readline()
    delimiter = next((one for one in (";", "\t", ",") if one in first), None)
    names = [one.strip().strip('"') for one in (first.split(delimiter) if delimiter else first.split())]
    has_header = not all(_is_number(one) for one in names if one)
    skip = _count_comments(path) + has_header
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows of another length are left out; a file without any has no channel
        values = np.genfromtxt(path, delimiter=delimiter, skip_header=skip, encoding="utf-8-sig", invalid_raise=False)
    table = np.atleast_2d(values.T if values.ndim > 1 else values)
    heads = names if has_header and len(names) == len(table) else [f"column_{at + 1}" for at in range(len(table))]
    return build_file({head: column for head, column in zip(heads, table, strict=True) if np.isfinite(column).any()})


def _count_comments(path: Path) -> int:
    count = 0
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line in file:
            if not line.startswith("#"):
                break
            count += 1
    return count


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _read_wav(path: Path) -> RecordFile:
    from scipy.io import wavfile

    rate, samples = wavfile.read(path)
    scale = 1.0 if samples.dtype.kind == "f" else float(np.iinfo(samples.dtype).max)
    columns = np.atleast_2d(samples.T).astype(np.float64) / scale
    return build_file({f"channel_{at + 1}": column for at, column in enumerate(columns)}, float(rate))


def _read_numpy(path: Path) -> RecordFile:
    stored = np.load(path, allow_pickle=False)
    if isinstance(stored, np.ndarray):
        return build_file({"signal": stored})
    with stored:
        return build_file({name: stored[name] for name in stored.files})


def _read_parquet(path: Path) -> RecordFile:
    from pyarrow import parquet

    table = parquet.read_table(path)
    facts = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items() if len(value) < 100}
    numbers = {key: float(value) for key, value in facts.items() if _is_number(value)}
    columns = {name: table.column(name).to_numpy() for name in table.column_names}
    return build_file({**numbers, **columns})


_READERS: Mapping[str, Callable[[Path], RecordFile]] = MappingProxyType(
    {
        ".mat": _read_mat,
        ".csv": _read_text,
        ".txt": _read_text,
        ".wav": _read_wav,
        ".npz": _read_numpy,
        ".npy": _read_numpy,
        ".h5": _read_hdf5,
        ".hdf5": _read_hdf5,
        ".parquet": _read_parquet,
    }
)
SUFFIXES: Final = tuple(_READERS)

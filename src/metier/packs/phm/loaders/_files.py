"""Readers by file format; each gives named arrays. What cannot be read is `InvalidInput` with the reason."""

import codecs
import io
import math
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Final

import numpy as np

from metier.archives import open_zip
from metier.errors import InvalidInput, PathNotFound
from metier.packs.phm.loaders._channels import RecordFile, build_file
from metier.packs.phm.loaders._hdf5 import UnreadableHdf5, list_datasets, read_arrays, to_fact
from metier.packs.phm.loaders._matlab import UnreadableMatlab, list_arrays, list_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow.parquet import ParquetFile

_NUMBER_BYTES: Final = 8  # channels are double precision in memory
_MAX_BYTES: Final = 300_000_000  # ten minutes at 51.2 kHz are 246 MB in memory
_MAX_TIMES_FILE: Final = 16  # a larger record takes this many times its file at most: more is no measurement
_MAX_ARRAYS: Final = 200
_HEADER_BYTES: Final = 1 << 16
_HDF5: Final = b"\x89HDF\r\n\x1a\n"
_BROKEN: Final = (
    *(OSError, ValueError, TypeError, KeyError, IndexError, EOFError, MemoryError, RuntimeError),
    *(zlib.error, zipfile.BadZipFile, struct.error),
)


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
        raise _refuse_broken(path, error) from error
    if not found.channels:
        raise InvalidInput(f"{path.name!r} holds no channel of samples", hint="a channel is an array of numbers")
    return found


def _refuse_broken(path: Path, error: BaseException) -> InvalidInput:
    """The same sentence for all formats; what the library says is a detail in brackets."""
    detail = " ".join(str(error).split())[:200] or type(error).__name__
    message = f"{path.name!r} cannot be read: the file is cut off or damaged ({detail})"
    return InvalidInput(message, hint="copy or export the file again")


def _read_mat(path: Path) -> RecordFile:
    """MATLAB up to version 7 by SciPy; version 7.3 is HDF5."""
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    with path.open("rb") as file:
        start = file.read(1024)
    if _HDF5 in start or b"MATLAB 7.3" in start[:128]:
        return _read_hdf5(path)
    try:
        for total in accumulate(list_sizes(path)):
            _check_bytes(path, total * _NUMBER_BYTES)
        stored = loadmat(path, squeeze_me=True)
    except UnreadableMatlab as error:
        hint = "store the samples as arrays of numbers, in structs or cells if need be"
        raise InvalidInput(f"{path.name!r} {error}", hint=hint) from error
    except MatReadError as error:
        raise _refuse_broken(path, error) from error
    except NotImplementedError:
        return _read_hdf5(path)
    named = {name: value for name, value in stored.items() if not name.startswith("__")}
    return build_file({name: value for key, one in named.items() for name, value in list_arrays(key, one)})


def _read_hdf5(path: Path) -> RecordFile:
    import h5py

    with h5py.File(path, "r") as file:
        try:
            found = list_datasets(file)
        except UnreadableHdf5 as error:
            hint = "store the samples as arrays in the file itself"
            raise InvalidInput(f"{path.name!r} {error}", hint=hint) from error
        _check_bytes(path, sum(int(one.size or 0) * _NUMBER_BYTES for _, one in found))
        arrays = dict(read_arrays(found))
        facts = {name: to_fact(value) for name, value in file.attrs.items()}
    return build_file({**{name: value for name, value in facts.items() if value is not None}, **arrays})


def _read_text(path: Path) -> RecordFile:
    """Columns separated by comma, semicolon, tab or blanks; a header line gives their names.

    Beside a semicolon or a tab a comma is that of a number, as many loggers write it.
    """
    encoding = _find_encoding(path)
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        skip, first = 0, file.readline()
        while first.startswith("#"):
            skip, first = skip + 1, file.readline()
        second = file.readline()
    delimiter = next((one for one in (";", "\t", ",") if one in first), None)
    has_comma = delimiter in (";", "\t") and "," in second
    names = [one.strip().strip('"') for one in (first.split(delimiter) if delimiter else first.split())]
    has_header = not all(_is_number(one.replace(",", ".") if has_comma else one) for one in names if one)
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        try:
            table = _read_table(file, delimiter, skip + has_header, has_comma=has_comma).T
        except ValueError:
            file.seek(0)
            table = _read_table(file, delimiter, skip + has_header, has_comma=has_comma, is_loose=True).T
    heads = names if has_header and len(names) == len(table) else [f"column_{at + 1}" for at in range(len(table))]
    return build_file({head: column for head, column in zip(heads, table, strict=True) if np.isfinite(column).any()})


def _read_table(
    file: Iterable[str], delimiter: str | None, skip: int, *, has_comma: bool, is_loose: bool = False
) -> "NDArray[np.float64]":
    """Rows of a table. Loosely, cells that are no numbers are NaN and rows of another length are left out.

    The strict way is ten times as fast and takes a tenth of the memory.
    """
    lines = (one.replace(",", ".") for one in file) if has_comma else file
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a file without any row has no channel
        if not is_loose:
            return np.loadtxt(lines, delimiter=delimiter, skiprows=skip, ndmin=2)
        values = np.genfromtxt(lines, delimiter=delimiter, skip_header=skip, invalid_raise=False)
    return values if values.ndim > 1 else np.atleast_2d(values).T


def _find_encoding(path: Path) -> str:
    """UTF-8 or, as Chinese spreadsheets write it, GB 18030; UTF-16 by its mark."""
    with path.open("rb") as file:
        start = file.read(65_536)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return "gb18030"
    return "utf-8-sig"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _read_wav(path: Path) -> RecordFile:
    from scipy.io import wavfile

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        rate, samples = wavfile.read(path)
    is_cut = any("prematurely" in str(one.message) for one in told)
    scale = 1.0 if samples.dtype.kind == "f" else float(np.iinfo(samples.dtype).max)
    columns = np.atleast_2d(samples.T).astype(np.float64) / scale
    return build_file({f"channel_{at + 1}": column for at, column in enumerate(columns)}, float(rate), is_cut=is_cut)


def _read_numpy(path: Path) -> RecordFile:
    _check_bytes(path, _measure_numpy(path))
    with path.open("rb") as file:
        stored = np.load(file, allow_pickle=False)
        if isinstance(stored, np.ndarray):
            return build_file({"signal": stored})
        with stored:
            return build_file({name: stored[name] for name in stored.files})


def _measure_numpy(path: Path) -> int:
    """Bytes of all arrays as their headers state them; an array that states less than it has is read no further."""
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            return _measure_array(file)
    total = 0
    with open_zip(path, max_entries=_MAX_ARRAYS, max_bytes=_MAX_BYTES) as archive:
        if not archive.is_plain:
            raise ValueError("its arrays are packed in a way that numpy does not write")
        for entry in archive.entries:
            head = io.BytesIO(archive.read(entry, _HEADER_BYTES))
            total += max(_measure_array(head), entry.file_size)
    return total


def _measure_array(file: IO[bytes]) -> int:
    from numpy.lib import format as npy

    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, kind = read(file)
    return math.prod(shape) * max(kind.itemsize, _NUMBER_BYTES)


def _check_bytes(path: Path, stated: int) -> None:
    """Refuse a file whose arrays state more than the budget, before any of them is read."""
    most = max(_MAX_BYTES, _MAX_TIMES_FILE * path.stat().st_size)
    if stated > most:
        raise InvalidInput(
            f"{path.name!r} states {stated / 1e6:.0f} MB of samples, and {most / 1e6:.0f} MB are the most for it",
            hint="cut the record into shorter ones, or store it uncompressed",
        )


def _read_parquet(path: Path) -> RecordFile:
    from pyarrow import parquet, types

    with parquet.ParquetFile(path) as file:
        schema = file.schema_arrow
        facts = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items() if len(value) < 100}
        numbers = {key: float(value) for key, value in facts.items() if _is_number(value)}
        names = [one.name for one in schema if types.is_floating(one.type) or types.is_integer(one.type)]
        _check_bytes(path, len(names) * file.metadata.num_rows * _NUMBER_BYTES)
        return build_file({**numbers, **{name: _read_column(file, name) for name in names}})


def _read_column(file: "ParquetFile", name: str) -> "NDArray[np.float64]":
    """A column by parts: as a whole it would be in memory three times."""
    column, at = np.empty(file.metadata.num_rows), 0
    for part in file.iter_batches(columns=[name]):
        column[at : at + part.num_rows] = part.column(0).to_numpy(zero_copy_only=False)
        at += part.num_rows
    return column


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

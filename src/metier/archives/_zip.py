"""Read zip archives within bounds, whatever they state about themselves.

`zipfile` bounds what it unpacks of a stored or deflated entry. Of a bzip2 or LZMA entry it unpacks whole blocks,
whatever size is asked for: a few kilobytes become gigabytes. Here each entry is read up to a limit, and all of them
together up to another.
"""

import bz2
import lzma
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Protocol
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

# What is raised for an archive that is damaged, locked, or packed in a way that cannot be read.
UNREADABLE_ARCHIVE: Final = (
    BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)
_CHUNK_BYTES: Final = 1 << 20
_HEADER_BYTES: Final = 30
_ENCRYPTED: Final = 0x1
_MAX_DICTIONARY_BYTES: Final = 64 << 20
_LZMA_HEAD: Final = struct.Struct("<2xHBI")


class ArchiveTooLarge(ValueError):
    """An archive has more entries, or unpacks to more bytes, than its reader takes."""


class _BlockStream(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int = ...) -> bytes: ...


class BoundedZip:
    """An open zip archive with a budget of unpacked bytes that all readings share."""

    def __init__(self, archive: ZipFile, *, max_entries: int, max_bytes: int) -> None:
        self.entries = archive.infolist()
        self._archive = archive
        self._left_bytes = max_bytes
        if len(self.entries) > max_entries:
            raise ArchiveTooLarge(f"it has more than {max_entries} entries")

    @property
    def names(self) -> list[str]:
        """Names of all entries."""
        return [one.filename for one in self.entries]

    @property
    def stated_bytes(self) -> int:
        """Unpacked size as the archive states it."""
        return sum(one.file_size for one in self.entries)

    @property
    def is_plain(self) -> bool:
        """Whether every entry is stored or deflated, so that other programs read it within its stated size too."""
        return all(one.compress_type in (ZIP_STORED, ZIP_DEFLATED) for one in self.entries)

    def read(self, entry: ZipInfo | str, most: int | None = None) -> bytes:
        """Up to `most` bytes of an entry, or all of it."""
        if most is None:
            return b"".join(self.iterate(entry))
        made = bytearray()
        for piece in self.iterate(entry):
            made += piece[: most - len(made)]
            if len(made) >= most:
                break
        return bytes(made)

    def iterate(self, entry: ZipInfo | str) -> Iterator[bytes]:
        """Content of an entry in pieces of up to a megabyte; its checksum is compared at the end."""
        info = self._archive.getinfo(entry) if isinstance(entry, str) else entry
        if info.flag_bits & _ENCRYPTED:
            raise RuntimeError(f"{info.filename} is locked by a password")
        unpack = _unpack_blocks if info.compress_type in (ZIP_BZIP2, ZIP_LZMA) else _unpack_plain
        for piece in unpack(self._archive, info):
            self._left_bytes -= len(piece)
            if self._left_bytes < 0:
                raise ArchiveTooLarge("it unpacks to more than may be read")
            yield piece


@contextmanager
def open_zip(source: Path | IO[bytes], *, max_entries: int, max_bytes: int) -> Iterator[BoundedZip]:
    """Open an archive to read no more than `max_bytes` of it; more entries than `max_entries` are refused."""
    with ZipFile(source) as archive:
        yield BoundedZip(archive, max_entries=max_entries, max_bytes=max_bytes)


def _unpack_plain(archive: ZipFile, info: ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as content:
        while piece := content.read(_CHUNK_BYTES):
            yield piece


def _unpack_blocks(archive: ZipFile, info: ZipInfo) -> Iterator[bytes]:
    packed = _read_packed(archive, info)
    stream: _BlockStream
    if info.compress_type == ZIP_BZIP2:
        stream = bz2.BZ2Decompressor()
    else:
        stream, packed = _open_lzma(packed)
    left, checksum, data = info.file_size, 0, packed
    while left > 0 and not stream.eof:
        piece = stream.decompress(data, max_length=min(left, _CHUNK_BYTES))
        if not piece and stream.needs_input:
            raise EOFError(f"{info.filename} is cut short")
        data, left, checksum = b"", left - len(piece), zlib.crc32(piece, checksum)
        yield piece
    if left or checksum != info.CRC:
        raise BadZipFile(f"{info.filename} is damaged")


def _read_packed(archive: ZipFile, info: ZipInfo) -> bytes:
    """Packed bytes of an entry: its header in the file says where they begin."""
    file = archive.fp
    if file is None:
        raise ValueError("the archive is closed")
    file.seek(info.header_offset)
    head = file.read(_HEADER_BYTES)
    if len(head) < _HEADER_BYTES or not head.startswith(b"PK\x03\x04"):
        raise BadZipFile(f"{info.filename} has no header")
    name_bytes, extra_bytes = struct.unpack("<HH", head[26:30])
    file.seek(name_bytes + extra_bytes, 1)
    return file.read(info.compress_size)


def _open_lzma(packed: bytes) -> tuple[lzma.LZMADecompressor, bytes]:
    size, settings, dictionary_bytes = _LZMA_HEAD.unpack_from(packed)
    if size != 5 or settings >= 9 * 5 * 5 or dictionary_bytes > _MAX_DICTIONARY_BYTES:
        raise BadZipFile("an entry asks for too much memory")
    filters = [
        {
            "id": lzma.FILTER_LZMA1,
            "lc": settings % 9,
            "lp": settings // 9 % 5,
            "pb": settings // 45,
            "dict_size": dictionary_bytes,
        }
    ]
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters), packed[_LZMA_HEAD.size :]


def find_root(folder: Path) -> Path:
    """The only folder at the top of an unpacked archive, or all of it."""
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder

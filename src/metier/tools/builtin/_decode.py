"""Decode bytes to text: detect the encoding, or that they are not text."""

import codecs
import re
from typing import Final, NamedTuple

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Web labels that stand for a superset of the named encoding.
_ENCODING_SUPERSETS: Final = (("gb2312", "gb18030"), ("gbk", "gb18030"), ("iso8859-1", "cp1252"), ("ascii", "cp1252"))
# fmt: off
_ENCODINGS: Final = frozenset((
    "utf-8", "utf-16-le", "utf-16-be", "utf-16", "gb18030", "big5", "big5hkscs", "euc_kr", "cp949", "shift_jis",
    "cp932", "euc_jp", "iso2022_jp", "koi8-r", "koi8-u", "cp866", "cp874", "cp1250", "cp1251", "cp1252",
    "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "iso8859-2", "iso8859-3", "iso8859-4",
    "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-9", "iso8859-10", "iso8859-13", "iso8859-14",
    "iso8859-15", "iso8859-16",
))
# fmt: on
_META: Final = re.compile(
    rb"<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE
)
_XML: Final = re.compile(rb"^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([A-Za-z0-9_.:-]{1,40})")
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_HEAD_BYTES = 4096
_SAMPLE_BYTES = 64 * 1024
_KINDS: Final = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a SQLite database"),
)


class DecodedText(NamedTuple):
    """Text and its encoding; `bom` is true if the bytes began with a byte order mark, which is not in the text."""

    text: str
    encoding: str
    bom: bool = False


def detect_binary_kind(data: bytes) -> str | None:
    """Return a description of binary data, such as 'a PDF document'; None for text."""
    for magic, kind in _KINDS:
        if data.startswith(magic):
            return kind
    if any(data.startswith(mark) for mark, _ in _BOMS):
        return None
    return "binary data" if b"\x00" in data[:_SAMPLE_BYTES] else None


def decode_file(data: bytes, *, cut: bool = False) -> DecodedText | None:
    """Decode a file: by its BOM, else UTF-8, else GB18030 (the default of Chinese editors), else by detection.

    `cut` means the bytes end at a size limit, perhaps inside a character. Returns None if they are not text.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return DecodedText(data[len(mark) :].decode(encoding, "replace"), encoding, bom=True)
    for encoding in ("utf-8", "gb18030"):
        text = _try_decode(data, encoding, cut=cut)
        if text is not None:
            return DecodedText(text, encoding)
    if _CONTROLS.search(data[:_SAMPLE_BYTES]):
        return None
    guessed = _guess_encoding(data[:_SAMPLE_BYTES])
    return DecodedText(data.decode(guessed, "replace"), guessed)


def decode_page(data: bytes, declared: str | None) -> DecodedText:
    """Decode a web page: by its BOM, the HTTP header, the page's own declaration, or detection, in this order."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return DecodedText(data[len(mark) :].decode(encoding, "replace"), encoding, bom=True)
    head = data[:_HEAD_BYTES]
    written = _META.search(head) or _XML.search(head)
    for label in (declared, written.group(1).decode("ascii") if written else None):
        known = _lookup_encoding(label)
        if known:
            return DecodedText(data.decode(known, "replace"), known)
    text = _try_decode(data, "utf-8", cut=True)
    if text is not None:
        return DecodedText(text, "utf-8")
    guessed = _guess_encoding(data[:_SAMPLE_BYTES])
    return DecodedText(data.decode(guessed, "replace"), guessed)


def _try_decode(data: bytes, encoding: str, *, cut: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)("strict").decode(data, final=not cut)
    except UnicodeDecodeError:
        return None


def _lookup_encoding(label: str | None) -> str | None:
    """Return the codec of a label. Only text encodings: Python also accepts `zip`, `idna`, `unicode_escape`."""
    try:
        name = codecs.lookup((label or "").strip().strip("\"'")).name
    except (LookupError, ValueError):
        return None
    name = next((wider for narrow, wider in _ENCODING_SUPERSETS if narrow == name), name)
    return name if name in _ENCODINGS else None


def _guess_encoding(sample: bytes) -> str:
    import chardet

    return _lookup_encoding(chardet.detect(sample)["encoding"]) or "cp1252"

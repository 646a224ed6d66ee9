"""Files that general tools leave: which tool a kind of file belongs to, told by content, and whether it is refused now.

Code in the sandbox can import a library and write a deck, so the gate judges what is left as well as what is called.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import IO, Final
from zipfile import ZipInfo, is_zipfile

from metier.archives import UNREADABLE_ARCHIVE, ArchiveTooLarge, BoundedZip, open_zip
from metier.language import Language, Sentences
from metier.tools._calls import ToolCall
from metier.tools._spec import ToolSpec
from metier.tools.gate._gate import Gate
from metier.tools.gate._verdict import Verdict

_OPEN_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HEAD_BYTES: Final = 1024
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_BYTES: Final = 4 << 20
_MAX_INNER_BYTES: Final = 64 << 20
_MAX_ENTRIES: Final = 100_000
_MAX_UNPACKED_BYTES: Final = 512 << 20
_MEMBERS: Final = (("ppt/presentation.xml", "pptx"), ("word/document.xml", "docx"), ("xl/workbook.", "xlsx"))
_OPEN_DOCUMENTS: Final = ((b"presentation", "pptx"), (b"spreadsheet", "xlsx"), (b"opendocument.text", "docx"))
_PACKED_TOOLS: Final = ("pptx", "docx", "xlsx", "pdf")
_STREAMS: Final = (("PowerPoint Document", "pptx"), ("WordDocument", "docx"), ("Workbook", "xlsx"), ("Book", "xlsx"))
_SENTENCES: Final = Sentences(
    {
        "not_kept": (
            "{path} was not kept: its content is that of {tool!r}, which is refused now ({source}).",
            "{path} 没有保留：它的内容属于 {tool!r} 的文件，而这个工具现在不允许使用（{source}）。",
        ),
        "too_large": (
            "{path} was not kept: it is too large to look into, and may hold a file of {tool!r}, which is refused "
            "now ({source}).",
            "{path} 没有保留：它太大，无法查看内容，其中可能有 {tool!r} 的文件，而这个工具现在不允许使用（{source}）。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """File that may not be kept: its path, the tool that its kind belongs to, and the verdict on that tool."""

    path: str
    tool: str
    verdict: Verdict


def leaves_judged_files(spec: ToolSpec | None) -> bool:
    """Whether files of this tool are judged: general tools of the runtime, which can write anything.

    A pack's tool writes what it was made for, and was allowed by name.
    """
    return spec is not None and spec.origin == "builtin" and bool(spec.effects & {"writes", "executes"})


def judge_files(gate: Gate, folder: Path, paths: Iterable[str], language: Language) -> tuple[RefusedFile, ...]:
    """Files of these whose kind belongs to a tool that the gate knows and refuses now."""
    known = frozenset(gate.known_tools())
    return tuple(_judge(gate, folder, paths, known, language))


def _judge(
    gate: Gate, folder: Path, paths: Iterable[str], known: frozenset[str], language: Language
) -> Iterator[RefusedFile]:
    for path in paths:
        code = "not_kept"
        try:
            found = detect_tool(folder / path)
            tools: tuple[str, ...] = () if found is None else (found,)
        except ArchiveTooLarge:
            code, tools = "too_large", _PACKED_TOOLS
        for tool in tools:
            if tool in known and (verdict := gate.check(ToolCall("", tool, {}))).answer == "deny":
                reason = _SENTENCES.render(code, language, path=path, tool=tool, source=verdict.source)
                yield RefusedFile(path, tool, replace(verdict, code="file_not_kept", reason=reason))
                break


def detect_tool(path: Path) -> str | None:
    """Tool that files of this content belong to: pdf, pptx, docx or xlsx; None for any other content.

    Raises ArchiveTooLarge for an archive that may hold one and is too large to be looked through.
    """
    try:
        with os.fdopen(os.open(path, _OPEN_FLAGS), "rb") as file:
            head = file.read(_HEAD_BYTES)
            if head.startswith(_OLD_OFFICE):
                head += file.read(_OLD_BYTES)
            # Programs open an archive by its end, whatever stands before it.
            is_archive = b"PK\x03\x04" in head or is_zipfile(file)
            file.seek(0)
            return _detect_head(head) or (_detect_zip(file, is_outer=True) if is_archive else None)
    except ArchiveTooLarge:
        raise
    except UNREADABLE_ARCHIVE:
        return None


def _detect_head(head: bytes) -> str | None:
    if b"%PDF-" in head[:_HEAD_BYTES]:
        return "pdf"
    if head.startswith(b"{\\rtf"):
        return "docx"
    if head.startswith(_OLD_OFFICE):
        return next((tool for name, tool in _STREAMS if name.encode("utf-16-le") in head), None)
    return None


def _detect_zip(file: IO[bytes], *, is_outer: bool) -> str | None:
    """Office files are archives; another archive is looked into once, as a deck may be packed into it."""
    # The list of entries is read whole in any case: what a name tells is told before there are too many.
    with open_zip(file, max_entries=sys.maxsize, max_bytes=_MAX_UNPACKED_BYTES) as archive:
        names = archive.names
        for member, tool in _MEMBERS:
            if any(name.startswith(member) for name in names):
                return tool
        if "mimetype" in names:
            kind = archive.read("mimetype", 200)
            return next((tool for mark, tool in _OPEN_DOCUMENTS if mark in kind), None)
        if is_outer and len(names) > _MAX_ENTRIES:
            raise ArchiveTooLarge(f"it has more than {_MAX_ENTRIES} entries")
        found = (_detect_inside(archive, one) for one in archive.entries if is_outer and not one.is_dir())
        return next((tool for tool in found if tool is not None), None)


def _detect_inside(archive: BoundedZip, one: ZipInfo) -> str | None:
    """Kind of a packed file; of one inside of another only the head is looked at."""
    try:
        head = archive.read(one, _HEAD_BYTES)
        if head.startswith(_OLD_OFFICE):
            head = archive.read(one, _HEAD_BYTES + _OLD_BYTES)
        if b"PK\x03\x04" not in head:
            return _detect_head(head)
        if one.file_size > _MAX_INNER_BYTES:
            raise ArchiveTooLarge(f"{one.filename} is too large to be looked into")
        return _detect_zip(BytesIO(archive.read(one, _MAX_INNER_BYTES)), is_outer=False)
    except ArchiveTooLarge:
        raise
    except UNREADABLE_ARCHIVE:
        return None

"""Files that general tools leave: which tool a kind of file belongs to, told by content, and whether it is refused now.

Code in the sandbox can import a library and write a deck, so the gate judges what is left as well as what is called.
"""

import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final
from zipfile import BadZipFile, ZipFile, is_zipfile

from metier.language import Language, Sentences
from metier.tools._calls import ToolCall
from metier.tools._spec import ToolSpec
from metier.tools.gate._gate import Gate
from metier.tools.gate._verdict import Verdict

_OPEN_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HEAD_BYTES: Final = 1024
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_BYTES: Final = 4 << 20
_MAX_MEMBERS: Final = 500
_MAX_INNER_BYTES: Final = 64 << 20
_MEMBERS: Final = (("ppt/presentation.xml", "pptx"), ("word/document.xml", "docx"), ("xl/workbook.", "xlsx"))
_OPEN_DOCUMENTS: Final = ((b"presentation", "pptx"), (b"spreadsheet", "xlsx"), (b"opendocument.text", "docx"))
_STREAMS: Final = (("PowerPoint Document", "pptx"), ("WordDocument", "docx"), ("Workbook", "xlsx"), ("Book", "xlsx"))
_SENTENCES: Final = Sentences(
    {
        "not_kept": (
            "{path} was not kept: its content is that of {tool!r}, which is refused now ({source}).",
            "{path} 没有保留：它的内容属于 {tool!r} 的文件，而这个工具现在不允许使用（{source}）。",
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
        tool = detect_tool(folder / path)
        if tool is None or tool not in known:
            continue
        verdict = gate.check(ToolCall("", tool, {}))
        if verdict.answer == "deny":
            reason = _SENTENCES.render("not_kept", language, path=path, tool=tool, source=verdict.source)
            yield RefusedFile(path, tool, replace(verdict, code="file_not_kept", reason=reason))


def detect_tool(path: Path) -> str | None:
    """Tool that files of this content belong to: pdf, pptx, docx or xlsx; None for any other content."""
    try:
        with os.fdopen(os.open(path, _OPEN_FLAGS), "rb") as file:
            return _detect(file, inside=False)
    except (OSError, BadZipFile, ValueError, RuntimeError, NotImplementedError, zlib.error, EOFError):
        return None


def _detect(file: IO[bytes], *, inside: bool) -> str | None:
    head = file.read(_HEAD_BYTES)
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(b"{\\rtf"):
        return "docx"
    if head.startswith(_OLD_OFFICE):
        text = head + file.read(_OLD_BYTES)
        return next((tool for name, tool in _STREAMS if name.encode("utf-16-le") in text), None)
    # Programs open an archive by its end, whatever stands before it; inside of another only its head is looked at.
    is_archive = b"PK\x03\x04" in head or (not inside and is_zipfile(file))
    file.seek(0)
    return _detect_zip(file, inside=inside) if is_archive else None


def _detect_zip(file: IO[bytes], *, inside: bool) -> str | None:
    """Office files are archives; another archive is looked into once, as a deck may be packed into it."""
    with ZipFile(file) as archive:
        names = archive.namelist()
        for member, tool in _MEMBERS:
            if any(name.startswith(member) for name in names):
                return tool
        if "mimetype" in names:
            kind = archive.open("mimetype").read(200)
            return next((tool for mark, tool in _OPEN_DOCUMENTS if mark in kind), None)
        for one in () if inside else archive.infolist()[:_MAX_MEMBERS]:
            if one.is_dir() or one.file_size > _MAX_INNER_BYTES or one.flag_bits & 1:
                continue
            with suppress(BadZipFile), archive.open(one) as member_file:
                if (packed := _detect(member_file, inside=True)) is not None:
                    return packed
    return None

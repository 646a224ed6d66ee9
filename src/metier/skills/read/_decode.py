"""Decodes files to text and checks them for hidden text and prompt injection."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from metier.json_values import JsonValue
from metier.skills.checks import HiddenText, find_hidden_text, find_suspicious_wording, remove_zero_width
from metier.skills.model import Report

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class DecodedFile:
    """Text of a file after decoding and repair."""

    text: str
    path: Path


def decode(raw: bytes, path: Path, report: Report, *, part: bool = False) -> DecodedFile | None:
    """Decode UTF-8, normalise line ends to LF and remove hidden characters; `None` if the bytes are not text.

    A file that is not text refuses the skill, or with `part=True` is only left out of it.
    """
    if problem := _find_text_problem(raw):
        code, message, hint, line = problem
        report.add("part_invalid" if part else code, f"{path.name} {message}", hint=hint, path=path, line=line)
        return None
    text = raw.removeprefix(_BOM).decode()
    if raw.startswith(_BOM):
        report.add("bom_removed", "a byte order mark was skipped", hint="save as UTF-8 without BOM", path=path, line=1)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        report.add("line_ends_normalised", "line ends were read as LF", hint="save with LF line ends", path=path)
    return DecodedFile(clean_hidden_text(text, path, report), path)


def _find_text_problem(raw: bytes) -> tuple[str, str, str, int] | None:
    if not raw.removeprefix(_BOM).strip():
        return "file_empty", "is empty", "write something into it", 1
    if raw.startswith(_UTF16):
        return "encoding_not_utf8", "is not UTF-8 (UTF-16)", "save as UTF-8", 1
    if (nul := raw.find(b"\0")) >= 0:
        return "nul_byte", "holds a NUL byte", "save the file as UTF-8 text", raw.count(b"\n", 0, nul) + 1
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return "encoding_not_utf8", f"is not UTF-8 (byte 0x{raw[error.start]:02x})", "save as UTF-8", line
    return None


def clean_hidden_text(text: str, path: Path, report: Report) -> str:
    """Report hidden text; return the text without isolated invisible characters."""
    found = find_hidden_text(text)
    for hidden in found:
        _report_hidden(hidden, path, report, hidden.line)
    return remove_zero_width(text) if any(hidden.code == "zero_width_removed" for hidden in found) else text


def check_resource_text(text: str, path: Path, report: Report, *, wording: bool) -> None:
    """Report hidden text, and with `wording` prompt injection, in a file that is not parsed but may be read later.

    Isolated invisible characters are not reported here.
    """
    for hidden in find_hidden_text(text):
        if hidden.code != "zero_width_removed":
            _report_hidden(hidden, path, report, hidden.line)
    if wording:
        check_wording(DecodedFile(text, path), report)


def check_escapes(source: str, value: JsonValue, path: Path, report: Report) -> None:
    """Check parsed values if `source` has escapes: `\\u202e` is visible in the file but not in the value.

    A value that stands in `source` as it is was checked with it.
    """
    if "\\" not in source:
        return
    for text in _iter_strings(value):
        if text in source:
            continue
        if "\0" in text:
            report.add("nul_byte", f"{path.name} holds an escaped NUL", hint="remove the escape", path=path)
        for hidden in find_hidden_text(text):
            if hidden.code != "zero_width_removed":
                _report_hidden(hidden, path, report, None)
        check_wording(DecodedFile(text, path), report)


def _iter_strings(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value
        for item in value.values():
            yield from _iter_strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _iter_strings(item)


def _report_hidden(hidden: HiddenText, path: Path, report: Report, line: int | None) -> None:
    hint = "retype the line in a plain-text editor"
    report.add(hidden.code, f"{path.name}: {hidden.message}", hint=hint, path=path, line=line)


def check_wording(prose: DecodedFile, report: Report) -> None:
    """Report phrases that look like prompt injection: one that is hidden refuses, one that can be read is noted."""
    for suspicion in find_suspicious_wording(prose.text):
        hint = "remove it, or list the folder in METIER_TRUSTED_SKILLS_DIR if you vouch for it"
        code = "hidden_order" if suspicion.is_hidden else "suspicious_wording"
        report.add(code, suspicion.message, hint=hint, path=prose.path, line=suspicion.line)

"""Bytes of a file become text, or a diagnostic says why not."""

from dataclasses import dataclass
from pathlib import Path

from metier.skills._diagnostics import Report
from metier.skills._hidden import find_hidden_text, remove_zero_width
from metier.skills._wording import find_suspicious_wording

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Prose:
    """A decoded, repaired text file."""

    text: str
    path: Path


def decode(raw: bytes, path: Path, report: Report) -> Prose | None:
    """UTF-8 with LF line ends and nothing hidden; `None` when the bytes are no text."""
    if not raw.strip():
        report.add("file_empty", f"{path.name} is empty", hint="write the skill's front matter and body", path=path)
        return None
    if raw.startswith(_UTF16):
        _not_utf8(report, path, 1, "UTF-16")
        return None
    if b"\0" in raw:
        line = raw.count(b"\n", 0, raw.index(b"\0")) + 1
        report.add("nul_byte", "the text holds a NUL byte", hint="save the file as text", path=path, line=line)
        return None
    try:
        text = raw.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        _not_utf8(report, path, raw.count(b"\n", 0, error.start) + 1, f"byte 0x{raw[error.start]:02x}")
        return None
    if raw.startswith(_BOM):
        report.add("bom_removed", "a byte order mark was skipped", hint="save as UTF-8 without BOM", path=path, line=1)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        report.add("line_ends_normalised", "line ends were read as LF", hint="save with LF line ends", path=path)
    return Prose(reveal(text, path, report), path)


def _not_utf8(report: Report, path: Path, line: int, what: str) -> None:
    report.add("encoding_not_utf8", f"{path.name} is not UTF-8 ({what})", hint="save as UTF-8", path=path, line=line)


def reveal(text: str, path: Path, report: Report) -> str:
    """Report what is invisible in `text`; a lone invisible character is taken out."""
    found = find_hidden_text(text)
    for hidden in found:
        report.add(
            hidden.code,
            f"{path.name}: {hidden.message}",
            hint="retype the line in a plain-text editor",
            path=path,
            line=hidden.line,
        )
    return remove_zero_width(text) if any(hidden.code == "zero_width_removed" for hidden in found) else text


def check_wording(prose: Prose, report: Report) -> None:
    """Report phrases that look like an attack on the model."""
    for suspicion in find_suspicious_wording(prose.text):
        report.add(
            "suspicious_wording",
            suspicion.message,
            hint="remove it, or list the folder in METIER_TRUSTED_SKILLS_DIR if you vouch for it",
            path=prose.path,
            line=suspicion.line,
        )

"""Rules of the open Agent Skills standard, as its reference `skills-ref validate` applies them to the raw file.

Known differences. Refused here although the reference may accept it: a SKILL.md that is a link or larger than 1 MiB, a
front matter of more than 16 KiB or nested deeper than 100 levels, an empty key inside a value (`: x`), text right after
a U+0085, U+2028 or U+2029 at the start of a line, a tab after the document end `...`. Accepted here although the
reference raises: adjacent list items that contain only a comment.
"""

import unicodedata
from pathlib import Path
from typing import Final

from metier.skills.checks import standard_name_problem
from metier.skills.lint._strict_yaml import StrictDocument, StrictRefused, StrictValue, load_strict_yaml
from metier.skills.model import (
    MAX_COMPATIBILITY_CHARS,
    MAX_DESCRIPTION_CHARS,
    MAX_FRONT_MATTER_BYTES,
    MAX_MAIN_FILE_BYTES,
    Report,
)
from metier.skills.read import STANDARD_KEYS, find_field, read_bytes

_FENCE: Final = "---"
_MAIN_FILES = ("SKILL.md", "skill.md")


def check_standard(folder: Path, names: frozenset[str], report: Report) -> bool:
    """Whether the folder is a valid skill of the open standard; every violation is reported."""
    main = next((name for name in _MAIN_FILES if name in names), None)
    if main is None:
        report.add("standard_file", "the standard's file is called SKILL.md", hint="rename the file to SKILL.md")
        return False
    text = _read_text(folder / main, report)
    document = None if text is None else _parse_document(text, report)
    if document is None:
        return False
    checks = (_check_fields, _check_name, _check_description, _check_compatibility)
    verdicts = [check(document, folder.name, report) for check in checks]
    return all(verdicts)


def _read_text(path: Path, report: Report) -> str | None:
    try:
        raw = read_bytes(path, MAX_MAIN_FILE_BYTES)
        return raw.decode().replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        report.add("standard_file", f"{path.name} cannot be read: {error.strerror}", hint="make it a plain file")
    except UnicodeDecodeError:
        report.add("standard_yaml", f"{path.name} is not UTF-8", hint="save as UTF-8")
    return None


def _parse_document(text: str, report: Report) -> StrictDocument | None:
    front = _cut_front_matter(text, report)
    if front is None:
        return None
    try:
        return load_strict_yaml(front)
    except StrictRefused as error:
        hint = "write block style, and quote what is not plain text"
        report.add("standard_yaml", f"the reference reader refuses {error}", hint=hint, line=error.line)
        return None


def _cut_front_matter(text: str, report: Report) -> str | None:
    """Text between the first two `---`, wherever they are, because the reference splits the file this way."""
    if not text.startswith(_FENCE):
        what = "a byte order mark stands before" if text.startswith("\ufeff") else "the file does not start with"
        report.add("standard_yaml", f"{what} '---'", hint="start the file with '---'", line=1)
        return None
    cut = text.find(_FENCE, len(_FENCE))
    if cut < 0:
        report.add("standard_yaml", "the front matter is not closed", hint="end it with a line '---'", line=1)
        return None
    _check_delimiter(text, cut, report)
    front = text[len(_FENCE) : cut]
    if len(front.encode()) > MAX_FRONT_MATTER_BYTES:
        report.add(
            "standard_yaml", f"more than {MAX_FRONT_MATTER_BYTES} bytes of front matter", hint="shorten it", line=1
        )
        return None
    return front


def _check_delimiter(text: str, cut: int, report: Report) -> None:
    line_end = text.find("\n", cut)
    rest = text[cut + len(_FENCE) : None if line_end < 0 else line_end]
    if text[cut - 1] == "\n" and not rest.strip():
        return
    line = text.count("\n", 0, cut) + 1
    message = "three dashes inside the front matter: the reference reader takes what follows for the body"
    report.add("standard_delimiter", message, hint="write a dash of another kind, such as '—'", line=line)


def _check_fields(document: StrictDocument, _: str, report: Report) -> bool:
    extra = [key for key in document.values if key not in STANDARD_KEYS]
    for key in extra:
        hint = "put it under 'metadata'; `metier lint --fix` moves the keys that Metier knows"
        line = document.lines.get(key)
        code = "standard_extension" if find_field(key) is not None else "standard_field"
        report.add(code, f"key {key!r} is not one of the standard's six", hint=hint, line=line)
    return not extra


def _check_name(document: StrictDocument, folder: str, report: Report) -> bool:
    line = document.lines.get("name", 1)
    name = _non_empty_text(document.values.get("name"))
    if name is None:
        report.add("standard_name", "no name, or one that is not text", hint=f"add 'name: {folder}'", line=line)
        return False
    why = standard_name_problem(name)
    if why:
        hint = "use lower-case letters, digits and single hyphens"
        report.add("standard_name", f"name {name[:80]!r}: {why}", hint=hint, line=line)
    same = _normalize(name.strip()) == _normalize(folder)
    if not same:
        message = f"name {name[:80]!r} is not the folder's name {folder!r}"
        report.add("standard_name", message, hint="rename one of them", line=line)
    return same and not why


def _check_description(document: StrictDocument, _: str, report: Report) -> bool:
    line = document.lines.get("description", 1)
    text = _non_empty_text(document.values.get("description"))
    if text is None:
        hint = "add 'description: what it does and when to use it'"
        report.add("standard_description", "no description, or one that is not text", hint=hint, line=line)
        return False
    if problem := _length_problem(text, MAX_DESCRIPTION_CHARS):
        report.add("standard_description", f"the description has {problem}", hint="shorten it", line=line)
    return not problem


def _check_compatibility(document: StrictDocument, _: str, report: Report) -> bool:
    if "compatibility" not in document.values:
        return True
    line = document.lines["compatibility"]
    text = document.values["compatibility"]
    if not isinstance(text, str):
        report.add("standard_compatibility", "the compatibility note is not text", hint="write one text", line=line)
        return False
    if problem := _length_problem(text, MAX_COMPATIBILITY_CHARS):
        report.add("standard_compatibility", f"the compatibility note has {problem}", hint="shorten it", line=line)
    return not problem


def _length_problem(text: str, most: int) -> str:
    return f"{len(text)} characters; the most is {most}" if len(text) > most else ""


def _non_empty_text(value: StrictValue) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _normalize(name: str) -> str:
    return unicodedata.normalize("NFKC", name)

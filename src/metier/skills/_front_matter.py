"""Cut the front matter from a skill file and read it, mending what the standard's guide says to mend."""

import re
from dataclasses import dataclass

from metier.skills._diagnostics import Report
from metier.skills._limits import FRONT_MATTER_BYTES
from metier.skills._yaml import YamlDocument, YamlRefused, load_yaml

_FENCE = "---"
_BARE_COLON = re.compile(
    r"^(?P<head>\s*(?:- )?[\w.-]+:[ \t]+)(?P<value>[^\s'\"\[{|>&*!%@`#][^\n]*?:(?:[ \t][^\n]*|$))$"
)
_KEY_LINE = re.compile(r"^[\w-]+:(\s|$)")


@dataclass(frozen=True, slots=True)
class Split:
    """The two halves of a skill file; `body_at` is the offset at which the body starts."""

    front: str
    body_at: int


class NoFrontMatter(ValueError):
    """The text cannot be split; `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def split_front_matter(text: str) -> Split:
    """Cut `---` front matter from the body in one linear pass.

    A regular expression with two lazy runs is quadratic on blank lines; `str.find` is not.
    """
    first_end = text.find("\n")
    if (text if first_end < 0 else text[:first_end]).rstrip() != _FENCE:
        raise NoFrontMatter("front_matter_missing", "the first line must be '---'")
    start = first_end + 1 if first_end >= 0 else len(text)
    at = start
    while at < len(text):
        end = text.find("\n", at)
        line_end = len(text) if end < 0 else end
        if text.startswith(_FENCE, at) and not text[at + 3 : line_end].strip():
            return _within_limit(text[start:at], body_at=min(line_end + 1, len(text)))
        if line_end - start > FRONT_MATTER_BYTES:
            break
        at = line_end + 1
    if len(text) - start > FRONT_MATTER_BYTES:
        raise _too_large()
    raise NoFrontMatter("front_matter_unclosed", "no second line of three dashes")


def _within_limit(front: str, *, body_at: int) -> Split:
    if len(front.encode()) > FRONT_MATTER_BYTES:
        raise _too_large()
    return Split(front, body_at)


def _too_large() -> NoFrontMatter:
    return NoFrontMatter("front_matter_too_large", f"front matter is limited to {FRONT_MATTER_BYTES} bytes")


def read_front_matter(front: str, report: Report) -> YamlDocument | None:
    """Parse the front matter; `None` when it was refused. Lines are counted from the top of the file."""
    try:
        return _shifted(load_yaml(front))
    except YamlRefused as error:
        mended = _quote_colons(front) if error.code == "yaml_invalid" else None
        if mended is not None:
            try:
                document = load_yaml(mended[0])
            except YamlRefused:
                document = None
            if document is not None:
                for line in mended[1]:
                    report.add(
                        "yaml_colon_quoted",
                        "a value with a colon was read as one text",
                        hint="put the value in quotes",
                        line=line + 1,
                    )
                return _shifted(document)
        at = None if error.line is None else error.line + 1
        report.add(error.code, str(error), hint=_HINTS.get(error.code, ""), line=at)
        return None


def _shifted(document: YamlDocument) -> YamlDocument:
    document.lines = {key: line + 1 for key, line in document.lines.items()}
    return document


def _quote_colons(front: str) -> tuple[str, list[int]] | None:
    """Quote values such as `description: Use this: always`; the changed lines count from 1."""
    changed: list[int] = []
    lines = front.split("\n")
    for number, line in enumerate(lines, start=1):
        if found := _BARE_COLON.match(line):
            quoted = found["value"].strip().replace("'", "''")
            lines[number - 1] = f"{found['head']}'{quoted}'"
            changed.append(number)
    return ("\n".join(lines), changed) if changed else None


def looks_repeated(body: str) -> bool:
    """Whether the body starts with another block of `key: value` lines that ends in three dashes."""
    head = body.lstrip("\n")[:FRONT_MATTER_BYTES].split("\n")
    for number, line in enumerate(head):
        if line.rstrip() == _FENCE:
            return number > 0
        if not _KEY_LINE.match(line) and not line.startswith((" ", "- ")):
            return False
    return False


_HINTS = {
    "yaml_invalid": "check the indentation (spaces, never tabs), quotes and colons of this line",
    "yaml_alias": "write the value out where it is needed",
    "yaml_tag": "remove the tag; values are plain text, lists and maps",
    "yaml_merge_key": "write the merged keys out",
    "yaml_duplicate_key": "keep one of the two",
    "yaml_too_deep": "flatten the structure or move it to a file of its own",
    "yaml_multiple_documents": "remove the '...' or '---' inside the front matter",
    "yaml_not_mapping": "write 'key: value' lines",
}

"""Splits and parses the front matter of a skill file, with the repairs that the standard's guide recommends."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from metier.patterns import compile_later
from metier.skills.model import MAX_FRONT_MATTER_BYTES, Report
from metier.skills.read._yaml import YamlDocument, YamlRefused, load_yaml

_FENCE = "---"
_CLOSING = compile_later(r"^---[^\S\n]*$", re.MULTILINE)
# A key with a plain, unquoted value; following lines that are indented deeper continue the value.
_PLAIN_VALUE = compile_later(r"(?P<indent>[ ]*)(?P<head>(?:- )?[\w.-]+:[ \t]+)(?P<value>[^\s'\"\[{|>&*!%@`#].*)")
# A key with a value on its line that begins with a mark of YAML; one that is closed on a later line is not meant.
_MARKED_VALUE = compile_later(r"(?P<head>[\w.-]+:[ \t]+)(?P<value>[@`%].*|\[.*\].*|\{.*\}.*)")
_COLON = compile_later(r":(?:\s|$)")
_KEY_LINE = compile_later(r"(?P<key>[\w-]+):(?:\s|$)")


@dataclass(frozen=True, slots=True)
class FrontMatterSplit:
    """Front matter of a skill file, and the offset at which its body starts."""

    front: str
    body_offset: int


class NoFrontMatter(ValueError):
    """The text has no usable front matter; `code` is the diagnostic code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def split_front_matter(text: str) -> FrontMatterSplit:
    """Cut `---` front matter from the body in one linear pass.

    A regular expression with two lazy runs is quadratic on blank lines; one that looks for the closing line is not.
    """
    first, newline, _ = text.partition("\n")
    if first.rstrip() != _FENCE:
        raise NoFrontMatter("front_matter_missing", "the first line must be '---'")
    start = len(first) + len(newline)
    closing = _CLOSING.search(text, start)
    if closing is None or not newline:
        raise NoFrontMatter("front_matter_unclosed", "no second line of three dashes")
    front = text[start : closing.start()]
    if len(front.encode(errors="surrogatepass")) > MAX_FRONT_MATTER_BYTES:
        message = f"front matter is limited to {MAX_FRONT_MATTER_BYTES} bytes"
        raise NoFrontMatter("front_matter_too_large", message)
    return FrontMatterSplit(front, body_offset=min(closing.end() + 1, len(text)))


def read_front_matter(front: str, report: Report) -> YamlDocument | None:
    """Parse the front matter; `None` if it was refused. Line numbers count from the top of the file."""
    try:
        document, mended = load_front_matter(front)
    except YamlRefused as error:
        report.add(error.code, str(error), hint=_HINTS.get(error.code, ""), line=error.line)
        return None
    for line in mended:
        report.add("yaml_colon_quoted", "a value was read as one text", hint="put the value in quotes", line=line)
    return document


def load_front_matter(front: str) -> tuple[YamlDocument, list[int]]:
    """Parse the front matter; also returns the lines where an unquoted value was repaired.

    All line numbers, also in `YamlRefused`, count from the top of the file.
    """
    try:
        return _shift_lines(load_yaml(front)), []
    except YamlRefused as error:
        mended, changed = quote_values(front) if error.code == "yaml_invalid" else (front, [])
        if changed:
            with suppress(YamlRefused):
                return _shift_lines(load_yaml(mended)), changed
        error.line = None if error.line is None else error.line + 1
        raise


def _shift_lines(document: YamlDocument) -> YamlDocument:
    document.lines = {key: line + 1 for key, line in document.lines.items()}
    return document


def quote_values(front: str) -> tuple[str, list[int]]:
    """Quote values that YAML cannot read without quotes; returns the changed lines, counted in the file."""
    mended, marked = _quote_marked(front)
    mended, colons = _quote_colons(mended)
    return mended, sorted({*marked, *colons})


def _quote_marked(front: str) -> tuple[str, list[int]]:
    """Quote values of one line that YAML cannot read, such as `argument-hint: [page] [title]`; returns their lines.

    Lists of tools are not mended: what they leave out would be allowed.
    """
    lines = front.split("\n")
    changed: list[int] = []
    for at, line in enumerate(lines):
        found = _MARKED_VALUE.fullmatch(line)
        if found and "tool" not in found["head"].lower() and not _is_yaml(f"x: {found['value']}"):
            quoted = found["value"].rstrip().replace("'", "''")
            lines[at] = f"{found['head']}'{quoted}'"
            changed.append(at + 2)
    return "\n".join(lines), changed


def _is_yaml(text: str) -> bool:
    try:
        load_yaml(text)
    except YamlRefused as error:
        return error.code != "yaml_invalid"
    return True


def _quote_colons(front: str) -> tuple[str, list[int]]:
    """Quote values with an unquoted colon, such as `description: Use this: always`; returns the changed lines.

    Continuation lines are joined to the value.
    """
    lines = front.split("\n")
    changed: list[int] = []
    at = 0
    while at < len(lines):
        found = _PLAIN_VALUE.fullmatch(lines[at])
        end = at + 1
        if found:
            depth = len(found["indent"]) + 2 * found["head"].startswith("- ")
            while end < len(lines) and len(lines[end]) - len(lines[end].lstrip(" ")) > depth:
                end += 1
            whole = " ".join([found["value"].strip(), *(line.strip() for line in lines[at + 1 : end])])
            value, mark, comment = whole.partition(" #")
            if _COLON.search(value):
                quoted = value.rstrip().replace("'", "''")
                # Blank lines replace the joined ones, so that later keys keep their line numbers.
                lines[at:end] = [f"{found['indent']}{found['head']}'{quoted}'{mark}{comment}", *[""] * (end - at - 1)]
                changed.append(at + 2)
        at = end
    return "\n".join(lines), changed


def is_text_alone(text: str) -> bool:
    """Whether a text begins with nothing that was meant as front matter, whose rules would be lost."""
    return not text.lstrip().startswith(_FENCE) and not has_second_front_matter(text)


def has_second_front_matter(body: str) -> bool:
    """Whether the body starts with another front matter, with or without the opening `---`."""
    head = body.lstrip("\n")[:MAX_FRONT_MATTER_BYTES].split("\n")
    opened = head[0].rstrip() == _FENCE
    keys: list[str] = []
    for line in head[1:] if opened else head:
        if line.rstrip() == _FENCE:
            # A line of dashes under `Usage: once a day` is a Markdown heading, not the end of a front matter.
            return bool(keys) if opened else "name" in keys or "description" in keys
        if found := _KEY_LINE.match(line):
            keys.append(found["key"].lower())
        elif not line.startswith((" ", "- ")):
            return False
    return False


_HINTS: Mapping[str, str] = {
    "yaml_invalid": "check the indentation (spaces, never tabs), quotes and colons of this line",
    "yaml_alias": "write the value out where it is needed",
    "yaml_tag": "remove the tag; values are plain text, lists and maps",
    "yaml_merge_key": "write the merged keys out",
    "yaml_duplicate_key": "keep one of the two",
    "yaml_too_deep": "flatten the structure or move it to a file of its own",
    "yaml_multiple_documents": "remove the '...' or '---' inside the front matter",
    "yaml_not_mapping": "write 'key: value' lines",
}

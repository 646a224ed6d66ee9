"""Lint rules about the instructions: length, references to files, and number of examples."""

import posixpath
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from metier.names import suggest
from metier.skills.lint._loaded_skill import LoadedSkill
from metier.skills.model import Report
from metier.skills.write import find_template_fields
from metier.tokens import count_tokens

ADVISED_TOKENS: Final = 1500
MAX_TOKENS: Final = 5000
ADVISED_LINES: Final = 500
ADVISED_EXAMPLES: Final = 5

_LINK = re.compile(r"\[[^\[\]\n]{0,300}\]\(\s{0,4}<?([^()\s>]{1,300})>?(?:\s{1,4}[\"'][^()\n]{0,200})?\)")
_MENTION = re.compile(
    r"(?<![A-Za-z0-9_./}-])(?:\./)?((?:references|scripts|assets)/[\w./-]{0,200}?\.[A-Za-z0-9]{1,12})(?![A-Za-z0-9*{<_/-]|\.\w)",
)
_NOT_LOCAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\~#?]|.*[{}<>$*]")
# Possessive quantifiers: with backtracking one long line of backticks takes hours.
_FENCED = re.compile(
    r"^[ \t]*+(`{3,}+|~{3,}+)[^\n]*+\n(?:(?![ \t]*\1)[^\n]*+\n)*+(?:[ \t]*\1[^\n]*+)?",
    re.MULTILINE,
)
_CODE = re.compile(r"`[^`\n]*`")


def check_texts(subject: LoadedSkill, report: Report) -> None:
    """Report problems of the instructions and the examples."""
    _check_length(subject, report)
    _check_references(subject, report)
    count = len(subject.skill.examples)
    if count < ADVISED_EXAMPLES:
        hint = "add messages that people really send, under 'examples'"
        report.add("examples_few", f"{count} example messages", hint=hint, line=subject.find_line("examples"))


def check_template(subject: LoadedSkill, report: Report) -> None:
    """Report what is left of the text that a new skill is made with."""
    for field in find_template_fields(subject.skill):
        hint = "write what people say and how the work is done; until then no message finds the skill"
        line = subject.find_line(field) if field != "instructions" else subject.find_body_line(0)
        path = subject.body_path if field == "instructions" else None
        report.add("template_text", f"{field!r} still has the text of the template", hint=hint, path=path, line=line)


def _check_length(subject: LoadedSkill, report: Report) -> None:
    path = subject.body_path
    if not subject.body:
        report.add("body_empty", "the skill has no instructions", hint="say how the work is done", path=path)
        return
    lines = subject.body.count("\n") + 1
    # A token has at least one byte, so short texts need no count; loading the tokenizer takes a second.
    if lines <= ADVISED_LINES and len(subject.body.encode()) <= ADVISED_TOKENS:
        return
    tokens = count_tokens(subject.body)
    message = f"the instructions have {tokens} tokens in {lines} lines"
    if tokens > MAX_TOKENS:
        hint = f"the standard's most is {MAX_TOKENS} tokens: move detail to references/ or rules/"
        report.add("body_too_long", message, hint=hint, path=path, line=subject.find_body_line(0))
    elif tokens > ADVISED_TOKENS or lines > ADVISED_LINES:
        hint = f"advised: {ADVISED_TOKENS} tokens, {ADVISED_LINES} lines; move detail to references/ or rules/"
        report.add("body_long", message, hint=hint, path=path, line=subject.find_body_line(0))


def _check_references(subject: LoadedSkill, report: Report) -> None:
    missing: dict[str, int] = {}
    for target, at in _iter_targets(subject.body):
        if not _exists(target, subject.files):
            missing.setdefault(target, at)
    for target, at in missing.items():
        hint = suggest(target, subject.files, "add the file, or take the reference out")
        message = f"the instructions point to {target!r}, which is not in the skill"
        report.add("reference_missing", message, hint=hint, path=subject.body_path, line=subject.find_body_line(at))


def _iter_targets(body: str) -> Iterator[tuple[str, int]]:
    """Files that the text refers to: Markdown links outside code, and paths into the standard's folders anywhere."""
    prose = _CODE.sub(_blank_out, _FENCED.sub(_blank_out, body))
    for found in _LINK.finditer(prose):
        if not _NOT_LOCAL.match(found[1]):
            yield posixpath.normpath(unquote(re.split(r"[#?]", found[1])[0])), found.start()
    for found in _MENTION.finditer(body):
        yield posixpath.normpath(found[1]), found.start()


def _blank_out(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _exists(target: str, files: frozenset[str]) -> bool:
    return target == "." or target in files or any(name.startswith(f"{target}/") for name in files)

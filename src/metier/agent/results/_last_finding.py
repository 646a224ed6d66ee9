"""The finding of a turn, told where a message about it was not understood; to any other message nothing is told."""

from collections.abc import Sequence
from typing import Final

from metier.language import language_of, resolve_language
from metier.patterns import compile_later
from metier.questions import find_remarks, is_own_note
from metier.store import Event
from metier.textsearch import extract_query_terms, fold

_MIN_FINDING: Final = 4
_MAX_FINDING: Final = 200
_NO_FINDING: Final = compile_later(r"^\s*#|[：:]$|[?？]$")
_NOTE: Final = compile_later(r"(?i)注意|说明|提示|note|please note")
_MARKS: Final = compile_later(r"^\s*(?:[-*>]+\s+|\d+\.\s+)?|\*\*")
# Words that stand for what was found: 那个呢, "and this one".
_POINTS: Final = compile_later(
    r"这|那|它|刚才|刚刚|上面|结果|报告|结论|\b(?:it|its|this|that|these|those|they|them|results?|reports?|findings?)\b"
)
_STOPPED: Final = frozenset({"failed"})


def find_finding(events: Sequence[Event], message: str) -> str:
    """The finding of a turn that a message is about; empty for a turn that was stopped, or found something else."""
    if any(one.kind == "step.done" and one.data.get("state") in _STOPPED for one in events):
        return ""
    asked = {str(one.data.get("text", "")) for one in events if one.kind == "pause.opened"}
    texts = [text for one in events if one.kind == "text.done" and (text := str(one.data.get("text", ""))) not in asked]
    finding = _find_headline(texts) or find_first_line(texts)
    if not finding or language_of(finding) != resolve_language("auto", message):
        return ""
    return finding if _is_about(message, "\n".join(texts)) else ""


def _find_headline(texts: Sequence[str]) -> str:
    """The newest verdict of a report, else the first of what it names in bold, else empty.

    The scope of the work (the scenario, how many cells) and notes on where figures come from are no findings.
    """
    remarks = [one for text in texts for one in find_remarks(text) if one.line and not _NO_FINDING.search(one.line)]
    verdicts = [one.line for one in remarks if one.is_verdict]
    named = [one.line for one in remarks if one.subject and not _NOTE.fullmatch(one.subject)]
    line = next(iter([*reversed(verdicts), *named]), "")
    return line if len(line) <= _MAX_FINDING else f"{line[:_MAX_FINDING]}…"


def find_first_line(texts: Sequence[str]) -> str:
    """The first line of a report that says something: no heading, no question, no note on how a message was read."""
    found = (
        line for text in texts for line in text.splitlines() if not _NO_FINDING.search(line) and not is_own_note(line)
    )
    lines = (_MARKS.sub("", line).strip() for line in found)
    line = next((one for one in lines if len(one) > _MIN_FINDING and not _NO_FINDING.search(one)), "")
    return line if len(line) <= _MAX_FINDING else f"{line[:_MAX_FINDING]}…"


def _is_about(message: str, texts: str) -> bool:
    """Whether a message points to the result, or has a content word of it."""
    said, found = fold(message), fold(texts)
    return _POINTS.search(said) is not None or any(one in found for one in extract_query_terms(message))

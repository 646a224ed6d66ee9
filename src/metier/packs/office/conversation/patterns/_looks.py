"""The formatting of a document and of its sample, for the skills that format."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.packs.office.conversation._documents import ConversationDocument
from metier.packs.office.conversation._reading import read_document
from metier.packs.office.conversation.patterns._find import FORMATTING, choose_pattern

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading

__all__ = ["add_looks"]

_TASKS: Final = frozenset({FORMATTING, "policy-format"})


def add_looks(
    reading: "Reading", document: ConversationDocument, *, task: str, pattern: str, workspace: Path
) -> "Reading":
    """The reading with the looks of its paragraphs, and with the sample if one is named; of other tasks as it is."""
    if task not in _TASKS or document.kind != "docx":
        return reading
    own = _read_looks(reading, workspace / document.current)
    sample = choose_pattern(pattern, workspace, "docx") if task == FORMATTING else None
    if sample is None or sample.id == document.id:
        return own
    found = read_document(workspace, sample, with_others=False)
    return replace(own, sample=_read_looks(found, workspace / sample.current))


def _read_looks(reading: "Reading", path: Path) -> "Reading":
    from metier.packs.office.writer import read_looks, read_page_numbers

    return replace(reading, looks=read_looks(path), page_numbers=read_page_numbers(path))

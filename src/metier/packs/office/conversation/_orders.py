"""Messages that are orders for a document of the conversation, understood to their last word."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.language import Language, language_of
from metier.packs.office.conversation._describe import find_mode
from metier.packs.office.conversation._documents import ConversationDocument, list_documents, remove_mentions
from metier.packs.office.conversation._plans import build_plan, check_plan, keep_plan
from metier.packs.office.conversation._reading import read_document
from metier.packs.office.conversation._texts import TEXTS
from metier.packs.office.conversation._writing import is_written

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading

__all__ = ["find_ordered", "keep_order", "read_steps"]

_TRACKING: Final = "doc-editor"  # what it replaces is written as tracked changes
_MAX_DOCUMENTS: Final = 4
_MAX_BYTES: Final = 3_000_000  # a larger file is read by the skill that is asked, not before


def find_ordered(message: str, workspace: Path) -> ConversationDocument | None:
    """Document that all of the message is orders for; None if it is none, or for several."""
    fitting = []
    for document in list_documents(workspace)[:_MAX_DOCUMENTS]:
        file = workspace / document.current
        try:
            if file.stat().st_size <= _MAX_BYTES and read_steps(message, _read(workspace, document)):
                fitting.append(document)
        except (MetierError, OSError):
            continue  # the skill that opens it says what is wrong
    return fitting[0] if fitting else None


def read_steps(message: str, reading: "Reading", language: Language | None = None) -> tuple[JsonObject, ...]:
    """Steps of a plan that a message orders; empty if a part of it was not understood."""
    from metier.packs.office.orders import read_orders

    words = remove_mentions(message)
    return read_orders(words, reading, language=language or language_of(words)).actions


def _read(workspace: Path, document: ConversationDocument) -> "Reading":
    return read_document(workspace, document, with_others=False)


def keep_order(
    workspace: Path,
    found: ConversationDocument,
    reading: "Reading",
    *,
    task: str,
    message: str,
    language: Language,
) -> JsonObject | None:
    """Changes of a message that is an order to its last word; None if it is none: then the analysis has its turn."""
    steps = read_steps(message, reading, language)
    if not steps:
        return None
    if task == _TRACKING:
        steps = tuple({**one, "track": True} if one["op"] == "replace_text" else one for one in steps)
    kept = keep_plan(workspace, found, build_plan(found.host, steps, task), task=task)
    check_plan(kept.value, kept.target, language)
    told: JsonObject = {"document": found.id, "title": found.name, "question": "", "tables": [], "findings": []}
    if is_written(workspace, kept, find_mode(message), language):
        return {**told, "plan": "", "changes": 0, "summary": TEXTS.render("unchanged", language, name=found.name)}
    summary = TEXTS.render("drafted", language, name=found.name)
    return {**told, "plan": kept.name, "changes": len(steps), "summary": summary}

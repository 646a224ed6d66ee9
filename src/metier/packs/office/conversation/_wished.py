"""The skill for what a message wants from an attached file, told by the kind of the file."""

from pathlib import Path, PurePosixPath
from typing import ClassVar, Final

from metier.attachments import list_attachments
from metier.errors import MetierError
from metier.language import Note, Sentences
from metier.pack import ClaimedSkill
from metier.packs.office.conversation._documents import ConversationDocument, list_documents
from metier.packs.office.conversation._reading import read_head
from metier.packs.office.wishes import (
    KIND_TITLES,
    LOOKUP,
    DocumentKindFound,
    DocumentWish,
    find_skill,
    list_asked_terms,
    list_shared_terms,
    read_place,
    read_wishes,
    tell_kind,
)

__all__ = ["find_wished"]

_MAX_DOCUMENTS: Final = 4
_MAX_BYTES: Final = 3_000_000
_DATA: Final = (".csv", ".tsv", ".json", ".jsonl")
_TOLD_SHARE: Final = 0.5


class AttachedNote(Note):
    """Why a file is meant, and of what kind it is."""

    sentences: ClassVar[Sentences] = Sentences(
        {
            "by_words": (
                "“{name}” is attached, by its words {kind} ({words})",
                "附上的「{name}」从用词看是{kind}（{words}）",
            ),
            "by_format": ("“{name}” is attached, {kind}", "附上的「{name}」是{kind}"),
            **{kind: (title.en, title.zh) for kind, title in KIND_TITLES.items()},
        }
    )


def find_wished(message: str, workspace: Path, *, is_sure: bool) -> ClaimedSkill | None:
    """The skill for a wish that a whole message says about a file; None for other messages, and for files of two kinds.

    With `is_sure` only a message counts that names the file, or says what it is: “this sheet”, 这份合同.
    """
    files = _list_files(workspace)
    for wish in read_wishes(message, [name for name, _ in files], loosely=not is_sure):
        if is_sure and not wish.names and (not wish.nouns or wish.wish == LOOKUP):
            continue
        named = [one for one in files if wish.names and one[0].casefold() in message.casefold()]
        fits = (_fit(wish, one, workspace, bool(named)) for one in (named or files)[-_MAX_DOCUMENTS:])
        found = [one for one in fits if one is not None]
        if found:
            return found[-1] if len({one.skill for one in found}) == 1 else None
    return None


def _list_files(workspace: Path) -> list[tuple[str, ConversationDocument | None]]:
    """Files by name; data have no document of this pack."""
    known: list[tuple[str, ConversationDocument | None]] = [(one.name, one) for one in list_documents(workspace)]
    data = [one.name for one in list_attachments(workspace) if PurePosixPath(one.name).suffix.lower() in _DATA]
    return [*known, *((name, None) for name in data)]


def _fit(
    wish: DocumentWish, file: tuple[str, ConversationDocument | None], workspace: Path, is_named: bool
) -> ClaimedSkill | None:
    name, document = file
    kind = DocumentKindFound("data") if document is None else _tell_kind(wish, document, workspace, is_named)
    if kind is None or (wish.nouns and not is_named and kind.kind not in wish.nouns):
        return None
    skill = find_skill(wish.wish, kind.kind)
    return ClaimedSkill(skill, _explain(name, kind)) if skill else None


def _tell_kind(
    wish: DocumentWish, document: ConversationDocument, workspace: Path, is_named: bool
) -> DocumentKindFound | None:
    """Kind of a document that can be read at once; None for others, and for one that says nothing of what is asked."""
    try:
        if (workspace / document.current).stat().st_size > _MAX_BYTES:
            return None
        head = read_head(workspace, document)
    except (MetierError, OSError):
        return None  # the skill that opens it says what is wrong
    if head is None:
        return None
    place = read_place(wish.rest)
    is_placed = place is not None and (place.sort == "slide") == bool(head.slides)
    if wish.wish == LOOKUP and not is_named and not is_placed:
        texts = [one.line for one in head.pieces] + [text for one in head.slides for text in (one.title, *one.texts)]
        if not _tells(wish.rest, texts, 0 if wish.nouns else _TOLD_SHARE):
            return None
    return tell_kind(head)


def _tells(question: str, texts: list[str], share: float) -> bool:
    """Whether this share of the telling words of a question stands in the document, one of them at least."""
    asked = len(list_asked_terms(question))
    told = {term for text in texts for term in list_shared_terms(question, text)}
    return bool(told) and len(told) >= share * asked


def _explain(name: str, kind: DocumentKindFound) -> AttachedNote:
    title = AttachedNote.of(kind.kind)
    if not kind.evidence:
        return AttachedNote.of("by_format", name=name, kind=title)
    return AttachedNote.of("by_words", name=name, kind=title, words=kind.evidence)

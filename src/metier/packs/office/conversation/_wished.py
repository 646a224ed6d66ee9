"""The skill for what a message wants from an attached file, told by the kind of the file."""

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final

from metier.attachments import list_attachments, match_names
from metier.errors import MetierError
from metier.language import Note, Sentences
from metier.pack import ClaimedSkill
from metier.packs.office.conversation._documents import ConversationDocument, list_documents
from metier.packs.office.conversation._reading import read_head
from metier.packs.office.conversation.patterns import find_patterned_work
from metier.packs.office.wishes import (
    KIND_TITLES,
    LOOKUP,
    DocumentKindFound,
    DocumentWish,
    asks_value,
    find_skill,
    measure_told,
    read_place,
    read_wishes,
    tell_kind,
)

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading

__all__ = ["find_patterned", "find_wished"]

_MAX_DOCUMENTS: Final = 4
_MAX_BYTES: Final = 3_000_000
_DATA: Final = (".csv", ".tsv", ".json", ".jsonl")
_TOLD_SHARE: Final = 0.55


_NOTES: Final = Sentences(
    {
        "by_words": (
            "“{name}” is attached, by its words {kind} ({words})",
            "附上的「{name}」从用词看是{kind}（{words}）",
        ),
        "by_template": (
            "“{name}” is named as the template of the slides",
            "说了以「{name}」为幻灯片的模板",
        ),
        "by_sample": (
            "“{name}” is named as the sample of the formatting",
            "说了以「{name}」为格式的样本",
        ),
        "by_unknown_sample": (
            "the formatting of a sample is asked for",
            "要求照样本的格式",
        ),
        "by_format": ("“{name}” is attached, {kind}", "附上的「{name}」是{kind}"),
        **{kind: (title.en, title.zh) for kind, title in KIND_TITLES.items()},
    }
)


class AttachedNote(Note):
    """Why a file is meant, and of what kind it is."""

    sentences: ClassVar[Sentences] = _NOTES


def find_wished(message: str, workspace: Path, *, is_sure: bool) -> ClaimedSkill | None:
    """The skill for a wish that a whole message says about a file; None for other messages, and for files of two kinds.

    With `is_sure` only a message counts that names the file, or says what it is (“this sheet”, 这份合同), or a question
    whose words all stand in one place: for a value, or with such a noun.
    """
    files = _list_files(workspace)
    names = [name for name, _ in files]
    for wish in read_wishes(message, names, loosely=not is_sure):
        asks = wish.wish == LOOKUP and asks_value(wish.rest)
        if is_sure and not (wish.names or wish.nouns or asks):
            continue
        written = {one.name for one in match_names(message, names)} if wish.names else ()
        named = [one for one in files if one[0] in written]
        share = 1.0 if is_sure else 0.0 if wish.nouns else _TOLD_SHARE
        fits = (_fit(wish, one, workspace, None if named else share) for one in (named or files)[-_MAX_DOCUMENTS:])
        found = [one for one in fits if one is not None]
        if found:
            return found[-1] if len({one.skill for one in found}) == 1 else None
    return None


def find_patterned(message: str, workspace: Path) -> ClaimedSkill | None:
    """The skill for a message that names one file as the template or sample for another; None for other messages."""
    if (found := find_patterned_work(message, workspace)) is None:
        return None
    skill, pattern = found
    if pattern is None:
        return ClaimedSkill(skill, AttachedNote.of("by_unknown_sample"))
    code = "by_template" if pattern.kind == "pptx" else "by_sample"
    return ClaimedSkill(skill, AttachedNote.of(code, name=pattern.name))


def _list_files(workspace: Path) -> list[tuple[str, ConversationDocument | None]]:
    """Files by name; data have no document of this pack."""
    known: list[tuple[str, ConversationDocument | None]] = [(one.name, one) for one in list_documents(workspace)]
    data = [one.name for one in list_attachments(workspace) if PurePosixPath(one.name).suffix.lower() in _DATA]
    return [*known, *((name, None) for name in data)]


def _fit(
    wish: DocumentWish, file: tuple[str, ConversationDocument | None], workspace: Path, share: float | None
) -> ClaimedSkill | None:
    """The skill for a wish about a file; `share` of what is asked must stand in it, None for a file that is named."""
    name, document = file
    if wish.wish == LOOKUP and document is None and share is not None:
        return None  # the pack that computes with data knows better what is asked of them
    kind = DocumentKindFound("data") if document is None else _tell_kind(wish, document, workspace, share)
    if kind is None or (wish.nouns and share is not None and kind.kind not in wish.nouns):
        return None
    skill = find_skill(wish.wish, kind.kind)
    return ClaimedSkill(skill, _explain(name, kind)) if skill else None


def _tell_kind(
    wish: DocumentWish, document: ConversationDocument, workspace: Path, share: float | None
) -> DocumentKindFound | None:
    """Kind of a document that can be read at once; None for others, and for one that says nothing of what is asked."""
    try:
        if (workspace / document.current).stat().st_size > _MAX_BYTES:
            return None
        head = read_head(workspace, document)
    except (MetierError, OSError):
        return None  # the skill that opens it says what is wrong
    if head is None or (wish.wish == LOOKUP and share is not None and not _tells(wish.rest, head, share)):
        return None
    return tell_kind(head)


def _tells(question: str, head: "Reading", share: float) -> bool:
    """Whether a document has the place that a question names, or this share of its telling words: all in one place."""
    place = read_place(question)
    if place is not None and (place.sort == "slide") == bool(head.slides) and share < 1:
        return True
    texts = [one.line for one in head.pieces] + [text for one in head.slides for text in (one.title, *one.texts)]
    if share == 1:
        return any(measure_told(question, (one,)) == 1 for one in texts)
    told = measure_told(question, texts)
    return told >= share and (told > 0 or (share == 0 and bool(texts) and asks_value(question)))


def _explain(name: str, kind: DocumentKindFound) -> AttachedNote:
    title = AttachedNote.of(kind.kind)
    if not kind.evidence:
        return AttachedNote.of("by_format", name=name, kind=title)
    return AttachedNote.of("by_words", name=name, kind=title, words=kind.evidence)

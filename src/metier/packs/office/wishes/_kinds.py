"""Of what kind an attached document is, told from its content, with the words that say so."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, get_args

from metier.compiled import compile_constant
from metier.language import BilingualText
from metier.packs.office.wishes._tables import load_tables

if TYPE_CHECKING:
    import re

    from metier.packs.office.analysis import Reading

AttachedKind = Literal["sheet", "data", "slides", "transcript", "contract", "tender", "exam", "notice", "document"]
KIND_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "sheet": BilingualText("表格文件", "a workbook"),
        "data": BilingualText("数据文件", "a file of data"),
        "slides": BilingualText("演示文件", "a presentation"),
        "transcript": BilingualText("会议录音稿", "a transcript"),
        "contract": BilingualText("合同", "a contract"),
        "tender": BilingualText("招标或投标文件", "a tender or bid"),
        "exam": BilingualText("试卷", "an exam"),
        "notice": BilingualText("通知或公文", "a notice"),
        "document": BilingualText("文字文档", "a text document"),
    }
)
_ENOUGH: Final = 2
_MAX_LINES: Final = 400
_MAX_EVIDENCE: Final = 3
_MIN_TALK: Final = 3
_TALK_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class DocumentKindFound:
    """Kind of a document, and the words in it that say so; none where the file format says it."""

    kind: AttachedKind
    evidence: tuple[str, ...] = ()


def tell_kind(reading: "Reading") -> DocumentKindFound:
    """The kind of a document: the one that most of its telling words belong to, at least two of them."""
    if reading.sheets:
        return DocumentKindFound("sheet")
    if reading.slides:
        return DocumentKindFound("slides")
    lines = [one.line for one in reading.pieces if one.line.strip()][:_MAX_LINES]
    if speakers := _list_speakers(lines):
        return DocumentKindFound("transcript", speakers[:_MAX_EVIDENCE])
    text = "\n".join(lines)
    found = {kind: tuple(dict.fromkeys(one[0] for one in form.finditer(text))) for kind, form in _forms().items()}
    best = max(found, key=lambda kind: len(found[kind]))
    others = max(len(words) for kind, words in found.items() if kind != best)
    if len(found[best]) < _ENOUGH or others == len(found[best]):
        return DocumentKindFound("document")
    return DocumentKindFound(best, found[best][:_MAX_EVIDENCE])


@cache
def _forms() -> "Mapping[AttachedKind, re.Pattern[str]]":
    import re

    words: Mapping[str, Sequence[str]] = load_tables()["kinds"]
    return {
        kind: compile_constant("|".join(words[kind]), re.IGNORECASE | re.MULTILINE)
        for kind in get_args(AttachedKind)
        if kind in words
    }


def _list_speakers(lines: Sequence[str]) -> tuple[str, ...]:
    """Who speaks in a text most of whose lines begin with a speaker, of whom there are two; empty for other texts."""
    import re

    form = compile_constant(load_tables()["speaker"], re.IGNORECASE)
    said = [found["who"].strip() for line in lines if (found := form.match(line))]
    counts = Counter(said)
    if len(said) < max(_MIN_TALK, _TALK_SHARE * len(lines)) or len(counts) < _ENOUGH:
        return ()
    return tuple(counts) if len(counts) < len(said) or len(said) == _MIN_TALK else ()

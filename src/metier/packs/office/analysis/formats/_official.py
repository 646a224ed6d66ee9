"""Parts of an official document: where its annexes begin, its headings with their new numbers, and what is left."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from metier.language import Language, Sentences, join_names
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.formats._roles import ParagraphRole

__all__ = ["cut_annexes", "renumber", "tell_left"]

_ANNEX: Final = re.compile(r"附\s*件\s*(?:[\d一二三四五六七八九十]{1,3})?\s*[：:]?")
_TABLE: Final = re.compile(r"^(t\d+)\.")
_WORDS: Final = Sentences(
    {
        "left": (" Left as they are: {parts}; check them yourself.", "以下部分保持原样，请自行核对：{parts}。"),
        "tables": ("tables ({count})", "表格（{count} 个）"),
        "annexes": ("annexes from “{line}” on", "“{line}”起的附件"),
        "running": ("texts of headers and footers", "页眉页脚里的文字"),
        "head": ("lines of the head and the imprint ({count})", "版头和版记（{count} 行）"),
    }
)


def cut_annexes(pieces: Sequence[TextPiece]) -> tuple[tuple[TextPiece, ...], str]:
    """The pieces before the annexes, and the line that opens them; a line `附件：1. …` only lists them."""
    for at, piece in enumerate(pieces):
        if piece.kind in ("heading", "paragraph") and at and _ANNEX.fullmatch(piece.line.strip()):
            return tuple(pieces[:at]), piece.line.strip()
    return tuple(pieces), ""


def renumber(pieces: Sequence[TextPiece], forms: Sequence[DocumentFinding]) -> tuple[TextPiece, ...]:
    """The pieces with the numbers that they will have: a heading looks as its new level."""
    changes = {one.address: (one.quote, one.replacement) for one in forms if one.quote and one.replacement}
    return tuple(
        replace(one, text=one.text.replace(*changes[one.address], 1)) if one.address in changes else one
        for one in pieces
    )


def tell_left(
    pieces: Sequence[TextPiece], roles: Mapping[ParagraphRole, Sequence[TextPiece]], annex: str, language: Language
) -> str:
    """What keeps its look, in one sentence; empty if nothing does."""
    tables = {match[1] for one in pieces if (match := _TABLE.match(one.address))}
    dressed = {one.address for found in roles.values() for one in found}
    before, _ = cut_annexes(pieces)
    head = [one for one in before if one.kind in ("heading", "paragraph") and one.line.strip()]
    others = sum(1 for one in head if one.address not in dressed)
    parts = [_WORDS.render("tables", language, count=len(tables))] if tables else []
    parts += [_WORDS.render("annexes", language, line=annex)] if annex else []
    parts += [_WORDS.render("head", language, count=others)] if others else []
    if any(one.kind in ("header", "footer") and one.line.strip() for one in pieces):
        parts.append(_WORDS.render("running", language))
    return _WORDS.render("left", language, parts=join_names(parts, language)) if parts else ""

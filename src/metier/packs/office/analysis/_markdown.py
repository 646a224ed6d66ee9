"""Text that is written in Markdown, as people read it: headings with their levels, points and words without signs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from typing import Final

from metier.packs.office._pieces import TextPiece

__all__ = ["read_markdown"]

_HEADING: Final = re.compile(r"^(?P<signs>#{1,6})\s+(?P<text>\S.*?)\s*#*$")
_POINT: Final = re.compile(r"^(?:>\s*)*(?:[-*+•]\s+)?(?:\[[ xX]\]\s+)?(?=\S)")
_LIST: Final = re.compile(r"^(?:[-*+]\s+|>\s)\S")
_BOLD: Final = re.compile(
    r"\*\*(?=\S)(?P<text>[^*\n]+?)(?<=\S)\*\*|__(?=\S)(?P<under>[^_\n]*[\s\u4e00-\u9fff][^_\n]*?)(?<=\S)__"
)
_ITALIC: Final = re.compile(r"(?<![A-Za-z0-9*\\])\*(?=[^\s*])(?P<text>[^*\n]+?)(?<=[^\s*])\*(?![A-Za-z0-9*])")
_STRUCK: Final = re.compile(r"~~(?=\S)(?P<text>[^~\n]+?)(?<=\S)~~")
_CODE: Final = re.compile(r"``(?=[^`])(?P<text>[^\n]+?)``|`(?P<one>[^`\n]+?)`")
_LINK: Final = re.compile(r"!?\[(?P<text>[^\]\n]*)\]\((?:<[^<>\n]*>|(?:[^()\s<]|\([^()\s]*\))*)(?:\s+\"[^\"]*\")?\)")
_REFERENCE: Final = re.compile(r"\[(?P<text>[^\]\n^][^\]\n]*)\]\[[^\]\n]*\]|<(?P<address>(?:https?|mailto):[^<>\s]+)>")
_DEFINED: Final = re.compile(r"^\[\^?(?P<text>[^\]\n]+)\](?=:\s)")
# Tags, comments and marks of notes, which say nothing on a slide.
_TAG: Final = re.compile(
    r"<!--.*?-->|</?(?:b|i|u|s|em|strong|del|ins|sub|sup|mark|span|font|p|div|img|center|code|kbd|small|"
    r"big)(?:\s[^<>]*)?>|"
    r"\[\^[^\]\n]+\](?!:)",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"\\(?P<text>[\\`*_{}\[\]()#+\-.!|>~])")
# Lines of signs alone: rules, underlines of headings, fences of code, the second row of a table.
_SIGNS: Final = re.compile(r"(?:[-*_=]\s*){3,}|(?:`{3,}|~{3,})\s*[\w+-]*|\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_UNDERLINE: Final = re.compile(r"(?P<first>={3,})|-{3,}")
_ROW: Final = re.compile(r"^\|(?P<cells>.+)\|$")


def read_markdown(pieces: Sequence[TextPiece]) -> list[TextPiece]:
    """The pieces without the signs of Markdown if they are written in it, else as they are."""
    if not _is_markdown(pieces):
        return list(pieces)
    found = list(_read(pieces))
    levels = [one.level for one in found[1:] if one.kind == "heading" and one.level]
    # `# Title` above `## Part`: the first heading is the title, the others begin at the first level.
    raised = min(levels, default=1) - 1
    return [replace(one, level=max(1, one.level - raised)) if one.kind == "heading" else one for one in found]


def _is_markdown(pieces: Sequence[TextPiece]) -> bool:
    lines = [one.text.strip() for one in pieces if one.kind in ("heading", "paragraph")]
    return any(_LIST.match(line) or _HEADING.match(line) or _BOLD.search(line) for line in lines)


def _read(pieces: Sequence[TextPiece]) -> Iterator[TextPiece]:
    for at, piece in enumerate(pieces):
        line = piece.text.strip()
        if piece.kind not in ("heading", "paragraph") or not line:
            yield piece
        elif _SIGNS.fullmatch(line):
            continue
        elif match := _HEADING.match(line):
            text = _cut_signs(match["text"])
            yield replace(piece, text=text, kind="heading", level=len(match["signs"]))
        else:
            under = _UNDERLINE.fullmatch(pieces[at + 1].text.strip()) if at + 1 < len(pieces) else None
            text = _cut_signs(_POINT.sub("", line, count=1))
            is_titled = under is not None and under["first"] is not None
            yield replace(piece, text=text, kind="heading", level=1) if is_titled else replace(piece, text=text)


def _cut_signs(line: str) -> str:
    row = _ROW.match(line)
    plain = " / ".join(cell.strip() for cell in row["cells"].split("|") if cell.strip()) if row else line
    plain = unescape(_TAG.sub("", _BREAK.sub(" ", plain)))
    for form in (_CODE, _LINK, _REFERENCE, _DEFINED, _BOLD, _ITALIC, _STRUCK, _ESCAPED):
        plain = form.sub(lambda match: next(one for one in match.groups() if one is not None), plain)
    return plain.strip() or line

"""Punctuation of half width in Chinese text, with the mark that belongs there."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from metier.language import Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis._wording import bilingual

__all__ = ["find_half_width"]

_HAN: Final = "\u4e00-\u9fff"
_FULL: Final[Mapping[str, str]] = MappingProxyType(
    {",": "，", ";": "；", ":": "：", "?": "？", "!": "！", "(": "（", ")": "）"}
)
# Behind a Chinese character or its closing mark; a colon of a time and a comma of thousands stand between figures.
_MARK: Final = re.compile(
    rf"(?P<before>[{_HAN}”’》）】][ ]?)(?P<mark>[,;:?!])(?=(?P<behind>[ ]?(?:[{_HAN}“‘《（【\dA-Za-z]|$)))|"
    rf"(?P<figure>[\dA-Za-z%])(?P<mark2>[,;])(?=(?P<behind2>[ ]?[{_HAN}“‘《（【]))"
)
_GROUPS: Final = (("before", "figure"), ("mark", "mark2"), ("behind", "behind2"))
_BRACKETS: Final = re.compile(rf"\((?=[^()]*[{_HAN}])[^()]{{1,60}}\)")
_WORDS: Final = Sentences(
    {
        "half_width": (
            "“{wrong}” has punctuation of half width; “{right}” is right in Chinese text.",
            "“{wrong}”用了半角标点，应为“{right}”。",
        )
    }
)


def find_half_width(pieces: Iterable[TextPiece]) -> Iterator[DocumentFinding]:
    """Each mark of half width between Chinese words, and brackets around them."""
    for piece in pieces:
        if piece.kind not in ("heading", "paragraph", "cell"):
            continue
        # Numbers such as `(一)` at the head of a line are forms of numbering and told as such.
        start = match.end() if (match := re.match(rf"\s*\([{_HAN}\d]{{1,3}}\)", piece.text)) else 0
        found = [(one.start(), *_widen(one)) for one in _MARK.finditer(piece.text, start)]
        found += [(one.start(), one[0], f"（{one[0][1:-1]}）") for one in _BRACKETS.finditer(piece.text, start)]
        for _, wrong, right in sorted(found):
            message = bilingual(_WORDS, "half_width", wrong=wrong, right=right)
            yield DocumentFinding(
                "half_width", piece.address, piece.line.strip(), message, "low", wrong, replacement=right
            )


def _widen(match: re.Match[str]) -> tuple[str, str]:
    """The mark with what stands around it, as it is and as it should be."""
    before, mark, behind = (match[one] if match[one] is not None else match[other] for one, other in _GROUPS)
    return f"{before}{mark}{behind}", f"{before.rstrip()}{_FULL[mark]}{behind.lstrip()}"

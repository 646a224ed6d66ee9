"""Pieces of a document's text as a person sees them, each with the address where it stands."""

import hashlib
import re
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["BLANK_PLACE", "PieceKind", "TextPiece", "name_block"]

# Where an answer is written: a blank, empty brackets, or the end of `答：`.
BLANK_PLACE: Final = re.compile(r"_{2,}|＿{2,}|（\s*）|\(\s*\)|【\s*】|\[\s*\]|(?:答案?|解)\s*[:：]\s*$")

PieceKind = Literal["heading", "paragraph", "cell", "header", "footer", "footnote", "textbox", "comment"]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """One paragraph, cell or note.

    `text` is what the page shows: with tracked insertions, without tracked deletions, and without the automatic
    number, which is in `number` (`第一条`, `（一）`). `level` is 1 to 9 for headings, else 0. `address` finds the
    piece again in the unchanged file: `p12`, `t2.r3.c1` (a cell), `fn1`, `header1.p1`, `Sheet1!B4`, `s3.title`.
    `block` is the name (`name_block`) of the block that a plan wrote the piece in, empty for the user's own text.
    """

    address: str
    text: str
    kind: PieceKind = "paragraph"
    level: int = 0
    style: str = ""
    number: str = ""
    block: str = ""

    @property
    def line(self) -> str:
        """The text with its automatic number before it."""
        return (
            f"{self.number}{self.text}"
            if self.number.endswith(("、", "）", " "))
            else f"{self.number} {self.text}".strip()
        )


def name_block(block_id: str) -> str:
    """Name under which a document keeps the markers of a block."""
    return f"_mb_{hashlib.sha1(block_id.encode(), usedforsecurity=False).hexdigest()[:16]}"

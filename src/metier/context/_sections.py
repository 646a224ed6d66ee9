"""Fits sections into a token budget: whole pieces are kept or dropped, each drop with its reason."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from metier.json_values import JsonValue

DropCode = Literal[
    "section_limit",
    "total_limit",
    "gap",
    "window",
    "digest",
    "shortened",
    "no_result",
    "no_call",
    "twice",
    "empty",
    "role",
]


@dataclass(frozen=True, slots=True)
class Piece:
    """Smallest unit, kept whole or dropped: a rule, a case, a field, a message. Higher `worth` is kept longer."""

    id: str
    text: str
    worth: float = 0.0
    required: bool = False
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the prompt: heading text and pieces, in reading order.

    A section without pieces counts as one piece, its text. A `required` section is kept whole whatever the limit. With
    `contiguous`, no piece of lower worth is kept once one did not fit.
    """

    name: str
    text: str = ""
    priority: int = 0
    required: bool = False
    pieces: tuple[Piece, ...] = ()
    limit_tokens: int | None = None
    contiguous: bool = False


@dataclass(frozen=True, slots=True)
class DroppedPiece:
    """A piece the model does not see, and why."""

    section: str
    piece: str
    tokens: int
    code: DropCode
    text: str

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "section": self.section,
            "piece": self.piece,
            "tokens": self.tokens,
            "code": self.code,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class SectionUse:
    """Usage of one section: tokens spent, pieces kept and dropped."""

    name: str
    tokens: int
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    limit_tokens: int | None = None
    required: bool = False

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "name": self.name,
            "tokens": self.tokens,
            "kept": list(self.kept),
            "dropped": list(self.dropped),
            "limit_tokens": self.limit_tokens,
            "required": self.required,
        }


@dataclass(frozen=True, slots=True)
class FittedSections:
    """The kept pieces of every section. `tokens` is the sum of the pieces; the rendered text is counted separately."""

    pieces: tuple[tuple[Section, tuple[Piece, ...]], ...]
    uses: tuple[SectionUse, ...]
    dropped: tuple[DroppedPiece, ...]
    tokens: int
    optional_count: int

    def get_pieces(self, name: str) -> tuple[Piece, ...]:
        """The kept pieces of one section, in reading order."""
        return next((kept for section, kept in self.pieces if section.name == name), ())

    def render(self, names: Iterable[str]) -> str:
        """Render the named sections as one text, each with its heading; empty sections are skipped."""
        kept = {section.name: _render_section(section, pieces) for section, pieces in self.pieces}
        return "\n\n".join(kept[name] for name in names if kept.get(name))


def _render_section(section: Section, pieces: Sequence[Piece]) -> str:
    if not pieces:
        return ""
    heading = [section.text] if section.text and section.pieces else []
    return "\n\n".join([*heading, *(piece.text for piece in pieces)])


@dataclass(slots=True)
class _SectionFit:
    section: Section
    pieces: tuple[Piece, ...]
    costs: tuple[int, ...]
    heading: int
    kept: set[int] = field(default_factory=set)
    spent: int = 0
    dropped: list[DroppedPiece] = field(default_factory=list)

    @classmethod
    def from_section(cls, section: Section, count: Callable[[str], int]) -> "_SectionFit":
        whole = Piece(section.name, section.text) if section.text.strip() else None
        pieces = section.pieces or ((whole,) if whole else ())
        costs = tuple(count(piece.text) + 1 if piece.tokens is None else piece.tokens for piece in pieces)
        heading = count(section.text) + 1 if section.text and section.pieces else 0
        return cls(section, pieces, costs, heading)

    def is_required(self, at: int) -> bool:
        return self.section.required or self.pieces[at].required

    def keep(self, at: int) -> int:
        cost = self.cost(at)
        self.kept.add(at)
        self.spent += cost
        return cost

    def cost(self, at: int) -> int:
        return self.costs[at] + (0 if self.kept else self.heading)

    def keep_required(self) -> int:
        return sum(self.keep(at) for at in range(len(self.pieces)) if self.is_required(at))

    def fill(self, left: int) -> int:
        """Keep the pieces that fit, most valuable first; returns the tokens spent."""
        before = self.spent
        rest = sorted(
            (at for at in range(len(self.pieces)) if at not in self.kept), key=lambda at: -self.pieces[at].worth
        )
        for at in rest:
            problem = self._find_drop_reason(at, left - (self.spent - before))
            if problem is None:
                self.keep(at)
            else:
                self.dropped.append(DroppedPiece(self.section.name, self.pieces[at].id, self.costs[at], *problem))
        return self.spent - before

    def _find_drop_reason(self, at: int, left: int) -> tuple[DropCode, str] | None:
        limit, cost = self.section.limit_tokens, self.cost(at)
        if self.section.contiguous and self.dropped:
            return "gap", f"what came after {self.pieces[at].id} did not fit"
        if limit is not None and self.spent + cost > limit:
            return (
                "section_limit",
                f"{cost} tokens, and {max(0, limit - self.spent)} of the section's {limit} were left",
            )
        if cost > left:
            return "total_limit", f"{cost} tokens, and {max(0, left)} were left in all"
        return None

    def to_section_use(self) -> SectionUse:
        kept = tuple(self.pieces[at].id for at in sorted(self.kept))
        gone = tuple(one.piece for one in self.dropped)
        return SectionUse(self.section.name, self.spent, kept, gone, self.section.limit_tokens, self.section.required)


def fit(sections: Iterable[Section], limit_tokens: int, count: Callable[[str], int]) -> FittedSections:
    """Keep required pieces first, then sections by priority and their pieces by worth, while tokens are left."""
    shares = [_SectionFit.from_section(section, count) for section in sections]
    left = limit_tokens - sum(share.keep_required() for share in shares)
    for share in sorted(shares, key=lambda share: -share.section.priority):
        left -= share.fill(left)
    return FittedSections(
        pieces=tuple((share.section, tuple(share.pieces[at] for at in sorted(share.kept))) for share in shares),
        uses=tuple(share.to_section_use() for share in shares if share.pieces),
        dropped=tuple(one for share in shares for one in share.dropped),
        tokens=sum(share.spent for share in shares),
        optional_count=sum(not share.is_required(at) for share in shares for at in share.kept),
    )

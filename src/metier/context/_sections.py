"""Fits sections into a token budget: whole pieces are kept or dropped, each drop with its reason."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from metier.jsons import JsonValue

DropCode = Literal[
    "section_limit",
    "total_limit",
    "gap",
    "window",
    "cleared",
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
    run: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
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
class Fitted:
    """The kept pieces of every section. `tokens` is the sum of the pieces; the rendered text is counted separately."""

    pieces: tuple[tuple[Section, tuple[Piece, ...]], ...]
    uses: tuple[SectionUse, ...]
    dropped: tuple[Dropped, ...]
    tokens: int
    optional: int

    def of(self, name: str) -> tuple[Piece, ...]:
        """The kept pieces of one section, in reading order."""
        return next((kept for section, kept in self.pieces if section.name == name), ())

    def text(self, names: Iterable[str]) -> str:
        """Render the named sections as one text, each with its heading; empty sections are skipped."""
        kept = {section.name: _written(section, pieces) for section, pieces in self.pieces}
        return "\n\n".join(kept[name] for name in names if kept.get(name))


def _written(section: Section, pieces: Sequence[Piece]) -> str:
    if not pieces:
        return ""
    heading = [section.text] if section.text and section.pieces else []
    return "\n\n".join([*heading, *(piece.text for piece in pieces)])


@dataclass(slots=True)
class _Share:
    section: Section
    pieces: tuple[Piece, ...]
    costs: tuple[int, ...]
    heading: int
    kept: set[int] = field(default_factory=set)
    spent: int = 0
    dropped: list[Dropped] = field(default_factory=list)

    @classmethod
    def of(cls, section: Section, count: Callable[[str], int]) -> "_Share":
        whole = Piece(section.name, section.text) if section.text.strip() else None
        pieces = section.pieces or ((whole,) if whole else ())
        costs = tuple(count(piece.text) + 1 if piece.tokens is None else piece.tokens for piece in pieces)
        heading = count(section.text) + 1 if section.text and section.pieces else 0
        return cls(section, pieces, costs, heading)

    def must(self, at: int) -> bool:
        return self.section.required or self.pieces[at].required

    def keep(self, at: int) -> int:
        cost = self.cost(at)
        self.kept.add(at)
        self.spent += cost
        return cost

    def cost(self, at: int) -> int:
        return self.costs[at] + (0 if self.kept else self.heading)

    def take_required(self) -> int:
        return sum(self.keep(at) for at in range(len(self.pieces)) if self.must(at))

    def fill(self, left: int) -> int:
        """Keep the pieces that fit, most valuable first; returns the tokens spent."""
        before = self.spent
        rest = sorted(
            (at for at in range(len(self.pieces)) if at not in self.kept), key=lambda at: -self.pieces[at].worth
        )
        for at in rest:
            problem = self._problem(at, left - (self.spent - before))
            if problem is None:
                self.keep(at)
            else:
                self.dropped.append(Dropped(self.section.name, self.pieces[at].id, self.costs[at], *problem))
        return self.spent - before

    def _problem(self, at: int, left: int) -> tuple[DropCode, str] | None:
        limit, cost = self.section.limit_tokens, self.cost(at)
        if self.section.run and self.dropped:
            return "gap", f"what came after {self.pieces[at].id} did not fit"
        if limit is not None and self.spent + cost > limit:
            return (
                "section_limit",
                f"{cost} tokens, and {max(0, limit - self.spent)} of the section's {limit} were left",
            )
        if cost > left:
            return "total_limit", f"{cost} tokens, and {max(0, left)} were left in all"
        return None

    def use(self) -> SectionUse:
        kept = tuple(self.pieces[at].id for at in sorted(self.kept))
        gone = tuple(one.piece for one in self.dropped)
        return SectionUse(self.section.name, self.spent, kept, gone, self.section.limit_tokens, self.section.required)


def fit(sections: Iterable[Section], limit_tokens: int, count: Callable[[str], int]) -> Fitted:
    """Keep required pieces first, then sections by priority and their pieces by worth, while tokens are left."""
    shares = [_Share.of(section, count) for section in sections]
    left = limit_tokens - sum(share.take_required() for share in shares)
    for share in sorted(shares, key=lambda share: -share.section.priority):
        left -= share.fill(left)
    return Fitted(
        pieces=tuple((share.section, tuple(share.pieces[at] for at in sorted(share.kept))) for share in shares),
        uses=tuple(share.use() for share in shares if share.pieces),
        dropped=tuple(one for share in shares for one in share.dropped),
        tokens=sum(share.spent for share in shares),
        optional=sum(not share.must(at) for share in shares for at in share.kept),
    )

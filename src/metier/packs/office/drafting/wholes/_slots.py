"""What a message says of the one text that it asks for, by slots."""

from dataclasses import dataclass, field

__all__ = ["ToldSlots", "UnreadWords"]


class UnreadWords(Exception):  # no error of the program: the message is left to the other readers
    """Words that are not read, or that say a slot twice."""


@dataclass(slots=True)
class ToldSlots:
    """Texts by slot, the items of the list, and what is said of them."""

    texts: dict[str, str] = field(default_factory=dict)
    items: tuple[str, ...] = ()
    flags: set[str] = field(default_factory=set)
    counts: set[int] = field(default_factory=set)
    levels: int | None = None
    remarks: list[str] = field(default_factory=list)  # clauses that the plan must bear out
    left_out: list[str] = field(default_factory=list)  # clauses that are told as left out

    def put(self, slot: str, text: str) -> None:
        """Fill a slot once; the same words may stand twice."""
        if not text or self.texts.setdefault(slot, text) != text:
            raise UnreadWords(text)

    def put_items(self, items: tuple[str, ...]) -> None:
        """Fill the list once."""
        if self.items:
            raise UnreadWords(items[0])
        self.items = items

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been read yet."""
        return not (self.texts or self.items or self.flags)

    def copy(self) -> "ToldSlots":
        """A copy to go back to."""
        return ToldSlots(
            dict(self.texts),
            self.items,
            set(self.flags),
            set(self.counts),
            self.levels,
            list(self.remarks),
            list(self.left_out),
        )

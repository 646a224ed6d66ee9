"""Marks in place of what bounds an order, so that words around it can be read."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from metier.packs.telecom.changes._bounds import Rank
from metier.packs.telecom.twin import Parameter

MARK: Final = "[\ue100-\ue4ff]"
# What may stand between the parts of one list.
BETWEEN: Final = r"(?:[\s、和与及跟或]|以及|的|小区|站点?|参数|\b(?:and|or|nor|the|cells?|changes?|settings?)\b)*"
_FIRST_MARK: Final = 0xE100
_MAX_ITEMS: Final = 0x300


@dataclass(frozen=True, slots=True)
class Item:
    words: str = ""
    cells: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    parameter: Parameter | None = None
    count: int = 0
    rank: Rank | None = None


@dataclass(slots=True)
class MarkedText:
    """The message with a mark in place of everything that bounds an order."""

    text: str
    items: list[Item] = field(default_factory=list)
    lacks_count: bool = False

    def put_item(self, pattern: re.Pattern[str], item: Item) -> None:
        """Put the mark of an item in place of every match."""
        self.put(pattern, lambda _: item)

    def put(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], Item | None]) -> None:
        def mark(found: re.Match[str]) -> str:
            made = make(found) if len(self.items) < _MAX_ITEMS else None
            if made is None:
                return found[0]
            self.items.append(replace(made, words=self.show(found[0])))
            return chr(_FIRST_MARK + len(self.items) - 1)

        self.text = pattern.sub(mark, self.text)

    def show(self, part: str) -> str:
        """A part with the words of its items, as the user said them."""
        return "".join(next((item.words for item in self.list_in(one)), one) for one in part)

    def list_in(self, part: str) -> Iterator[Item]:
        return (
            self.items[ord(one) - _FIRST_MARK]
            for one in part
            if _FIRST_MARK <= ord(one) < _FIRST_MARK + len(self.items)
        )

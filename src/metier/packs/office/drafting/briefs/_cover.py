"""Names that the rules would cut or mistake: they stand under other characters until the plan is made."""

import re
from dataclasses import dataclass, field
from typing import Final

from metier.packs.office._counts import PERIODS
from metier.packs.office._request_text import CHINESE

__all__ = ["NameCover"]

# Characters and letters in no word of a request; two or five of them stand for a bracket or a name.
_RARE: Final = "燚犇猋骉飍掱芔灥"
_LETTERS: Final = "bcdfghjklmnpqrstvwxz"
_UNIT: Final = re.compile(r"\s*[(（][^()（）\n]{1,16}[)）]$")
# A sign inside, a digit, or an English name that ends with a small word as a clause does: No., R/O, Assigned to.
_ODD: Final = re.compile(r"[a-z][A-Z]| and |[^\w\s\u4e00-\u9fff-]|\d|_| [a-z]{1,3}$|^[a-z]{1,3} ")
_PERIOD: Final = re.compile(PERIODS, re.IGNORECASE)


@dataclass(slots=True)
class NameCover:
    """What stands for such names in a request, by the names that are to be put back."""

    names: dict[str, str] = field(default_factory=dict)

    def cover(self, name: str) -> str:
        """The name, or what stands for it; a unit in brackets is covered alone."""
        if unit := _UNIT.search(name):
            return f"{self.cover(name[: unit.start()])}{self._cover_unit(name, unit[0])}"
        return self._rename(name) if _ODD.search(name) and not _PERIOD.fullmatch(name) else name

    def cover_text(self, text: str) -> str:
        """A text, or what stands for it if it has quotation marks of its own."""
        return self._rename(text) if re.search(r"[“”\"「」『』]", text) else text

    def cover_units(self, text: str) -> str:
        """A sentence whose brackets that only name a unit are covered."""
        return re.sub(
            r"(?<=[\w\u4e00-\u9fff])\s*[(（](?:[百千万亿]{0,2}(?:[美欧日]?元|吨|度|人次?|件|小时|天|台|公里|平方米|"
            r"立方米)|EUR|USD|GBP|CNY|RMB|kWh|kg|ha|h|t)[)）]",
            lambda found: self._cover_unit(text[: found.start()], found[0]),
            text,
        )

    def _cover_unit(self, name: str, unit: str) -> str:
        is_chinese = CHINESE.search(name) is not None
        return self._add(f"{'' if is_chinese else ' '}", unit, is_chinese=is_chinese)

    def _rename(self, name: str) -> str:
        return self._add("", name, is_chinese=CHINESE.search(name) is not None)

    def _add(self, before: str, said: str, *, is_chinese: bool) -> str:
        known = next((word for word, name in self.names.items() if name == said), None)
        if known is None:
            at = len(self.names)
            signs = f"{_RARE[at // len(_RARE)]}{_RARE[at % len(_RARE)]}"
            letters = f"Q{_LETTERS[at // len(_LETTERS)]}{_LETTERS[at % len(_LETTERS)]}vqx"
            known = signs if is_chinese else f"{before}{letters}"
            self.names[known] = said
        return known

"""Orders for decks."""

from typing import Final

from metier.packs.office.orders.decks._slide_content import MADE_RULES
from metier.packs.office.orders.decks._slides import SLIDE_RULES
from metier.packs.office.orders.decks._texts import TEXT_RULES
from metier.packs.office.orders.decks._whole import WHOLE_RULES

__all__ = ["DECK_RULES"]

# A slide that is copied, added or moved is named before what stands on it; what is deleted comes last.
DECK_RULES: Final = (
    *WHOLE_RULES,
    *MADE_RULES,
    *TEXT_RULES[:5],
    *SLIDE_RULES[:2],
    *TEXT_RULES[5:7],
    *SLIDE_RULES[2:],
    *TEXT_RULES[7:],
)

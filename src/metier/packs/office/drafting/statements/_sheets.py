"""The new sheet of a message that is read to its last word."""

from typing import TYPE_CHECKING, Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting.statements._budgets import state_budget
from metier.packs.office.drafting.statements._gantt import state_gantt
from metier.packs.office.drafting.statements._groups import state_totals
from metier.packs.office.drafting.statements._series import state_series

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_sheet"]

_READERS: Final = (state_gantt, state_budget, state_totals, state_series)


def state_sheet(request: str, language: "Language") -> DraftBlock | None:
    """The block of the one thing that a message asks for; None unless every word of it is read."""
    return next((block for read in _READERS if (block := read(RequestText(request), language)) is not None), None)

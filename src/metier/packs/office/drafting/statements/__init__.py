"""Messages read whole: what the thing is, its data, and clauses that say what it has anyway, in any order."""

from metier.packs.office.drafting.statements._sheets import state_sheet
from metier.packs.office.drafting.statements._slides import state_slide

__all__ = ["state_sheet", "state_slide"]

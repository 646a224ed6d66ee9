"""Remarks that say what the plan has or does anyway: each is accepted only where the plan drafted bears it out."""

from metier.packs.office.drafting.remarks._clauses import list_spans
from metier.packs.office.drafting.remarks._kinds import holds_in, may_refuse, may_remark
from metier.packs.office.drafting.remarks._strike import Bare, strike_refusals, strike_remarks

__all__ = ["Bare", "holds_in", "list_spans", "may_refuse", "may_remark", "strike_refusals", "strike_remarks"]

"""Recommended parameters put into force and taken back: tools, what an approver is shown, and what is in force."""

from metier.packs.telecom.delivery._previews import ROWS, describe_in_force
from metier.packs.telecom.delivery._reports import compute_effect
from metier.packs.telecom.delivery._tools import CellNames, SummaryLanguage, build_delivery_tools

__all__ = ["ROWS", "CellNames", "SummaryLanguage", "build_delivery_tools", "compute_effect", "describe_in_force"]

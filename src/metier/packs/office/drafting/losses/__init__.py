"""What a request says and its finished plan does not have: half of a title, a copy, a name without a number."""

from metier.packs.office.drafting.losses._content import loses_content
from metier.packs.office.drafting.losses._find import find_lost, find_misread
from metier.packs.office.drafting.losses._requests import find_condition

__all__ = ["find_condition", "find_lost", "find_misread", "loses_content"]

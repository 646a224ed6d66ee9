"""Lists of names in a request: where they stand, and which words carry them without being part of them."""

from metier.packs.office.drafting.lists._bullets import is_bulleted, take_bullets
from metier.packs.office.drafting.lists._carriers import COLUMN_WORDS, LEAD_WORDS, strip_article, strip_lead, strip_tail
from metier.packs.office.drafting.lists._joins import AND_EN, AND_ZH
from metier.packs.office.drafting.lists._lists import FoundList, find_columns_lists, find_lists, find_marks, split_items
from metier.packs.office.drafting.lists._marked_off import is_marked_off
from metier.packs.office.drafting.lists._refused import check_refused, strike_refused
from metier.packs.office.drafting.lists._said_lists import SaidList, find_said_lists, list_unkept
from metier.packs.office.drafting.lists._to_do import add_to_do, find_to_do, take_to_do

__all__ = [
    "AND_EN",
    "AND_ZH",
    "COLUMN_WORDS",
    "LEAD_WORDS",
    "FoundList",
    "SaidList",
    "add_to_do",
    "check_refused",
    "find_columns_lists",
    "find_lists",
    "find_marks",
    "find_said_lists",
    "find_to_do",
    "is_bulleted",
    "is_marked_off",
    "list_unkept",
    "split_items",
    "strike_refused",
    "strip_article",
    "strip_lead",
    "strip_tail",
    "take_bullets",
    "take_to_do",
]

"""What a message asks of records: which part of one, another parameter, a measured value, a fault frequency."""

from metier.packs.phm.requests._asked import find_asked_skill, find_changes, find_follow_up_skill, list_rated
from metier.packs.phm.requests._figures import QUANTITIES, Quantity, list_quantities
from metier.packs.phm.requests._parts import (
    RecordPart,
    join_parts,
    list_left_out,
    list_part_words,
    read_part,
    wants_whole,
)

__all__ = [
    "QUANTITIES",
    "Quantity",
    "RecordPart",
    "find_asked_skill",
    "find_changes",
    "find_follow_up_skill",
    "join_parts",
    "list_left_out",
    "list_part_words",
    "list_quantities",
    "list_rated",
    "read_part",
    "wants_whole",
]

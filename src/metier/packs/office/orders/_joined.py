"""Steps of several orders in one message: put in an order in which each still finds its place."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject

__all__ = ["join_orders"]

# Steps after which slides, rows or columns have other numbers.
_SHIFTS: Final = frozenset(
    {"add_slide", "delete_slide", "duplicate_slide", "reorder_slides", "insert_lines", "delete_lines"}
)


def join_orders(groups: Sequence[Sequence[JsonObject]]) -> list[JsonObject] | None:
    """One list of the steps of all orders; None if two of them would be in each other's way.

    Orders name slides, rows and columns as they are now: those that shift them come last, and only one may.
    """
    listed = [list(one) for one in groups if one]
    moving = [one for one in listed if any(step["op"] in _SHIFTS for step in one)]
    staying = [one for one in listed if one not in moving]
    ops = {str(step["op"]) for one in listed for step in one}
    if "sort_range" in ops and "delete_lines" in ops:
        return None  # rows are named by numbers that the other step changes
    if len(moving) > 1:
        steps = [step for one in moving for step in one]
        ends = [step for step in steps if step["op"] == "add_slide" and "position" not in step]
        rest = [step for step in steps if step not in ends]
        if any(step["op"] != "delete_slide" for step in rest):
            return None
        moving = [sorted(rest, key=lambda step: -int(str(step.get("slide_index", 0)))), ends]
    made: list[JsonObject] = []
    for one in (*staying, *moving):
        made += [step for step in one if step not in made]
    return None if len(listed) > 1 and _overlap(listed) else made


def _overlap(groups: Sequence[Sequence[JsonObject]]) -> bool:
    """Whether two orders write to the same cells."""
    seen: set[str] = set()
    for one in groups:
        own = {cell for step in one for cell in _cells(step)}
        if own & seen:
            return True
        seen |= own
    return False


def _cells(step: JsonObject) -> set[str]:
    """Cells that a step fills: single ones, and the first of a filled range."""
    if step["op"] == "set_cell_formula":
        return {re.split(r":", str(step["cell"]))[0]}
    listed = step.get("cells")
    if step["op"] != "set_cells" or not isinstance(listed, list):
        return set()
    return {str(one.get("cell")) for one in listed if isinstance(one, dict)}

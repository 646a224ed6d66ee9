"""Cells of a plan that are several: what divides the cells of a message stands inside of one."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_rows

__all__ = ["find_divided_cell"]

_DIVIDES: Final = re.compile(r"[\t|｜]")


def find_divided_cell(steps: Sequence[JsonObject]) -> str:
    """The first cell with a tab or a stroke in it; empty if there is none."""
    cells = (cell for step in steps for row in list_rows(step) for cell in row)
    return next((cell for cell in cells if _DIVIDES.search(cell)), "")

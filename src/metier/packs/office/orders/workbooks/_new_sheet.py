"""What an order beside one for a new sheet may be about."""

import json
import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["check_new_sheet"]

# Words that name what is there already.
_THERE: Final = re.compile(
    r"这[张个份]|原来?|原有|现有|当前|旧|\b(?:this|the (?:old|existing|current|original|present)|these)\b",
    re.IGNORECASE,
)


def check_new_sheet(said: str, steps: Sequence[JsonObject], reading: Reading) -> None:
    """Ask where a message makes a sheet and changes another one that it does not name: its total may be the new one's.

    Steps of a new sheet alone, and words that name a sheet, column or cell value that is there, leave nothing open.
    """
    made = [name for one in steps if one["op"] == "ensure_sheet" and (name := str(one["sheet_name"])) in said]
    others = [
        one
        for one in steps
        if one["op"] != "ensure_sheet" and not any(name in json.dumps(one, ensure_ascii=False) for name in made)
    ]
    if not made or not others:
        return
    known = [one.name for one in reading.sheets]
    texts = [str(cell.value) for one in reading.sheets for cell in one.cells if isinstance(cell.value, str)]
    bare = said
    for one in made:
        bare = bare.replace(one, " ")
    names_sheet = _THERE.search(bare) is not None or any(one in bare for one in known)
    writes_old = any(one["op"] in ("set_cells", "set_cell_formula") for one in others)
    if not names_sheet and (writes_old or not any(len(one) > 1 and one in bare for one in texts)):
        raise OrderUnclear("which_sheet", known=tuple([*known, *made]))

"""Names of sheets as formulas and addresses need them."""

import re
from functools import lru_cache
from typing import Final

__all__ = ["quote_sheet"]

_PLAIN: Final = re.compile(r"[A-Za-z_\u4e00-\u9fff][A-Za-z0-9_.\u4e00-\u9fff]*")
# A name that could be a cell (B5, R1) is quoted as one with blanks or signs is.
_CELL: Final = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]\d*")


@lru_cache(maxsize=64)  # asked for each cell
def quote_sheet(name: str) -> str:
    """Name of a sheet before the `!` of an address."""
    return name if _PLAIN.fullmatch(name) and not _CELL.fullmatch(name) else "'" + name.replace("'", "''") + "'"

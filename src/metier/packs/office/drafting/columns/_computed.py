"""Columns that are said to be computed: 差额（公式） names the column 差额 and says how it is filled."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject

__all__ = ["ComputedColumns", "read_computed"]

_COMPUTED: Final = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{0,6})\s*[(（](?:(?P=name)[列栏]?)?(?:请|都|要|需)*(?:用|写|自动|按|以)?"
    r"(?:公式|formula|by formula|computed|自动计算)(?:来|自动)?(?:算出?|计算|求|得出)?[)）]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ComputedColumns:
    """A request whose columns have their names alone, and the words of the first that is computed."""

    text: str
    said: str

    @staticmethod
    def are_kept(steps: Sequence[JsonObject]) -> bool:
        """Whether a plan computes a cell at all."""
        return any(one["op"] == "set_cell_formula" for one in steps)


def read_computed(request: str) -> ComputedColumns | None:
    """The request without the brackets that say a column is computed; None if it has none."""
    found = _COMPUTED.search(request)
    return ComputedColumns(_COMPUTED.sub(r"\g<name>", request), found[0]) if found else None

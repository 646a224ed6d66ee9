"""Which of the recommended changes are meant: cells, parameters, and how many of the first in an order."""

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from metier.json_values import JsonObject
from metier.packs.telecom.twin import Parameter

# Orders of cells by the network itself, of changes by their expected gain or by their place in the list.
Rank = Literal["improved", "least_improved", "worst", "gain", "least_gain", "listed"]
RANKS_CELLS: Final[frozenset[Rank]] = frozenset({"improved", "least_improved", "worst"})
PARAMETERS: Final[tuple[Parameter, ...]] = get_args(Parameter)


@dataclass(frozen=True, slots=True)
class ChangeBounds:
    """Bounds of what is applied. Empty cells or parameters mean all; `count` of 0 means that nothing is ranked."""

    cells: tuple[str, ...] = ()
    without_cells: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    count: int = 0
    rank: Rank = "listed"

    def __bool__(self) -> bool:
        return bool(self.cells or self.without_cells or self.parameters or self.count)

    @property
    def mixes_gains(self) -> bool:
        """Whether gains would be compared that are counted in different points: of the goal, and of handovers."""
        is_by_gain = bool(self.count) and self.rank in ("gain", "least_gain")
        return is_by_gain and self.parameters != ("neighbour",) and "neighbour" in (self.parameters or PARAMETERS)

    def has_cell(self, cell: str) -> bool:
        return (not self.cells or cell in self.cells) and cell not in self.without_cells

    def to_json(self) -> JsonObject:
        """The bounds as a step of a plan passes them on."""
        return {
            "cells": [*self.cells],
            "without_cells": [*self.without_cells],
            "parameters": [*self.parameters],
            "count": self.count,
            "rank": self.rank,
        }


@dataclass(slots=True)
class BoundsDraft:
    """Bounds while they are read: what is wanted and what is left out."""

    cells: list[str] = field(default_factory=list)
    network: list[str] = field(default_factory=list)
    without_cells: list[str] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    without_parameters: list[Parameter] = field(default_factory=list)
    ranked: list[tuple[int, Rank]] = field(default_factory=list)

    def finish(self) -> ChangeBounds | None:
        """The bounds; None if they contradict each other or leave nothing."""
        wanted = self.parameters or [*PARAMETERS]
        parameters = tuple(one for one in PARAMETERS if one in wanted and one not in self.without_parameters)
        named = [one for one in self.cells if not self.network or one in self.network] if self.cells else self.network
        cells = tuple(dict.fromkeys(one for one in named if one not in self.without_cells))
        is_empty = not parameters or (bool(self.cells or self.network) and not cells) or len(set(self.ranked)) > 1
        if is_empty or (set(self.parameters) & set(self.without_parameters)):
            return None
        count, rank = self.ranked[0] if self.ranked else (0, "listed")
        return ChangeBounds(
            cells,
            () if cells else tuple(dict.fromkeys(self.without_cells)),
            () if len(parameters) == len(PARAMETERS) else parameters,
            count,
            rank,
        )

"""Compares the findings of two states of one network: which cells have a trouble that they did not have before."""

from dataclasses import replace

from metier.packs.telecom.twin.diagnosis._cause_labels import SETTINGS
from metier.packs.telecom.twin.diagnosis._causes import RootCause, find_root_causes
from metier.packs.telecom.twin.radio import NetworkState, TwinTable


def find_new_troubles(before: NetworkState, after: NetworkState) -> tuple[RootCause, ...]:
    """Findings of the second state, each with only the cells that the first does not have it for; worst cells first.

    What is suspected of a setting is left out: settings are what was changed, the troubles are what comes of it.
    """
    had = {(one.kind, cell) for one in find_root_causes(before) for cell in one.cells}
    fresh = []
    for one in find_root_causes(after):
        cells = tuple(cell for cell in one.cells if (one.kind, cell) not in had)
        if cells and (one.kind not in SETTINGS or one.kind == "missing_neighbour"):
            rows = tuple(row for row in one.evidence.rows if row[0] in cells)
            fresh.append(replace(one, cells=cells, evidence=TwinTable(one.evidence.headers, rows)))
    return tuple(sorted(fresh, key=lambda one: -len(one.cells)))

"""Troubles that a change of parameters brings."""

from metier.packs.telecom.twin import ParameterChange, compute, find_new_troubles, find_root_causes
from tests.packs.telecom.twin.support import small


def test_a_cell_that_a_change_ruins_is_named_with_its_trouble() -> None:
    scenario = small()
    cell = scenario.cells[0]
    before = compute(scenario)
    after = compute(scenario, [ParameterChange(cell.id, "power", cell.power_dbm, 10.0)])
    fresh = {one.kind: one for one in find_new_troubles(before, after)}
    assert cell.id in fresh["weak_coverage"].cells
    assert {row[0] for row in fresh["weak_coverage"].evidence.rows} == set(fresh["weak_coverage"].cells)
    old = {(one.kind, id) for one in find_root_causes(before) for id in one.cells}
    assert not old & {(one.kind, id) for one in fresh.values() for id in one.cells}


def test_a_network_that_stays_has_no_new_trouble() -> None:
    state = compute(small())
    assert find_new_troubles(state, state) == ()

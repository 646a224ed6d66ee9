"""Which of the recommended changes are applied: those within the bounds, and the approver is told which bounds."""

from tests.packs.telecom.support import SMALL, Toolbox


def _cells(box: Toolbox, **bounds: object) -> list[str]:
    shown = box.preview("apply_parameters", digitaltwins_id=SMALL, **bounds)
    return [str(one.values["cell"]) for one in shown.rows]


def test_an_application_shows_only_the_changes_within_its_bounds(own_box: Toolbox) -> None:
    own_box.data("query_simulation_results", digitaltwins_id=SMALL, level="cell", indicators=["仿真RSRP均值"])
    whole = own_box.preview("apply_parameters", digitaltwins_id=SMALL)
    every = [str(one.values["cell"]) for one in whole.rows]
    assert len(set(every)) > 1
    named = own_box.preview("apply_parameters", digitaltwins_id=SMALL, cells=[every[0]])
    assert {str(one.values["cell"]) for one in named.rows} == {every[0]}
    assert f"只下发小区 {every[0]}" in named.sentence.zh
    assert every[0] not in _cells(own_box, without_cells=[every[0]])
    tilts = own_box.preview("apply_parameters", digitaltwins_id=SMALL, parameters=["tilt"])
    assert {one.id.rpartition(".")[2] for one in tilts.rows} == {"tilt"}
    assert "tilt" in tilts.sentence.en
    assert _cells(own_box, count=2, rank="listed") == every[:2]
    assert len(_cells(own_box, parameters=["tilt"], count=1, rank="gain")) == 1
    for rank in ("improved", "worst"):
        ranked = own_box.preview("apply_parameters", digitaltwins_id=SMALL, count=1, rank=rank)
        assert len({str(one.values["cell"]) for one in ranked.rows}) == 1
        assert "1 个小区" in ranked.sentence.zh
    assert set(_cells(own_box, count=1, rank="improved")) <= set(every)
    most = len(set(every))  # cells that improve by changes of their neighbours only have nothing to apply
    assert set(_cells(own_box, count=most, rank="improved")) == set(every)
    done = own_box.data("apply_parameters", digitaltwins_id=SMALL, parameters=["tilt"])
    assert (done["applied"], done["left_out"]) == (len(tilts.rows), len(whole.rows) - len(tilts.rows))


def test_bounds_that_no_change_is_within_are_told_before_anybody_approves(own_box: Toolbox) -> None:
    own_box.data("query_simulation_results", digitaltwins_id=SMALL, level="cell", indicators=["仿真RSRP均值"])
    hint = own_box.hint("apply_parameters", digitaltwins_id=SMALL, parameters=["offset"])
    assert "nothing_to_apply" in hint or "within these limits" in hint
    assert "no such cells" in own_box.hint("apply_parameters", digitaltwins_id=SMALL, cells=["460-00-999999"])

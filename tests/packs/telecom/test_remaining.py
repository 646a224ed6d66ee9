"""Cells that a simulation does not free of their problem are listed with what is recommended for them."""

import pytest

from tests.packs.telecom.support import SMALL, Toolbox


@pytest.mark.parametrize(
    ("language", "title"), [("zh", "仿真后仍未解决的小区"), ("en", "cells not solved yet in the simulation")]
)
def test_cells_that_still_have_the_problem_are_counted_and_listed(box: Toolbox, language: str, title: str) -> None:
    told = box.data(
        "compare_simulation_data",
        digitaltwins_id=SMALL,
        indicators=["RSRP均值"],
        chart_type="grouped_bar_chart",
        language=language,
    )
    tables = told["tables"]
    assert isinstance(tables, list)
    left = [one for one in tables if isinstance(one, dict) and one["title"] == title]
    count = len(left[0]["rows"]) if left else 0
    says = {"zh": f"仍有 {count} 个小区", "en": f"in this number of cells: {count}"}[language]
    assert (says in str(told["summary"])) == bool(left)

"""Number formats that would damage a file are refused; a formula without a good value is told before it is written."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import load_plan
from metier.packs.office.sheets.formulas import is_writable_format


@pytest.mark.parametrize(
    "code",
    [
        *("General", "#,##0.00", '0.0"k"', "0%", "yyyy-mm-dd", "yyyy年m月d日", "[Red]-0;0", "[>100]0;General", "@"),
        *("[h]:mm", "[$¥-804]#,##0.00;-[$¥-804]0", "h:mm AM/PM", "0.00E+00", "0\\x", "0元", "[DBNum2]0", "_-* #,##0_-"),
    ],
)
def test_a_format_of_excel_can_be_written(code: str) -> None:
    assert is_writable_format(code)


@pytest.mark.parametrize("code", ["[[[bad", '0"k', "0 USD", "[purple]0", "0;0;0;@;0", "0]", "[>x]0", "0k"])
def test_a_format_that_would_damage_the_file_cannot(code: str) -> None:
    assert not is_writable_format(code)


def _change(tmp_path: Path, **action: object) -> tuple[str, ...]:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (("a", "b"), (6, 0), (8, 2)):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    plan = {"schema_version": "ah32.plan.v1", "host_app": "et", "meta": {}, "actions": [action]}
    loaded = load_plan(plan, host="et")  # type: ignore[arg-type]
    assert loaded.plan is not None
    done = host_for(tmp_path / "a.xlsx").dry_run(loaded.plan, tmp_path / "a.xlsx", request=WriteRequest())
    return tuple(one.en for one in done.warnings)


def test_a_damaged_number_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanStepError, match="no number format"):
        _change(tmp_path, op="set_number_format", range="A2:A3", number_format="[[[bad")


def test_an_error_and_a_circle_are_told_by_cell_and_a_good_value_needs_no_word(tmp_path: Path) -> None:
    assert _change(tmp_path, op="set_cell_formula", cell="C2", formula="=A2/B2") == (
        "1 formula with an error as value: Sheet!C2 (#DIV/0!)",
    )
    (circle,) = _change(tmp_path, op="set_cell_formula", cell="A2", formula="=A2+1")
    assert circle.startswith("1 formula without a value")
    assert not _change(tmp_path, op="set_cell_formula", cell="C3", formula="=A3/B3")

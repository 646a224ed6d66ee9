"""Tables that stand in a message: names of columns, then rows, whatever signs stand between them."""

import pytest

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.rows._grid import SaidGrid, read_grid

_ROWS = (("Bolts", "40"), ("Nuts", "25"), ("Pins", "8"))


def _read(said: str) -> SaidGrid | None:
    return read_grid(RequestText(said), 0, len(said))


@pytest.mark.parametrize(
    "said",
    [
        "Part, Count: Bolts, 40; Nuts, 25; Pins, 8",
        "Part and Count. Bolts, 40. Nuts, 25. Pins, 8.",
        "Part/Count: Bolts 40, Nuts 25, Pins 8.",
        "Part and Count and these rows: Bolts/40; Nuts/25; Pins/8",
        "Part|Count;Bolts|40;Nuts|25;Pins|8",
        "“Part, Count”, 3 rows: Bolts, 40; Nuts, 25; Pins, 8",
        "Part, Count, Bolts: Bolts",
    ],
)
def test_rows_are_read_with_each_pair_of_signs(said: str) -> None:
    grid = _read(said)
    if said.endswith("Bolts: Bolts"):
        assert grid is None
    else:
        assert grid == SaidGrid(("Part", "Count"), _ROWS, grid.end if grid else 0)


def test_chinese_rows_are_read_and_a_said_number_of_rows_must_be_right() -> None:
    said = "设备、数量、保管人，填两行：叉车，2，李强；地磅，1，周敏。"
    grid = _read(said)
    assert grid is not None
    assert grid.columns == ("设备", "数量", "保管人")
    assert grid.rows == (("叉车", "2", "李强"), ("地磅", "1", "周敏"))
    assert _read(said.replace("两行", "三行")) is None


def test_names_of_columns_before_their_cells_are_left_out() -> None:
    grid = _read("品名、数量、单价。办公椅，数量10，单价280；白板，数量2，单价190。")
    assert grid is not None
    assert grid.rows == (("办公椅", "10", "280"), ("白板", "2", "190"))


@pytest.mark.parametrize(
    "order",
    ["合计行也要，税率6%", "数量用公式，按单价算", "然后打印，发给王总", "数量列，设为整数"],
)
def test_an_order_behind_the_rows_is_no_row(order: str) -> None:
    grid = _read(f"品名、数量。螺丝，5；螺母，8。{order}")
    assert grid is not None
    assert grid.rows == (("螺丝", "5"), ("螺母", "8"))


@pytest.mark.parametrize(
    "said", ["Name and Note. Note: leave it empty", "日期、说明；说明：由各部门填写", "甲、乙", "甲、乙："]
)
def test_what_is_told_of_a_column_is_no_row(said: str) -> None:
    assert _read(said) is None

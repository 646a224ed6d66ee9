"""An order changes only the part of the document that it names, and a correction only the value that it rules out."""

import pytest

from metier.json_values import JsonObject
from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.orders import read_orders
from tests.packs.office.orders.test_grounded import _sheet

CELLS = (
    ("名称", "型号", "数量", "单价（元）"),
    ("包装机", "BZ-300", "3", "120000"),
    ("封口机", "FK-80", "2", "50000"),
)
CONTRACT = Reading(
    "合同.docx",
    "docx",
    (
        TextPiece("p1", "设备采购合同", level=1),
        TextPiece("p2", "甲方向乙方采购包装机3台、封口机2台。"),
        TextPiece("p3", "质保期为12个月，自验收之日起计算。"),
        TextPiece("p4", "甲方代表：沈佳"),
        *(
            TextPiece(f"t1.r{row}.c{column}", text)
            for row, cells in enumerate(CELLS, 1)
            for column, text in enumerate(cells, 1)
        ),
    ),
)
BOOK = Reading(
    "值班.xlsx",
    "xlsx",
    sheets=(
        _sheet("五月", ("日期", "白班", "带班领导"), ("5月18日", "马超", "唐主任"), ("5月20日", "秦岚", "于科长")),
        _sheet("通讯录", ("姓名", "电话", "津贴"), ("马超", "13700001001", 300.0), ("秦岚", "13700001004", 450.0)),
    ),
)
PRICES = Reading(
    "prices.xlsx",
    "xlsx",
    sheets=(
        _sheet(
            "Prices", ("Product", "Stock", "Supplier"), ("Oak table", 14.0, "Harlow"), ("Bar stool", 80.0, "Brandt")
        ),
    ),
)


def _steps(message: str, reading: Reading) -> list[JsonObject]:
    return list(read_orders(message, reading, language=language_of(message)).actions)


def _cells(message: str, reading: Reading) -> list[object]:
    return [one for step in _steps(message, reading) for one in step["cells"]]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("表格里封口机的数量改为4，单价改为48000，其他不动。", [(3, 3, "4"), (3, 4, "48000")]),
        ("表格中包装机的数量改成5", [(2, 3, "5")]),
        ("封口机数量改为4，表格里的", [(3, 3, "4")]),
    ],
)
def test_every_pair_of_an_order_for_the_table_is_written_there(
    message: str, written: list[tuple[int, int, str]]
) -> None:
    made = _steps(message, CONTRACT)
    assert [(one["op"], one["row"], one["col"], one["text"]) for one in made] == [
        ("set_table_cell_text", *one) for one in written
    ]


def test_the_text_is_changed_where_the_order_names_no_table_or_keeps_it() -> None:
    assert [one["address"] for one in _steps("正文里封口机改成4台，表格不动", CONTRACT)] == ["p2"]
    made = _steps("表格里封口机的数量改为4，另外甲方代表改为林静", CONTRACT)
    assert all(one["op"] != "replace_text" or one["address"] == "p4" for one in made)


def test_an_order_for_a_sheet_changes_no_other_sheet() -> None:
    for step in _steps("通讯录里马超改成陶军", BOOK):
        assert str(step.get("address", "")).startswith("通讯录!") or "通讯录!" in str(step.get("cells"))


@pytest.mark.parametrize(
    ("message", "reading", "value"),
    [
        ("秦岚的津贴应该是500不是450", BOOK, {"cell": "通讯录!C3", "value": 500}),
        ("秦岚的津贴应为500而不是450", BOOK, {"cell": "通讯录!C3", "value": 500}),
        ("秦岚的电话应该是13700001014不是13700001004", BOOK, {"cell": "通讯录!B3", "value": "13700001014"}),
        ("秦岚的电话尾号应该是1014，不是1004", BOOK, {"cell": "通讯录!B3", "value": "13700001014"}),
        ("秦岚电话尾号改成1014", BOOK, {"cell": "通讯录!B3", "value": "13700001014"}),
        ("5月20日带班领导应该是唐主任不是于科长", BOOK, {"cell": "五月!C3", "value": "唐主任"}),
        ("The bar stool supplier should be Harlow not Brandt", PRICES, {"cell": "Prices!C3", "value": "Harlow"}),
        ("Change the bar stool stock to 75 rather than 80", PRICES, {"cell": "Prices!B3", "value": 75}),
        ("Set the bar stool supplier to Harlow, not Brandt", PRICES, {"cell": "Prices!C3", "value": "Harlow"}),
    ],
)
def test_what_a_value_is_not_is_no_part_of_the_value(message: str, reading: Reading, value: object) -> None:
    assert _cells(message, reading) == [value]


def test_a_corrected_text_has_the_new_words_only() -> None:
    (step,) = _steps("甲方代表应该是沈嘉不是沈佳", CONTRACT)
    assert (step["find_text"], step["replace_text"]) == ("沈佳", "沈嘉")
    (step,) = _steps("质保期应该是24个月不是12个月", CONTRACT)
    assert "不是" not in str(step["replace_text"])


def test_a_correction_of_a_value_that_does_not_stand_there_is_asked_about() -> None:
    for message, reading in (
        ("马超的电话应该是13700001014不是13700001004", BOOK),
        ("The oak table supplier should be Lumo not Brandt", PRICES),
        ("Set the oak table supplier to Lumo, not Voss", PRICES),
    ):
        assert _steps(message, reading) == [], message

"""Unquoted words are replaced by words of their form only, and no step reaches further than the order says."""

import pytest

from metier.json_values import JsonObject
from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, SlideText
from metier.packs.office.orders import read_orders
from tests.packs.office.orders.test_grounded import _sheet

RULES = Reading(
    "办法.docx",
    "docx",
    (
        TextPiece("p1", "食堂管理办法", level=1),
        TextPiece("p2", "第一章 总则", level=1),
        TextPiece("p3", "第一条 后勤部每月对食堂进行一次检查。"),
        TextPiece("p4", "第二条 工作人员须持有效健康证上岗，餐具每餐消毒。"),
        TextPiece("p5", "四、争议解决", level=1),
        TextPiece("p6", "因本办法发生的争议，由甲方所在地人民法院管辖。验收合格后10日内付款。"),
        TextPiece("p7", "签订日期：2026年5月6日"),
        TextPiece("p8", "合同总价款为人民币46万元。2026年7月10日交货。"),
    ),
)
NOTES = Reading(
    "notes.docx",
    "docx",
    (
        TextPiece("p1", "Audit notes", level=1),
        TextPiece("p2", "Two observers watch for 20 minutes once a week. A signature is needed on the notice board."),
        TextPiece("p3", "Copies are 12p in black and 40p in colour."),
        TextPiece("p4", "Feedback", level=1),
        TextPiece("p5", "The target is 90%."),
    ),
)
STOCK = Reading(
    "stock.xlsx",
    "xlsx",
    sheets=(
        _sheet(
            "Stock",
            ("SKU", "Product", "Entitlement", "Price"),
            ("P-400", "Felt pads", "Holly", 4.5),
            ("P-401", "Floor lamp", "Colin", 89.0),
            ("P-402", "Desk lamp", "Ewan", 39.0),
        ),
        _sheet("会议", ("房间", "日期"), ("茉莉室", "5月14日"), ("丁香室", "5月15日")),
    ),
)
DECK = Reading("deck.pptx", "pptx", slides=(SlideText(1, "Budget", ("Spent: 142,000", "Train the helpdesk")),))


def _steps(message: str, reading: Reading) -> list[JsonObject]:
    return list(read_orders(message, reading, language=language_of(message)).actions)


@pytest.mark.parametrize(
    ("message", "reading"),
    [
        ("检查改成每两周一次", RULES),
        ("健康证改成每年检查一次", RULES),
        ("消毒改成每天两次", RULES),
        ("管辖改成乙方所在地", RULES),
        ("争议解决改成由乙方所在地仲裁委员会仲裁", RULES),
        ("Change observers to three.", NOTES),
        ("Change notice board to an email to all staff.", NOTES),
        ("Change signature to two signatures.", NOTES),
        ("Change Feedback to by email.", NOTES),
        ("Change the helpdesk to be trained by Grace.", DECK),
        ("Change P-400 to discontinued.", STOCK),
        ("茉莉室改成维修中", STOCK),
        ("5月14日改成停用", STOCK),
    ],
)
def test_what_is_said_of_a_thing_never_takes_the_place_of_its_name(message: str, reading: Reading) -> None:
    answer = read_orders(message, reading, language=language_of(message))
    assert not answer.actions
    assert answer.note is not None
    assert answer.note.code == "words_or_value"


@pytest.mark.parametrize("message", ["签订日期改成签约日期", "合同总价款改成合同价款"])
def test_another_name_for_a_value_never_takes_the_place_of_the_value(message: str) -> None:
    assert all(str(one["find_text"]) in message for one in _steps(message, RULES))


def test_a_key_of_a_row_is_not_the_address_of_an_empty_cell() -> None:
    routes = Reading("r.xlsx", "xlsx", sheets=(_sheet("Routes", ("Route", "Driver"), ("R5", "Colin"), ("R6", "Ewan")),))
    assert _steps("Bold R5.", routes) == []


def test_names_of_one_form_are_replaced() -> None:
    for message, reading, new in (
        ("茉莉室改成牡丹室", STOCK, "牡丹室"),
        ("Change P-400 to P-410", STOCK, "P-410"),
        ("争议解决改成纠纷解决", RULES, "纠纷解决"),
        ("把“检查”改成“每两周一次”", RULES, "每两周一次"),
    ):
        assert [one["replace_text"] for one in _steps(message, reading)] == [new], message


def test_a_new_day_keeps_the_year_and_an_amount_its_currency() -> None:
    assert [one["replace_text"] for one in _steps("签订日期改成5月20日", RULES)] == ["2026年5月20日"]
    assert [one["replace_text"] for one in _steps("合同总价款改成50万元", RULES)] == ["人民币50万元"]


@pytest.mark.parametrize(
    ("message", "reading", "pairs"),
    [
        ("Change 12p to 15p and 40p to 45p.", NOTES, [("12p", "15p"), ("40p", "45p")]),
        (
            "Change 20 minutes to 30 minutes and once to twice.",
            NOTES,
            [("20 minutes", "30 minutes"), ("once", "twice")],
        ),
    ],
)
def test_each_pair_of_an_order_is_an_order(message: str, reading: Reading, pairs: list[tuple[str, str]]) -> None:
    assert [(one["find_text"], one["replace_text"]) for one in _steps(message, reading)] == pairs


@pytest.mark.parametrize(
    ("message", "reading"),
    [
        ("Rename the heading Feedback to Results and make it bold.", NOTES),
        ("Rename the sheet Stock to Goods and freeze the first row.", STOCK),
        ("Change the title of slide 1 to Money and make it bold.", DECK),
    ],
)
def test_a_value_never_swallows_the_next_order(message: str, reading: Reading) -> None:
    assert not any(" and " in str(value) for one in _steps(message, reading) for value in one.values())


def test_a_look_for_it_is_for_what_was_changed_only() -> None:
    price, look = _steps("Set the price of the floor lamp to 95 and colour it red.", STOCK)
    assert price["cells"] == [{"cell": "Stock!D3", "value": 95}]
    assert look["range"] == "Stock!D3"
    title, look = _steps("第一章标题改成“总体要求”，并加粗", RULES)
    assert (title["replace_text"], look["addresses"]) == ("第一章 总体要求", ["p2"])


def test_a_value_that_is_to_go_does_not_take_its_row_along() -> None:
    assert _steps("Delete the entitlement of the felt pads.", STOCK) == []
    assert [one["op"] for one in _steps("Delete the felt pads.", STOCK)] == ["delete_lines"]


def test_words_and_days_are_found_whole() -> None:
    assert _steps("Change title to Leave", STOCK) == []
    assert [one["address"] for one in _steps("10日改成15日", RULES)] == ["p6"]


def test_a_row_is_not_deleted_by_a_value_that_is_no_key_of_it() -> None:
    cars = Reading(
        "cars.xlsx",
        "xlsx",
        sheets=(_sheet("保养", ("车牌", "车型", "维修厂"), ("A1", "五菱", "路路通"), ("A2", "帕萨特", "城西汽修")),),
    )
    assert _steps("删掉路路通", cars) == []
    assert [one["op"] for one in _steps("删掉路路通那一行", cars)] == ["delete_lines"]


def test_the_dot_of_an_initial_ends_no_sentence() -> None:
    text = "Claim K04-2291. Fee earner: Mr A. Prentice"
    bundle = Reading("b.docx", "docx", (TextPiece("p1", "Bundle", level=1), TextPiece("p2", text)))
    for step in _steps("Remove the fee earner.", bundle):
        assert step.get("find_text", "Fee earner: Mr A. Prentice") == "Fee earner: Mr A. Prentice"


def test_a_number_cell_gets_no_unit_and_a_share_stays_a_percentage() -> None:
    rooms = Reading(
        "rooms.xlsx",
        "xlsx",
        sheets=(_sheet("会议室", ("名称", "楼层", "折扣"), ("牡丹厅", 3.0, 0.05), ("茉莉室", 5.0, 0.1)),),
    )
    rows = (("名称", "数量"), ("输送带", "4"), ("包装机", "3"))
    table = [
        TextPiece(f"t1.r{row}.c{column}", text)
        for row, cells in enumerate(rows, 1)
        for column, text in enumerate(cells, 1)
    ]
    assert [one["text"] for one in _steps("输送带数量改成6条", Reading("a.docx", "docx", tuple(table)))] == ["6"]
    assert [one["number_format"] for one in _steps("折扣保留一位小数", rooms)] == ["0.0%"]


def test_words_are_known_with_other_capital_letters() -> None:
    names = Reading("s.pptx", "pptx", slides=(SlideText(1, "Contacts", ("Safety officer: Ivan Petrov", "Oak table")),))
    asked = read_orders("Change the safety officer to Maria Lopez", names, language="en").note
    assert asked is not None
    assert asked.code == "words_or_value"
    (step,) = _steps("Change oak table to walnut table", names)
    assert (step["find_text"], step["replace_text"]) == ("Oak table", "Walnut table")

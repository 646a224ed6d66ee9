"""What is denied, doubted, remembered or only told is asked about with its reading, never written."""

from typing import Any

import pytest

from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.orders import read_orders
from tests.packs.office.orders.test_grounded import DECK, PLAN, TOOLS, _sheet

FEES = Reading(
    "fees.docx",
    "docx",
    (
        TextPiece("p1", "Fees", level=1),
        TextPiece("p2", "The fee is £10 and the deposit is £20."),
        TextPiece("p3", "The rent is £900 a month."),
        TextPiece("p4", "Valid from 2026-05-02. The gate closes at 19:15."),
        TextPiece("p5", "Lunch starts at 13:00."),
    ),
)
LEASE = Reading(
    "lease.docx",
    "docx",
    (
        TextPiece("p1", "房屋租赁合同", level=1),
        TextPiece("p2", "月租金为人民币3000元，押金为人民币6000元，每月5日前支付。"),
        TextPiece("p3", "会议时间 14:00，地点三楼。"),
    ),
)
PAY = Reading(
    "pay.xlsx",
    "xlsx",
    sheets=(
        _sheet(
            "付款",
            ("客户", "金额", "到期", "状态", "负责人"),
            ("恒通", 1200.0, "2026-03-01", "未付", "小王"),
            ("恒远", 800.0, "2026-04-01", "已付", "小李"),
            ("光大", 500.0, "2026-05-01", "未付", "小王"),
            ("合计", "=SUM(B2:B4)", None, None, None),
        ),
    ),
)
ENGLISH = (
    *("maybe {}", "I think {}", "I thought {}", "Tom says {}", "I heard {}", "perhaps {}", "{} last year"),
    *("{} yesterday", "{} at the other harbour", "{} somewhere else", "{} if they agree", "hopefully {}"),
    *("in the old contract {}", "{}, they might", "my sister told me {}", "{} next door", "I wish {}"),
)
CHINESE = (
    *("可能{}", "听说{}", "要是{}", "如果{}", "去年{}", "以前{}", "他说{}", "{}但我没收到", "隔壁的{}"),
    *("我记得{}", "好像{}", "不该{}", "大概{}", "昨天{}"),
)
SAID: tuple[tuple[str, Reading], ...] = (
    ("dogs pay £8", PLAN),
    ("the gate closes at 7:05", PLAN),
    ("the rent is £950 a month", FEES),
    ("the deposit is £25", FEES),
    ("the shelves are on time", DECK),
)
SAID_ZH: tuple[tuple[str, Reading], ...] = (
    ("电钻单价是280", TOOLS),
    ("角磨机在库了", TOOLS),
    ("恒通已付", PAY),
    ("押金是7000元", LEASE),
    ("光大金额加100", PAY),
)


def _steps(message: str, reading: Reading) -> list[dict[str, Any]]:
    made: Any = read_orders(message, reading, language=language_of(message)).actions
    return [{name: value for name, value in one.items() if name not in ("id", "title")} for one in made]


def _code(message: str, reading: Reading) -> str:
    found = read_orders(message, reading, language=language_of(message))
    assert not found.actions, message
    return found.note.code if found.note else ""


def test_the_plain_sentences_are_written() -> None:
    assert [one for one, reading in (*SAID, *SAID_ZH) if len(_steps(one, reading)) != 1] == []


@pytest.mark.parametrize("form", [*ENGLISH, *CHINESE])
def test_a_sentence_that_is_not_sure_writes_nothing(form: str) -> None:
    known = SAID if form in ENGLISH else SAID_ZH
    assert [form.format(one) for one, reading in known if _steps(form.format(one), reading)] == []


def test_a_denial_writes_nothing_and_names_the_reading() -> None:
    for message, reading in (
        ("Dogs should not pay £8", PLAN),
        ("The rent won't be £950 a month", FEES),
        ("The gate shouldn't close at 7:05", PLAN),
        ("The lights aren't late", DECK),
        ("My own rent is £700 a month", FEES),
        ("租金别改成3500元", LEASE),
        ("电钻单价是280就好了", TOOLS),
    ):
        assert not _steps(message, reading), message
    note = read_orders("Dogs should not pay £8", PLAN, language="en").note
    assert note is not None
    assert "£6 → £8" in note.text("en")


def test_of_two_values_in_a_sentence_the_named_one_changes_and_never_another_sentence() -> None:
    made = _steps("the deposit is £25 now", FEES)
    assert [(one["find_text"], one["address"]) for one in made] == [("£20", "p2")]
    made = _steps("押金也改成7000元", LEASE)
    assert [(one["find_text"], one["address"]) for one in made] == [("6000元", "p2")]
    twins = Reading("a.docx", "docx", (TextPiece("p1", "A visit is £5 to £9."), TextPiece("p2", "Rent is £900.")))
    assert _code("a visit is £7", twins) == "which_of"


def test_a_label_is_never_replaced_by_a_value() -> None:
    for message, reading in (
        ("租金改成三千五", LEASE),
        ("租金改成NaN元", LEASE),
        ("租金改成-3500元", LEASE),
        ("把合计改成3000", PAY),
    ):
        assert _code(message, reading), message
    assert _steps("恒通改成小李负责", PAY)[0]["cells"] == [{"cell": "付款!E2", "value": "小李"}]


def test_a_part_of_a_sentence_does_not_take_the_sentence_with_it() -> None:
    assert _code("把押金去掉", LEASE) == "which_of"


def test_words_for_no_table_add_no_row_and_a_half_that_is_not_understood_stops_all() -> None:
    meals = (("餐次", "时间", "标准"), ("早餐", "七点", "五元"), ("午餐", "正午", "十元"))
    cells = [(row, column, text) for row, line in enumerate(meals, 1) for column, text in enumerate(line, 1)]
    rules = Reading("a.docx", "docx", tuple(TextPiece(f"t1.r{row}.c{column}", text) for row, column, text in cells))
    assert _steps("第七条后头补一条，剩菜当天处理，不准隔夜再卖，后面的条数往后推", rules) == []
    lines = (("R1", "Harbour", "Ewan"), ("R3", "Coast road", "Marta"), ("R4", "Airport", "Ewan"))
    drivers = Reading("r.xlsx", "xlsx", sheets=(_sheet("Routes", ("Route", "Road", "Driver"), *lines),))
    made = _steps("Ewan is doing the coast road from now on and Marta has the airport.", drivers)
    written = [(cell["cell"], cell["value"]) for one in made for cell in one["cells"]]
    assert written == [("Routes!C3", "Ewan"), ("Routes!C4", "Marta")]
    assert _steps("Ewan is doing the coast road from now on and Marta wanted the airport.", drivers) == []


def test_words_beside_a_known_value_or_before_a_new_row_are_asked_about() -> None:
    row = "add a row: 15:00, Lighthouse, Bo Lind, Small"
    assert len(_steps(row, PLAN)) == 1
    for message in (
        f"someone asked whether {row}",
        f"Ann wants {row}",
    ):
        assert _steps(message, PLAN) == [], message


def test_a_question_a_condition_and_an_objection_order_nothing() -> None:
    for message in (
        "恒通状态改成已付吗",
        "要是恒通状态改成已付",
        "恒通状态改成已付但我没收到",
        "恒通状态改成已付是错的",
    ):
        assert _steps(message, PAY) == [], message
    assert len(_steps("能把恒通状态改成已付吗", PAY)) == 1


def test_two_rows_that_are_joined_are_asked_about() -> None:
    assert _code("电钻和水平仪的状态都改成借出", TOOLS) == "which_of"
    assert _code("恒通和光大都已付", PAY) == "which_of"


def test_words_that_are_also_months_are_no_dates() -> None:
    assert _steps("The lift may fail can go", DECK) == []
    assert _steps("Risks: the lift may fail in July", DECK) == []
    assert [one["replace_text"] for one in _steps("volunteers are ill in August", DECK)] == ["August"]


def test_a_day_has_the_side_the_form_and_the_year_of_the_old_one() -> None:
    assert _steps("Valid to 9 May 2027", PLAN) == []
    assert [one["replace_text"] for one in _steps("it's valid from 9 May", FEES)] == ["2026-05-09"]
    assert _steps("恒通到期改成4月6日", PAY)[0]["cells"] == [{"cell": "付款!C2", "value": "2026-04-06"}]
    for message, reading in (("valid from 31 June", PLAN), ("恒通到期改成2026-02-30", PAY)):
        assert _code(message, reading) == "no_such_day"


@pytest.mark.parametrize(
    ("message", "reading", "new"),
    [
        ("The gate closes at 7:05 now", FEES, "19:05"),
        ("Lunch starts at half past one", FEES, "13:30"),
        ("会议时间中午1点半", LEASE, "13:30"),
        ("gate closes at 19:15", PLAN, "7:15 pm"),
    ],
)
def test_a_time_keeps_the_half_of_the_day(message: str, reading: Reading, new: str) -> None:
    assert [one["replace_text"] for one in _steps(message, reading)] == [new]


def test_a_numeral_in_words_is_a_number_among_numbers() -> None:
    assert _steps("电钻单价改成二百八", TOOLS)[0]["cells"] == [{"cell": "借用!D2", "value": 280}]
    for sum_or_more in ("9" * 400, "=1+1", "1e400", "NaN"):
        assert _code(f"恒通金额改成{sum_or_more}", PAY) == "which_number"


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("把成都改成重庆", "成都", "重庆"),
        ("李全改成李军", "李全", "李军"),
        ("把装修改成粉刷", "装修", "粉刷"),
        ("把城西汽修改成东城汽修", "城西汽修", "东城汽修"),
        ("把学生都改成同学", "学生", "同学"),
        ("把学生统一改成同学", "学生", "同学"),
    ],
)
def test_a_name_that_ends_like_a_word_of_changing_is_replaced_whole(message: str, old: str, new: str) -> None:
    texts = ("项目完成后，成都办公室装修。", "联系人李全，城西汽修。", "学生都要签到，学生证带好。")
    for reading in (
        Reading("a.docx", "docx", tuple(TextPiece(f"p{at}", text) for at, text in enumerate(texts, 1))),
        Reading("a.xlsx", "xlsx", sheets=(_sheet("S", ("项目", "完成"), *((text, "x") for text in texts)),)),
    ):
        (made,) = _steps(message, reading)
        assert (made["find_text"], made["replace_text"]) == (old, new), reading.kind


def test_a_number_beside_an_order_is_never_written_into_another_row() -> None:
    orders = Reading(
        "o.xlsx",
        "xlsx",
        sheets=(
            _sheet(
                "订单",
                ("单号", "客户", "数量", "单价", "进度"),
                ("DZ1", "康先生", "2", "4800", "生产中"),
                ("DZ2", "阳光幼儿园", "12", "680", "待发货"),
                ("DZ3", "邹先生", "1", "900", "生产中"),
            ),
        ),
    )
    for message in ("康先生那单改成待发货，数量12", "邹先生的改成待发货，数量2"):
        made = _steps(message, orders)
        assert {cell["cell"] for one in made for cell in one["cells"]} <= {"订单!C2", "订单!E2", "订单!C4", "订单!E4"}

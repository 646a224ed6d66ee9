"""A message is understood by what the document holds: the only place that its values fit, or a question with both."""

from typing import Any

import pytest

from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, SheetCell, SheetCells, SlideText
from metier.packs.office.orders import read_orders
from metier.packs.office.orders.grounded._values import find_values, fit_value

PLAN = Reading(
    "plan.docx",
    "docx",
    (
        TextPiece("p1", "Ferry Crew Plan", level=1),
        TextPiece("p2", "Valid from 2 May 2026. Version 2.4"),
        TextPiece("p3", "Boarding", level=1),
        TextPiece("p4", "The gate closes at 7:15 am. Dogs pay £6 on deck."),
        TextPiece("p5", "The mate checks the ropes 20 minutes before sailing."),
        TextPiece("p6", "Harbour desk: ext. 3310"),
        *(
            TextPiece(f"t1.r{row}.c{column}", text)
            for row, cells in enumerate(
                (
                    ("Time", "Pier", "Skipper", "Boat"),
                    ("08:00", "North pier", "Ann Reed", "Large"),
                    ("09:40", "Lighthouse", "Bo Lind", "Small"),
                    ("12:20", "Monastery", "Ann Reed", "Large"),
                ),
                1,
            )
            for column, text in enumerate(cells, 1)
        ),
    ),
)


def _sheet(name: str, *rows: tuple[str | float | None, ...]) -> SheetCells:
    return SheetCells(
        name,
        tuple(
            SheetCell(f"{'ABCDEFG'[column]}{row}", value)
            if not str(value).startswith("=")
            else SheetCell(f"{'ABCDEFG'[column]}{row}", None, str(value))
            for row, cells in enumerate(rows, 1)
            for column, value in enumerate(cells)
            if value is not None
        ),
    )


TOOLS = Reading(
    "tools.xlsx",
    "xlsx",
    sheets=(
        _sheet(
            "借用",
            ("编号", "工具", "数量", "单价", "金额", "状态"),
            ("GJ-01", "电钻", 3.0, 260.0, "=C2*D2", "在库"),
            ("GJ-02", "角磨机", 2.0, 180.0, "=C3*D3", "借出"),
            ("GJ-03", "水平仪", 5.0, 90.0, "=C4*D4", "在库"),
            ("合计", None, "=SUM(C2:C4)", None, "=SUM(E2:E4)", None),
        ),
        _sheet("人员", ("姓名", "手机"), ("孟川", "13700001111"), ("柳叶", "13700002222")),
    ),
)
DECK = Reading(
    "deck.pptx",
    "pptx",
    slides=(
        SlideText(1, "Library Move", ("Board meeting, 3 June",)),
        SlideText(
            2,
            "Dates",
            ("Work\tFirm\tStatus\nShelves\tHolt\tLate\nLights\tVoss\tOn time\nFloor\tHolt\tOn time",),
            tables=(
                (
                    ("Work", "Firm", "Status"),
                    ("Shelves", "Holt", "Late"),
                    ("Lights", "Voss", "On time"),
                    ("Floor", "Holt", "On time"),
                ),
            ),
        ),
        SlideText(3, "Risks", ("The lift may fail\nVolunteers are ill in July",)),
    ),
)


def _steps(message: str, reading: Reading) -> list[dict[str, Any]]:
    made: Any = read_orders(message, reading, language=language_of(message)).actions
    return [{name: value for name, value in one.items() if name not in ("id", "title")} for one in made]


def _asked(message: str, reading: Reading) -> str:
    found = read_orders(message, reading, language=language_of(message))
    assert not found.actions, message
    return found.note.code if found.note else ""


@pytest.mark.parametrize(
    ("message", "pairs"),
    [
        ("The harbour desk has moved, they're on 3345 now, not 3310.", [("3310", "3345")]),
        ("We agreed 30 minutes with the mate so 20 isn't right any more", [("20", "30")]),
        ("version 2.5 please, and it's valid from 9 May", [("2.4", "2.5"), ("2 May", "9 May")]),
        ("The gate closes at 7:05 now, thanks", [("7:15", "7:05")]),
        ("dogs: £8, the owner wants that", [("£6", "£8")]),
    ],
)
def test_a_statement_changes_the_value_that_stands_there(message: str, pairs: list[tuple[str, str]]) -> None:
    assert [(one["find_text"], one["replace_text"]) for one in _steps(message, PLAN)] == pairs


@pytest.mark.parametrize(
    ("stands", "said", "becomes"),
    [
        ("上午8点", "9点", "上午9点"),
        ("下午3点半", "4点", "下午4点"),
        ("晚上八点", "九点", "晚上九点"),
        ("早上8点", "8:30", "早上8:30"),
        ("上午8点", "下午2点", "下午2点"),
        ("8 am", "9:30", "9:30 am"),
        ("8点", "9点", "9点"),
        ("上午11点", "12点", ""),
        ("中午12点", "1点", ""),
    ],
)
def test_a_time_keeps_its_half_of_the_day_unless_another_is_said(stands: str, said: str, becomes: str) -> None:
    text = f"11月22日{stands}停电" if stands[-1] != "m" else f"Power is off at {stands} today."
    old, new = (next(one for one in find_values(where) if one.kind == "time") for where in (text, said))
    fitted = fit_value(old, new)
    written = f"{text[: fitted[0]]}{fitted[2]}{text[fitted[1] :]}" if fitted else ""
    assert written == (text.replace(stands, becomes) if becomes else "")


def test_a_lead_before_an_order_does_not_lose_the_half_of_the_day() -> None:
    notice = Reading("notice.docx", "docx", (TextPiece("p1", "因线路检修，11月22日上午8点至12点三号楼停电。"),))
    (step,) = _steps("修改文档：把8点改成9点", notice)
    assert notice.pieces[0].text.replace(step["find_text"], step["replace_text"]) == (
        "因线路检修，11月22日上午9点至12点三号楼停电。"
    )


@pytest.mark.parametrize(
    "message",
    [
        "The bar pays £9",
        "Put the cabin at 8 m",
        "The gate closes at 7:05 and the rest of the text underlined",
        "The gate closes at 7:05, after the first line",
        "Add a section on lifts before Boarding, the gate closes at 7:05",
        "Skipper Ann is Nell Byrne",
        "Does the gate close at 7:05?",
        "The gate closes at 7:05?",
        "Our meeting at the gate is at 7:05",
        "The gate of the zoo closes at 7:05",
        "Dogs pay £1 more and go up by £2",
        "Dogs go up by £2",
        "The lighthouse needs a large boat as well as a small one",
        "The lighthouse is at 09:45 and the boat is too",
    ],
)
def test_what_does_not_fit_one_place_is_asked_about(message: str) -> None:
    assert _steps(message, PLAN) == []


def test_two_places_that_fit_alike_are_both_named() -> None:
    two = Reading("a.docx", "docx", (TextPiece("p1", "The fee is £10."), TextPiece("p2", "A late fee is £20.")))
    assert _asked("fee: £30", two) == "which_of"


def test_a_row_is_added_by_its_values_in_any_order_of_words() -> None:
    values = ["10:30", "Castle", "Bo Lind", "Small"]
    place = {"op": "edit_table", "change": "insert_row", "table_index": 1}
    where = "Could you put a row in the table between the lighthouse and the monastery?"
    assert _steps(f"{where} 10:30, Castle, Bo Lind, and it's small.", PLAN) == [{**place, "index": 4, "values": values}]
    assert _steps("Add a new line for the boats: small, Castle, 10:30, Bo Lind", PLAN) == [{**place, "values": values}]
    made = _steps("新到一台工具，GJ-04，切割机，单价320，2台，在库。合计别漏了它", TOOLS)
    assert made[0] == {"op": "insert_lines", "before": "5", "count": 1, "extend": True, "sheet_name": "借用"}
    cells = {one["cell"]: one.get("value", one.get("formula")) for one in made[1]["cells"]}
    row = ["GJ-04", "切割机", 2, 320, "=C5*D5", "在库"]
    assert cells == {f"借用!{letter}5": value for letter, value in zip("ABCDEF", row, strict=True)}


def test_a_row_with_a_value_that_no_column_knows_is_not_written() -> None:
    assert _steps("Add a new row: Castle, 10:30, Bo Lind, Small, tomorrow, twice", PLAN) == []
    assert _steps("新到一台工具，切割机，2台", TOOLS) == []


def test_a_cell_of_a_row_gets_a_word_or_a_number_of_its_column() -> None:
    assert _steps("角磨机还回来了，状态改在库", TOOLS)[0]["cells"] == [{"cell": "借用!F3", "value": "在库"}]
    assert _steps("水平仪数量加2", TOOLS)[0]["cells"] == [{"cell": "借用!C4", "value": 7}]
    assert _steps("水平仪数量降了2", TOOLS) == []  # by how much, in words that a table may hold itself
    assert _steps("电钻又来了2台", TOOLS) == []  # which of two numbers is counted in 台, nobody says
    assert _steps("孟川换号了 13700003333", TOOLS)[0]["cells"] == [{"cell": "人员!B2", "value": "13700003333"}]
    assert _steps("水平仪数量改成6，别的不动", TOOLS)[0]["cells"] == [{"cell": "借用!C4", "value": 6}]
    swapped = _steps("电钻和角磨机的状态对调一下", TOOLS)
    assert [one["cells"][0]["value"] for one in swapped] == ["借出", "在库"]
    late = _steps("The shelves came at last, put them as on time", DECK)
    wanted = {"op": "edit_slide_table", "change": "set_cell", "row": 2, "col": 3, "text": "On time", "expected": "Late"}
    assert late == [{**wanted, "slide_index": 2, "table_index": 1}]


def test_what_goes_is_found_by_what_it_is_about() -> None:
    gone = _steps("We don't go to the monastery any more, that line in the table can go.", PLAN)
    assert [(one["change"], one["index"]) for one in gone] == [("delete_row", 4)]
    point = _steps("take the lift out of the risks", DECK)
    assert point == [{"op": "delete_point", "text": "The lift may fail", "slide_index": 3}]


def test_the_name_of_a_party_is_replaced_and_not_its_label() -> None:
    lease = Reading(
        "lease.docx",
        "docx",
        (
            TextPiece("p1", 'Made between Holm Homes Ltd ("Landlord") and Eve Stone ("Tenant").'),
            TextPiece("p2", "The Landlord lets the flat to the Tenant."),
            TextPiece("p3", "甲方（出租方）：周立"),
        ),
    )
    for message, old in (
        ("Change the Landlord to Quay Homes Ltd", "Holm Homes Ltd"),
        ("change the tenant to Joe Marsh", "Eve Stone"),
        ("把甲方换成王芳", "周立"),
        ("出租方换成王芳", "周立"),
    ):
        assert [one["find_text"] for one in _steps(message, lease)] == [old], message
    assert [one["find_text"] for one in _steps("change Tenant to Lessee", lease)] == ["Tenant"]


def test_a_sort_that_begins_with_its_direction_goes_that_way() -> None:
    days = Reading(
        "days.xlsx", "xlsx", sheets=(_sheet("账", ("日期", "金额"), ("2026-03-01", 5.0), ("2026-04-02", 7.0)),)
    )
    assert [one["order"] for one in _steps("从新到旧排", days)] == ["desc"]
    assert [one["order"] for one in _steps("sort the 金额 from biggest to smallest", days)] == ["desc"]
    assert [one["order"] for one in _steps("表格按人数从多到少排一下", _people())] == ["desc"]
    assert _steps("把账复制一份到新文件", days) == []


def _people() -> Reading:
    cells = (("小组", "人数"), ("甲组", "3"), ("乙组", "8"))
    rows = [(row, column, text) for row, line in enumerate(cells, 1) for column, text in enumerate(line, 1)]
    return Reading("a.docx", "docx", tuple(TextPiece(f"t1.r{row}.c{column}", text) for row, column, text in rows))


def test_a_clause_is_found_by_the_number_typed_before_its_heading() -> None:
    pieces = (
        *(TextPiece("p1", "Lease", level=1), TextPiece("p2", "3. Term", level=2), TextPiece("p3", "It is two years.")),
        *(TextPiece("p4", "4. Ending", level=2), TextPiece("p5", "Notice is 30 days.")),
    )
    gone = _steps("Delete clause 4", Reading("lease.docx", "docx", pieces))
    assert [one["addresses"] for one in gone] == [["p4", "p5"]]
    asked = read_orders("Delete clause 7", Reading("lease.docx", "docx", pieces), language="en").note
    assert asked is not None
    assert "4. Ending" in asked.text("en")

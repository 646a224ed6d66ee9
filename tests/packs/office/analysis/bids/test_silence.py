"""What a bid does not say: procedure, other words for the same thing, and money that must be kept to."""

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.bids import compare_bid, find_requirements


def answers(tender: str, *bid: TextPiece) -> list[tuple[str, str]]:
    lines = [TextPiece("p1", "投标函"), *bid]
    found = compare_bid(find_requirements([TextPiece("p1", tender)]), lines)
    return [(one.status, one.reason) for one in found]


def row_of(*cells: str) -> list[TextPiece]:
    return [TextPiece(f"t1.r2.c{at}", cell, kind="cell") for at, cell in enumerate(cells, 1)]


def test_what_only_tells_the_procedure_is_no_gap_of_the_bid() -> None:
    for line in (
        "1. 标有★的为实质性要求。",
        "2. 投标截止时间：2026年7月1日9:00。",
        "3. Bids shall be received by noon.",
    ):
        assert answers(line, TextPiece("p2", "我们很荣幸参加。")) == [("unsure", "procedure")]


def test_a_line_that_speaks_of_the_same_in_other_words_is_shown_and_silence_stays_silence() -> None:
    asked = "1. 雨季每日巡查排水沟渠并清理淤泥。"
    assert answers(asked, TextPiece("p2", "汛期安排专人清理排水沟。")) == [("unsure", "trace")]
    assert answers(asked, TextPiece("p2", "提供茶水服务。")) == [("missing", "not_found")]


def test_a_row_with_the_number_of_the_requirement_answers_it() -> None:
    asked = "2.4 ★Range: at least 300 km per charge."
    assert answers(asked, *row_of("2.4", "Range per charge", "260 km", "Yes"))[0][0] == "partial"
    assert answers(asked, *row_of("2.4", "Range per charge", "340 km"))[0][0] != "partial"


def test_a_deposit_below_and_a_price_above_what_the_tender_says_are_deviations() -> None:
    assert answers("1. 投标保证金：人民币60,000元。", TextPiece("p2", "附银行保函，金额4万元。")) == [
        ("partial", "quantity")
    ]
    assert answers("1. 投标保证金：人民币60,000元。", TextPiece("p2", "附银行保函，金额6万元。"))[0][0] != "partial"
    ceiling = "1. The ceiling is EUR 90,000.00."
    assert answers(ceiling, TextPiece("p2", "Total price EUR 95,500.00")) == [("partial", "quantity")]
    assert answers(ceiling, TextPiece("p2", "Total price EUR 85,500.00"))[0][0] != "partial"

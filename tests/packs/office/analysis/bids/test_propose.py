"""The matrix of a bid: which file is the tender, its dates and periods, and what is counted."""

from datetime import date

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Proposal, Reading, propose


def text_of(name: str, *lines: str) -> Reading:
    return Reading(name, "docx", tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)))


TENDER = text_of(
    "招标文件.docx",
    "道路养护项目",
    "递交截止时间：2026年4月2日9时30分",
    "★1.1 投标人须具有养护一级资质。",
    "★1.2 须具有安全生产许可证。",
    "1.3 质保期不少于24个月。",
    "投标有效期：90日。",
    "投标保证金5万元，须于2026年3月28日前到账。",
)
BID = text_of(
    "投标文件.docx",
    "道路养护项目投标",
    "1.1 我公司具有养护二级资质，投标须知已阅，须按招标文件招标要求执行★。",
    "1.2 具有安全生产许可证。",
    "1.3 质保期36个月。",
    "投标有效期为60日。",
)


def compare(first: Reading, second: Reading) -> Proposal:
    reading = Reading(first.name, "docx", first.pieces, others=(second,))
    return propose("bidding-helper", reading, today=date(2026, 3, 4), language="zh")


def test_the_names_tell_which_file_is_the_tender_in_either_order() -> None:
    for made in (compare(TENDER, BID), compare(BID, TENDER)):
        assert "共 5 条要求：满足 1 条，偏离 2 条，未响应 1 条，需人工核对 1 条" in made.summary
        assert "可能导致废标的★条款：1.1。" in made.summary
        assert "需人工核对的★条款：1.2。" in made.summary


def test_deposits_and_how_long_a_bid_stands_are_among_the_dates() -> None:
    rows = compare(TENDER, BID).tables[1]["rows"]
    assert isinstance(rows, list)
    assert [row[1:3] for row in rows if isinstance(row, list)] == [
        ["2026-04-02 09:30", 29],
        ["2026-03-28", 24],
        ["90日", ""],
    ]

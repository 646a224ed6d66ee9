"""Minutes: participants, topics, decisions and promises, with dates counted from the day of the meeting."""

from datetime import date

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, propose
from metier.packs.office.analysis._dates import find_date
from metier.packs.office.analysis.meetings import read_minutes

TODAY = date(2026, 3, 4)  # a Wednesday


def reading_of(*lines: str) -> Reading:
    return Reading("doc", "docx", tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)))


def test_relative_dates_count_from_the_meeting() -> None:
    cases = {
        "下周五前": date(2026, 3, 13),
        "本周五之前": date(2026, 3, 6),
        "周一": date(2026, 3, 9),
        "月底": date(2026, 3, 31),
        "两周内": date(2026, 3, 18),
        "2月28日": date(2027, 2, 28),
        "下个月10号": date(2026, 4, 10),
        "by next Tuesday": date(2026, 3, 10),
        "by June 3rd": date(2026, 6, 3),
        "尽快": None,
        "2月30日": None,
        "as soon as possible": None,
    }
    found = {words: resolved[0] if (resolved := find_date(words, TODAY)) else None for words in cases}
    assert found == cases


def test_what_is_open_is_no_decision_and_a_promise_without_date_stays_open() -> None:
    draft = read_minutes(
        reading_of(
            "发言人1：是否涨价，今天不决定，下次再议。",
            "发言人2：报价我来整理，尽快发给大家。",
            "发言人1：会议通过了差旅办法。",
        ),
        TODAY,
    )
    assert [finding.line for finding in draft.decisions] == ["发言人1：会议通过了差旅办法。"]
    assert [(promise.who, promise.when, promise.address) for promise in draft.promises] == [("发言人2", None, "p2")]
    assert (draft.date, draft.is_date_stated) == (TODAY, False)


def test_minutes_are_one_block_and_every_entry_has_its_line() -> None:
    reading = reading_of("周会 2026年3月4日", "王磊：先说预算。", "陈静：我下周五前提交预算表。", "王磊：同意。")
    zh = propose("meeting-minutes", reading, today=TODAY, language="zh")
    en = propose("meeting-minutes", reading, today=TODAY, language="en")
    (block,) = zh.actions
    assert (block["op"], block["block_id"], block["anchor"]) == ("upsert_block", "meeting-minutes", "end")
    assert "2026-03-13" in str(block)
    assert {finding["line"] for finding in zh.findings} <= {piece.line for piece in reading.pieces}
    assert "待办" in str(zh.tables)
    assert "Action items" in str(en.tables)
    assert "1 action items" in en.summary

"""The ledger keeps what was found word for word, and nothing beyond it passes into a report."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.errors import InvalidInput
from metier.evidence import (
    EvidenceItem,
    EvidenceLedger,
    EvidencePlace,
    ReportFinding,
    contains_verbatim,
    find_disagreements,
    ledger_from_json,
    read_quantities,
    split_sentences,
    verify_findings,
    verify_quotes,
)

SALES = "2025年新能源汽车销量为1280万辆，同比增长35.2%。"
PRICE = "In 2025 the average price fell 4.5 percent to 152,000 yuan."


def make_ledger(*texts: str) -> EvidenceLedger:
    ledger = EvidenceLedger()
    for number, text in enumerate(texts, 1):
        ledger, _ = ledger.add(text, EvidencePlace(f"{number}.md", "line", "3", title=f"title {number}"))
    return ledger


LEDGER = make_ledger(SALES, PRICE)


def test_a_report_keeps_what_its_sources_say_and_loses_the_rest() -> None:
    cases = {
        "the same number": ("销量为1280万辆[1]。", None),
        "the same number in another unit of count": ("销量达到12.8 million vehicles [1].", None),
        "the same number in characters": ("销量为一千二百八十万辆[1]。", None),
        "a quote": ("资料写道“同比增长35.2%”[1]。", None),
        "a quote over a line end": ("It says “average price\nfell” [2].".replace("\n", " "), None),
        "no mark": ("销量为1280万辆。", "not_cited"),
        "a source that is not there": ("销量为1280万辆[7]。", "unknown_source"),
        "a rounded number": ("销量增长35%[1]。", "number_not_in_source"),
        "a number of the other source": ("销量下降4.5%[1]。", "number_not_in_source"),
        "another unit": ("销量为1280万元[1]。", "number_not_in_source"),
        "percent and percentage points": ("增长35.2个百分点[1]。", "number_not_in_source"),
        "another direction": ("同比下降35.2%[1]。", "number_not_in_source"),
        "another year": ("2024年销量为1280万辆[1]。", "number_not_in_source"),
        "a number word": ("Prices halved and sales doubled [2].", "number_not_in_source"),
        "a changed quote": ("资料写道“同比大增35.2%”[1]。", "quote_differs"),
        "a quote without an end": ("资料写道“同比增长[1]。", "quote_differs"),
    }
    wrong = []
    for name, (text, expected) in cases.items():
        found = verify_findings([ReportFinding(text, ())], LEDGER)
        reason = found.removed[0].reason if found.removed else None
        if reason != expected or (expected is None) != bool(found.kept):
            wrong.append((name, reason, found))
    assert wrong == []


def test_each_sentence_is_judged_by_its_own_marks_or_by_those_of_its_finding() -> None:
    marked = verify_findings([ReportFinding("销量为1280万辆。[1] 前景很好。", (1,))], LEDGER)
    assert [one.text for one in marked.kept] == ["销量为1280万辆。"]
    assert [one.reason for one in marked.removed] == ["not_cited"]
    whole = verify_findings([ReportFinding("销量为1280万辆。同比增长35.2%。", (1,))], LEDGER)
    assert [one.ids for one in whole.kept] == [(1,), (1,)]


def test_evidence_that_is_not_in_its_source_any_more_is_taken_out() -> None:
    texts = {"1.md": f"标题\n{SALES[:9]}\n{SALES[9:]}", "2.md": "changed"}
    kept, removed = verify_quotes(LEDGER, lambda one: texts[one.place.source])
    assert [one.id for one in kept.items] == [1]
    assert [(one.reason, one.detail) for one in removed] == [("not_in_source", "2.md")]


def test_a_ledger_numbers_each_text_once_and_survives_its_file() -> None:
    again, known = LEDGER.add(SALES, LEDGER.items[0].place)
    assert (again, known.id) == (LEDGER, 1)
    assert ledger_from_json(LEDGER.to_json()) == LEDGER
    with pytest.raises(InvalidInput):
        ledger_from_json([{"id": 1, "text": "x", "place": {"source": "a"}}])


def test_figures_disagree_only_for_the_same_measure_time_and_unit() -> None:
    measures = (("销量", "sales"), ("渗透率",))
    base = "2025年新能源汽车销量为1280万辆。"
    cases = {
        "another value": ("2025年销量约1310万辆。", True),
        "the same value": ("2025年销量1,280万辆。", False),
        "another year": ("2024年销量约950万辆。", False),
        "half of the year": ("2025年上半年销量约600万辆。", False),
        "another unit": ("2025年销量增长35%。", False),
        "another measure": ("2025年渗透率为45%。", False),
        "two years": ("2024年销量950万辆，2025年销量1310万辆。", False),
    }
    wrong = []
    for name, (text, expected) in cases.items():
        found = find_disagreements(make_ledger(base, text).items, measures)
        if bool(found) != expected:
            wrong.append((name, found))
    assert wrong == []
    (one,) = find_disagreements(make_ledger(base, "2025年销量约1310万辆。").items, measures)
    assert [(each.text, each.id) for each in one.statements] == [("1280万辆", 1), ("1310万辆", 2)]


words = st.text(st.sampled_from("新能源汽车销量增长ab cd，、"), min_size=1, max_size=30)
numbers = st.integers(0, 10**9).map(str) | st.decimals(0, 10**5, places=2).map(str)
marks = st.sampled_from(["", "[1]", "[2]", "[1, 2]", "[9]", "【1】"])


@given(st.lists(st.tuples(words, numbers, words, marks), max_size=6), words, numbers)
def test_whatever_is_kept_is_cited_and_has_only_numbers_of_its_passages(
    parts: list[tuple[str, str, str, str]], passage: str, number: str
) -> None:
    ledger = make_ledger(f"{passage}{number}万辆。", SALES)
    text = "".join(f"{before}{value}{after}{mark}。" for before, value, after, mark in parts)
    found = verify_findings([ReportFinding(text, ())], ledger)
    for one in found.kept:
        cited = [item for item in ledger.items if item.id in one.ids]
        assert one.ids
        assert len(cited) == len(one.ids)
        known = {value.value for item in cited for value in read_quantities(item.text)}
        assert {value.value for value in read_quantities(one.text)} <= known


@given(st.text(max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_a_piece_of_a_text_is_verbatim_and_a_changed_one_is_not(text: str, start: int, length: int) -> None:
    piece = text[start : start + length]
    if "".join(piece.split()):
        assert contains_verbatim(piece, text) or piece != text[start : start + length].strip()
    assert not contains_verbatim(piece + "\U0001f512", text.replace("\U0001f512", ""))


@given(st.text(max_size=300))
def test_sentences_lose_no_character(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@given(st.integers(0, 10**12))
def test_a_number_is_read_with_and_without_separators(number: int) -> None:
    assert {one.value for form in (f"{number}吨", f"{number:,} 吨") for one in read_quantities(form)} == {
        Decimal(number)
    }


def test_evidence_is_found_by_its_number() -> None:
    assert LEDGER.find(2) == EvidenceItem(2, PRICE, EvidencePlace("2.md", "line", "3", "title 2"))
    assert LEDGER.find(3) is None


def test_numbers_in_other_signs_are_numbers_too() -> None:
    from metier.evidence._quantities import find_number_words

    wanted = ("销量Ⅻ万辆", "销量①③⓪万", "销量½", "壹佰叁拾万")
    assert [text for text in wanted if not find_number_words(text)] == []
    assert find_number_words("大陆队伍陆续测得面积 12 km²") == frozenset()

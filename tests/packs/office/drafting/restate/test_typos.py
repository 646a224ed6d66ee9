"""Slips of the keyboard in the words of an order are read as what was meant; names and quotations stay."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.restate._typos import restate_typos


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("insert a tabel with the colums", "insert a table with the columns"),
        ("a bar chrat below the headng", "a bar chart below the heading"),
        ("插个表格画拆线图", "插个表格画折线图"),
        ("列个大刚，三部份", "列个大纲，三部分"),
    ],
)
def test_a_slip_is_read_as_the_only_word_it_can_be(said: str, meant: str) -> None:
    assert restate_typos(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        'add a heading "Colums and tabel"',
        "columns Tabel, Chrat and Lease",
        "the cables, covers and charts of the tablet",
        "the lease of the stable",
        "插入“大刚”两个字",
    ],
)
def test_names_quotations_and_words_of_their_own_stay(said: str) -> None:
    assert restate_typos(said) == said


def test_a_corrected_word_is_never_written_into_the_document() -> None:
    plan = draft_plan("Insert a tabel with the columns tabel and seat, 2 rows.", host="wps", language="en").plan
    assert plan is None or "'table', 'seat'" not in str(plan)
    right = draft_plan("Insert a tabel with the columns Name and Seat, 2 rows.", host="wps", language="en").plan
    assert "['Name', 'Seat']" in str(right)

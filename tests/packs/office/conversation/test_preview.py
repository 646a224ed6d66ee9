"""Rows of a preview, as people read them."""

from metier.packs.office.conversation._preview import _name_links


def test_a_link_is_shown_by_its_words_and_another_formula_as_it_is() -> None:
    first = """=HYPERLINK("#'January'!E5","January!E5") number as text"""
    assert _name_links(first) == "January!E5 number as text"
    assert _name_links('=HYPERLINK("#A!B1","say ""hi""") x') == 'say "hi" x'
    assert _name_links("=SUM(E2:E6) =HYPERLINK(A1)") == "=SUM(E2:E6) =HYPERLINK(A1)"

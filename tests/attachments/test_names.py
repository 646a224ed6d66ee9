"""Which attached files a message names: one door for everything that reads a name."""

import pytest

from metier.attachments import match_names, replace_names

_NAMES = ("contract 1.docx", "合同.docx", "补充合同.docx", "q3.xlsx", "不.docx", "终稿合同.pdf")


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("review contract (1).docx", [("contract 1.docx", "full")]),
        ("review contract 1.DOCX.", [("contract 1.docx", "full")]),
        ("审查（终稿）合同.pdf", [("终稿合同.pdf", "full")]),
        ("对比合同.docx和补充合同.docx", [("合同.docx", "full"), ("补充合同.docx", "full")]),
        ("审查 @合同，再看q3.xlsx", [("合同.docx", "mention"), ("q3.xlsx", "full")]),
        ("不.docx", [("不.docx", "full")]),
        ("sort faq3.xlsx", []),
        ("q3.xlsx.bak", []),
        ("合同.docxx", []),
    ],
)
def test_a_file_is_named_in_full_also_with_the_marks_that_are_not_kept(
    message: str, found: list[tuple[str, str]]
) -> None:
    assert [(one.name, one.form) for one in match_names(message, _NAMES)] == found


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("review contract (1)", ["contract 1.docx"]),
        ("review contract (1) again", ["contract 1.docx"]),
        ("check contract（1）", ["contract 1.docx"]),
        ("看看补充合同", ["补充合同.docx"]),
        ("不要", []),  # one character is no name
        ("contract 12", []),
    ],
)
def test_a_file_may_be_named_without_its_ending_where_that_is_asked_for(message: str, found: list[str]) -> None:
    assert [one.name for one in match_names(message, _NAMES, stems=True)] == found
    assert match_names(message, _NAMES) == ()


def test_names_are_replaced_with_the_bracket_that_closes_in_them() -> None:
    assert replace_names("(see contract (1)) now", _NAMES, lambda _: "@", stems=True) == "(see @) now"
    assert replace_names("no name", _NAMES, lambda _: "@") == "no name"

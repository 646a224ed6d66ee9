"""What a person who decides sees: every character that a model or a program reads."""

from hypothesis import given
from hypothesis import strategies as st

from metier.exports import TableBlock
from metier.exports._markdown_text import parse_markdown
from metier.visible_text import visible_text, write_markdown_table

HIDDEN = {
    "zero width": "a\u200bb",
    "bidi": "pay\u202eyap",
    "isolate": "\u2066x\u2069",
    "tag": "\U000e0041",
    "selector": "a\ufe0f",
    "filler": "\u3164",
    "escape": "\x1b[2J",
    "odd blank": "a\u00a0b",
    "joiner": "a\u200db",
    "byte order mark": "\ufeffx",
}


def test_hidden_characters_are_written_out_and_others_stay() -> None:
    shown = {name: visible_text(text) for name, text in HIDDEN.items()}
    assert {name for name, text in shown.items() if "<U+" not in text} == set()
    assert shown["zero width"] == "a<U+200B>b"
    assert visible_text("plain 中文、“引号” é 한글 ok\n\t") == "plain 中文、“引号” é 한글 ok\n\t"


@given(st.text())
def test_once_is_enough(text: str) -> None:
    once = visible_text(text)
    assert visible_text(once) == once


@given(st.lists(st.lists(st.text("a|\\\n\r *–中"), min_size=3, max_size=3), min_size=1, max_size=4))
def test_a_table_has_as_many_cells_as_it_was_given_whatever_stands_in_them(lines: list[list[str]]) -> None:
    (table,) = parse_markdown(write_markdown_table(lines[0], lines[1:]))
    assert isinstance(table, TableBlock)
    assert [len(one) for one in (table.heads, *table.rows)] == [3] * len(lines)


def test_a_bar_is_seen_in_its_cell_and_what_is_missing_is_a_dash() -> None:
    assert write_markdown_table(("a|b", "c"), [(None, "x\r\ny|")]) == "| a\\|b | c |\n| --- | --- |\n| – | x  y\\| |"

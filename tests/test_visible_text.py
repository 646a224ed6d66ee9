"""What a person who decides sees: every character that a model or a program reads."""

from hypothesis import given
from hypothesis import strategies as st

from metier.visible_text import visible_text

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

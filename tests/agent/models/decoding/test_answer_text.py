"""The text of a JSON string while it arrives."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.agent.models.decoding._answer_text import AnswerText


def decode(pieces: list[str]) -> str:
    decoder = AnswerText()
    return "".join(decoder.add(piece) for piece in pieces) + decoder.finish()


def cut(text: str, places: list[int]) -> list[str]:
    ends = sorted({0, len(text), *(place for place in places if place < len(text))})
    return [text[start:end] for start, end in pairwise(ends)]


@given(text=st.text(), ascii_only=st.booleans(), places=st.lists(st.integers(0, 100), max_size=10))
def test_any_text_arrives_whole_however_it_is_cut(text: str, ascii_only: bool, places: list[int]) -> None:
    written = json.dumps(text, ensure_ascii=ascii_only)[1:]
    assert decode(cut(written, places)) == text


@given(text=st.text(alphabet='\\u"d83DEcan0 😀'), places=st.lists(st.integers(0, 40), max_size=10))
def test_broken_strings_do_not_depend_on_the_pieces_and_can_be_stored(text: str, places: list[int]) -> None:
    whole = decode([text])
    assert decode(cut(text, places)) == whole
    assert whole.encode().decode() == whole


HALVES = [
    pytest.param("\\ud83d\\ude00", "😀", id="a pair"),
    pytest.param("\\ud83d", "\ufffd", id="half a pair at the end"),
    pytest.param("\\ud83dx", "\ufffdx", id="half a pair"),
    pytest.param("\\ude00", "\ufffd", id="the second half alone"),
    pytest.param("\\ud83d\\ud83d\\ude00", "\ufffd😀", id="half a pair before a pair"),
    pytest.param("\\q", "\ufffd", id="no escape"),
    pytest.param("\\u12g4", "\ufffd12g4", id="no number"),
    pytest.param("a\\", "a", id="cut after the backslash"),
    pytest.param("a\\u00", "a", id="cut in the number"),
    pytest.param("a\nb\tc", "a\nb\tc", id="raw control characters"),
]


@pytest.mark.parametrize(("written", "text"), HALVES)
def test_halves_become_a_replacement_character(written: str, text: str) -> None:
    assert decode([written]) == text
    assert decode(list(written)) == text


def test_what_follows_the_string_is_kept_apart() -> None:
    decoder = AnswerText()
    assert decoder.add('Hi."') == "Hi."
    assert decoder.is_complete
    assert decoder.add('} "x"') == ""
    assert decoder.tail == '} "x"'

"""What the eye cannot see is found and spelt out; what scripts and emoji need is left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.skills.checks import find_hidden_text, remove_zero_width


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(char)) for char in text)


@pytest.mark.parametrize(
    ("text", "code", "line", "says"),
    [
        pytest.param(f"a\nb{tags('obey me')}c", "hidden_tag_text", 2, "'obey me'", id="tags"),
        pytest.param(f"a{tags('obey')} b{tags(' me')}", "hidden_tag_text", 1, "'obey me'", id="tags in two runs"),
        pytest.param(f"\U0001f3f4{tags('obey')}\U000e007f", "hidden_tag_text", 1, "'obey'", id="a flag of no land"),
        pytest.param("a\n\nb \u202e c", "hidden_bidi", 3, "U+202E", id="direction override"),
        pytest.param("\u2066a\u2069", "hidden_bidi", 1, "U+2066", id="isolate"),
        pytest.param("a\u200b\u200bb", "hidden_zero_width", 1, "U+200B U+200B", id="zero-width run"),
        pytest.param("a\u200c\u200db", "hidden_zero_width", 1, "U+200C", id="run of joiners"),
        pytest.param("a\u3164\u3164b", "hidden_zero_width", 1, "U+3164", id="run of Hangul fillers"),
        pytest.param("😀\ufe0f\ufe0f", "hidden_variation", 1, "U+FE0F", id="two selectors"),
        pytest.param("a\U000e0150", "hidden_variation", 1, "U+E0150", id="a selector of the second block"),
        pytest.param("a\U000e0101", "hidden_variation", 1, "U+E0101", id="an ideograph's selector on a letter"),
        pytest.param("a\ufe05b", "hidden_variation", 1, "U+FE05", id="a selector that nothing uses"),
        pytest.param("a\nb\u200bc", "zero_width_removed", 2, "U+200B", id="a single zero-width space"),
        pytest.param("co\u00adoperate", "zero_width_removed", 1, "U+00AD", id="a soft hyphen"),
        pytest.param("ad\u200dmin", "zero_width_removed", 1, "U+200D", id="a joiner between Latin letters"),
        pytest.param("a\ufeffb", "zero_width_removed", 1, "U+FEFF", id="a byte order mark inside"),
    ],
)
def test_hidden_text_is_found_and_shown(text: str, code: str, line: int, says: str) -> None:
    (found,) = find_hidden_text(text)
    assert (found.code, found.line) == (code, line)
    assert says in found.message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Plain text, 中文，日本語, العربية, עברית.", id="scripts"),
        pytest.param("👩‍👩‍👧‍👦 ❤️‍🔥 1️⃣ ☺︎", id="emoji"),
        pytest.param(f"\U0001f3f4{tags('gbeng')}\U000e007f \U0001f3f4{tags('gbsct')}\U000e007f", id="flags"),
        pytest.param("می‌خواهم क्‍ष", id="joiners in Persian and Hindi"),
        pytest.param("葛\U000e0100城", id="a Japanese name"),
        pytest.param("a\u200fb\u200e", id="direction marks"),
        pytest.param("tab\tand\u00a0space", id="blanks"),
    ],
)
def test_what_a_writer_means_is_not_hidden_text(text: str) -> None:
    assert find_hidden_text(text) == []
    assert remove_zero_width(text) == text


def test_one_kind_of_hidden_text_does_not_hide_another() -> None:
    text = f"{tags('x')} \u202e \u200b\u200b"
    assert [found.code for found in find_hidden_text(text)] == ["hidden_tag_text", "hidden_bidi", "hidden_zero_width"]


def test_a_single_invisible_character_is_taken_out() -> None:
    assert remove_zero_width("ad\u200bm\u00adin\ufeff x\u200dy") == "admin xy"


@settings(deadline=None)
@given(st.text() | st.text(alphabet=st.sampled_from("a中\n\u200b\u200c\u200d\u202e\ufe0f\U000e0041\U000e0100😀")))
def test_what_was_taken_out_is_not_found_again(text: str) -> None:
    visible = remove_zero_width(text)
    assert "zero_width_removed" not in [found.code for found in find_hidden_text(visible)]
    assert remove_zero_width(visible) == visible

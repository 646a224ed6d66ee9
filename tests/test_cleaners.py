"""What cleans a text changes a clean text no more: nothing is hidden behind what was removed."""

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metier.cli.terminal import escape_control_chars
from metier.json_values import clean_json, clean_text
from metier.routing.vectors._embedders import clean
from metier.skills.checks import find_hidden_text, fold, normalize_name, remove_zero_width
from metier.skills.lint._report import escape_surrogates
from metier.textsearch import normalize_text, strip_apostrophes, strip_invisible
from metier.tools import escape_result_mark

CLEANERS: dict[str, Callable[[str], str]] = {
    "clean_text": clean_text,
    "embedding": clean,
    "escape_control_chars": escape_control_chars,
    "escape_result_mark": escape_result_mark,
    "escape_surrogates": escape_surrogates,
    "fold": fold,
    "normalize_name": normalize_name,
    "normalize_text": normalize_text,
    "remove_zero_width": remove_zero_width,
    "strip_apostrophes": strip_apostrophes,
    "strip_invisible": strip_invisible,
}
HIDDEN = "\u00ad\u034f\u1160\u200b\u200c\u200d\u200e\u202e\u2060\u2066\u3164\ufe0f\ufeff\uffa0\U000e0041"
TEXTS = st.one_of(
    st.text(),
    st.text(st.sampled_from(HIDDEN + "ab1 \n'")),
    st.lists(st.sampled_from(["TOOL", "_RESULT", ":", "TOOL_RESULT: ", "\u200b", "x ", "＿", "\\x1b", "\x1b"])).map(
        "".join
    ),
    st.text(st.characters(codec=None, categories=["Cs", "Cf", "Cc", "Mn", "Lo"])),
    st.text("a 字", min_size=400, max_size=4000),
)


@pytest.mark.parametrize("name", CLEANERS)
@given(text=TEXTS)
@example(text="a\u200b\u200cb")
@example(text="x " * 3000)
def test_a_cleaned_text_is_clean(name: str, text: str) -> None:
    once = CLEANERS[name](text)
    assert CLEANERS[name](once) == once


@given(TEXTS)
@example("a\u200b\u200cb")
def test_no_invisible_character_is_left_where_it_was_removed(text: str) -> None:
    left = remove_zero_width(text)
    assert "zero_width_removed" not in [one.code for one in find_hidden_text(left)]


@given(
    st.recursive(
        TEXTS | st.floats() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
    )
)
def test_a_cleaned_value_is_clean(value: object) -> None:
    once = clean_json(value)  # type: ignore[arg-type]
    assert clean_json(once) == once

"""Every pattern runs in linear time or is refused with a reason."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.limits import MAX_PATTERN_CHARS, InvalidPattern, compile_pattern


@pytest.mark.parametrize(
    "pattern", [r"^(a+)+$", r"^(a|a)*$", r"^(a|aa)+$", r"^(x+x+)+y", r"(.*a){20}$", r".*.*.*.*.*.*x$"]
)
def test_a_pattern_that_runs_away_in_python_ends_here(pattern: str) -> None:
    assert not compile_pattern(pattern)("a" * 20_000 + "!")


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        pytest.param(r"^[a-z0-9]+(-[a-z0-9]+)*$", "rf-cell-7", True, id="words with hyphens"),
        pytest.param(r"^(\d{1,3}\.){3}\d{1,3}$", "10.0.0", False, id="an address"),
        pytest.param("^[\u4e00-\u9fff]+$", "小区", True, id="a range of Chinese"),
        pytest.param(r"^\p{L}+$", "résumé写作", True, id="any letters"),
        pytest.param("b", "abc", True, id="anywhere"),
        pytest.param("^a$", "a\n", False, id="the end is the end"),
        pytest.param("", "", True, id="empty"),
        pytest.param("(?P<x>a)(?<maxx>b)(?i-x:C)", "abc", True, id="groups with names and flags"),
        pytest.param(r"^[\w.&-]+[[:alpha:]]\[$", "a.b&c-d[", True, id="a class of signs"),
        pytest.param("^.{1,9000}$", "a" * 9000, True, id="a limit on the length"),
    ],
)
def test_a_pattern_is_searched_for_anywhere(pattern: str, text: str, fits: bool) -> None:
    assert compile_pattern(pattern)(text) is fits


def test_what_is_no_text_does_not_match() -> None:
    assert not compile_pattern("1")(1)


def test_case_is_ignored_on_demand() -> None:
    assert compile_pattern("SINR", match_case=False)("sinr low")
    assert not compile_pattern("SINR")("sinr low")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        pytest.param("(?=a)b", "look-around", id="look-ahead"),
        pytest.param("(?<!a)b", "look-around", id="look-behind"),
        pytest.param(r"(a)\1", "backreferences", id="back reference"),
        pytest.param("(", "unclosed group", id="malformed"),
        pytest.param("a{1000}{700}", "size limit", id="too large"),
        pytest.param("a{1000}{1000}{1000}", "compiling it takes", id="too long to compile"),
        pytest.param(r"(\w{40}|x){40}", "compiling it takes", id="letters of all scripts, many times"),
        pytest.param("a" * (MAX_PATTERN_CHARS + 1), "longer than", id="too long"),
        pytest.param("[a-z&&[^b]]", "mean something else", id="an intersection"),
        pytest.param("[+--/]", "mean something else", id="a difference"),
        pytest.param("[a~~b]", "mean something else", id="a symmetric difference"),
        pytest.param("[[a]b]", "mean something else", id="a class in a class"),
        pytest.param("(?ix) a {3} # three", "flag 'x'", id="blanks that mean nothing"),
    ],
)
def test_a_pattern_that_cannot_run_is_refused_with_the_reason(pattern: str, reason: str) -> None:
    with pytest.raises(InvalidPattern, match=reason):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "chars"),
    [
        ("error", 1 << 20),
        (r"\d{4}-\d{2}", 1 << 20),
        (".{1000}", 9_990),
        ("(.{50}){50}x", 3_996),
        ("((a{10}){10}){10}", 9_990),
        (r"(?:\d|[^]0-9]){500}", 9_990),
        (".?" * 900, 11_098),
    ],
)
def test_a_text_that_is_too_long_for_a_pattern_does_not_match(pattern: str, chars: int) -> None:
    """The engine takes text times pattern, holds the interpreter's lock meanwhile, and cannot be stopped."""
    assert compile_pattern(pattern).max_chars == chars
    assert not compile_pattern(pattern)("a" * (chars + 1))


@given(st.text(alphabet=st.sampled_from("ab.*+?|()[]{}1,2^$\\wd-:=!<>i"), max_size=40))
def test_any_text_compiles_or_is_refused(pattern: str) -> None:
    with suppress(InvalidPattern):
        assert compile_pattern(pattern)("ab") in (True, False)

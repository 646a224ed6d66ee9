"""Patterns that can run for ever are told from those that only look like it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.skills.checks._patterns import is_unsafe_pattern


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a+)+$", r"(a*)*", r"(a|a)*$", r"(a|aa)+$", r"(a|a?)+$", r"(a(|))*", r"(|a|)*", r"(?:a|b|ab)*c"),
        *(r"([a-zA-Z]+)*$", r"(\w+\s?)*$", r"(\d+|\w+)*$", r"([a-z0-9]+-?)*$", r"(a?b?)*$", r"(x+x+)+y"),
        *(r"(.*a){20}", r"(a+){10}", r"(a{1,3})*$", r"(.*)*", r"(?=(a+)+$)", r"((a)*)*", r"(?i)(ab|Ab)*$"),
        *(r"^(([a-z])+.)+[A-Z]([a-z])+$", r".*.*.*.*.*.*x", r"([^a]|b)*$", r"(.|\n)*?x(.|\s)*"),
        *(r"(a)\1+", r"(", r"\p{L}+", "a" * 3000, "a?" * 200),
    ],
    ids=lambda pattern: pattern[:30],
)
def test_a_pattern_that_can_take_for_ever_is_unsafe(pattern: str) -> None:
    assert is_unsafe_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *("", "^$", "^x-", r"^[a-z0-9]+(-[a-z0-9]+)*$", r"^\d+(\.\d+)*$", r"^(\d{1,3}\.){3}\d{1,3}$"),
        *(r"^([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$", r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", r"^.{1,500}$"),
        *(r"^.*foo.*bar$", r"^(?=.*[A-Z])(?=.*\d).{8,}$", r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z?)?$"),
        *(r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$", r"^(foo|bar)*$", "^[\u4e00-\u9fff]+$", r"^(https?|ftp)://\S+$"),
        *(r"^\s*\S+\s*$", r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", r"^#([0-9a-f]{3}|[0-9a-f]{6})$", r"^([a-z]*|[0-9]*)$"),
        *(r'^("[^"]*",)*$', r"(?i)^(a|A)*$", r"^(ab?c)*$", r"(a|ab)*"),
    ],
    ids=lambda pattern: pattern[:30],
)
def test_a_pattern_that_people_write_is_safe(pattern: str) -> None:
    assert not is_unsafe_pattern(pattern)


@given(st.text(alphabet=st.sampled_from("ab.*+?|()[]{}1,2^$\\wd-:=!<>i"), max_size=40))
@settings(deadline=None, max_examples=200)
def test_any_text_can_be_asked_about(pattern: str) -> None:
    assert is_unsafe_pattern(pattern) in (True, False)

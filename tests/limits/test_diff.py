"""A diff of any two texts rebuilds the new one from the old one, in time that grows with their length alone."""

from difflib import unified_diff

from hypothesis import given
from hypothesis import strategies as st

from metier.limits import diff_lines

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=30)


def apply_diff(old: list[str], told: list[str]) -> list[str]:
    """The new text, as a program that applies patches makes it."""
    new, at = list[str](), 0
    for line in told[2:]:
        if line.startswith("@@"):
            first, _, count = line.split()[1][1:].partition(",")
            start = int(first) - (count != "0")
            new += old[at:start]
            at = start
        elif line[0] == "+":
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            new += [line[1:]] if line[0] == " " else []
            at += 1
    return new + old[at:]


@given(LINES, LINES)
def test_a_diff_leads_from_the_old_text_to_the_new_one(old: list[str], new: list[str]) -> None:
    assert apply_diff(old, list(diff_lines(old, new, "a", "b"))) == new


def test_a_small_change_reads_as_everywhere() -> None:
    old = [f"line {at}" for at in range(40)]
    new = [*old[:10], "other", *old[12:30], "more", *old[30:]]
    assert list(diff_lines(old, new, "a", "b")) == list(unified_diff(old, new, "a", "b", lineterm=""))


def test_long_texts_are_compared_in_few_steps() -> None:
    """Every second line changed, and a hundred lines over and over: `difflib` alone takes minutes for each."""
    unique = [f"line {at}" for at in range(20_000)]
    every_second = [line if at % 2 else f"new {line}" for at, line in enumerate(unique)]
    repeated = [str(at * at % 101) for at in range(20_000)]
    for old, new in ((unique, every_second), (repeated, repeated[::-1])):
        assert apply_diff(old, list(diff_lines(old, new, "a", "b"))) == new

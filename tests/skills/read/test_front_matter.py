"""Front matter is cut once, mended where the standard's guide says so, and never guessed at."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.skills.model import MAX_FRONT_MATTER_BYTES
from metier.skills.read import NoFrontMatter, read_front_matter, split_front_matter
from metier.skills.read._front_matter import has_second_front_matter
from tests.skills.support import codes, report


@pytest.mark.parametrize(
    ("text", "front", "body"),
    [
        pytest.param("---\na: 1\n---\nbody", "a: 1\n", "body", id="plain"),
        pytest.param("---\na: 1\n---", "a: 1\n", "", id="no newline at the end"),
        pytest.param("---\n---\nbody", "", "body", id="nothing between"),
        pytest.param("--- \na: 1\n---\t\nbody", "a: 1\n", "body", id="blanks after the dashes"),
        pytest.param("---\na: x --- y\n---\nbody", "a: x --- y\n", "body", id="dashes inside a value"),
        pytest.param("---\na: |\n  ---\n---\nbody", "a: |\n  ---\n", "body", id="indented dashes"),
        pytest.param("---\na: 1\n----\n---\nbody", "a: 1\n----\n", "body", id="four dashes are not three"),
        pytest.param("---\na: 1\n---\nx\n---\ny", "a: 1\n", "x\n---\ny", id="a rule in the body"),
    ],
)
def test_the_two_halves(text: str, front: str, body: str) -> None:
    split = split_front_matter(text)
    assert (split.front, text[split.body_offset :]) == (front, body)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("", "front_matter_missing", id="nothing"),
        pytest.param("# Title\n", "front_matter_missing", id="a heading"),
        pytest.param("\n---\na: 1\n---\n", "front_matter_missing", id="a blank line first"),
        pytest.param("----\na: 1\n----\n", "front_matter_missing", id="four dashes"),
        pytest.param("---", "front_matter_unclosed", id="dashes only"),
        pytest.param("---\na: 1\n", "front_matter_unclosed", id="never closed"),
        pytest.param("---\n" + "x" * 50_000, "front_matter_unclosed", id="never closed, however long"),
        pytest.param("---\n" + "a: 1\n" * 5_000 + "---\n", "front_matter_too_large", id="closed too late"),
        pytest.param("---\na: " + "字" * 6_000 + "\n---\n", "front_matter_too_large", id="bytes count, not letters"),
    ],
)
def test_a_text_that_cannot_be_cut_says_why(text: str, code: str) -> None:
    with pytest.raises(NoFrontMatter) as caught:
        split_front_matter(text)
    assert caught.value.code == code


def test_front_matter_may_fill_its_limit_to_the_byte() -> None:
    front = "a: " + "x" * (MAX_FRONT_MATTER_BYTES - 4) + "\n"
    assert split_front_matter(f"---\n{front}---\n").front == front


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("-\n a:\t\u2028\x85é")) | st.text())
def test_a_split_covers_the_text_or_says_why_not(text: str) -> None:
    try:
        split = split_front_matter(text)
    except NoFrontMatter:
        return
    first, body = text.split("\n", 1)[0], text[split.body_offset :]
    closing = text[len(first) + 1 + len(split.front) : split.body_offset]
    assert first.rstrip() == closing.rstrip() == "---"
    assert f"{first}\n{split.front}{closing}{body}" == text


@pytest.mark.parametrize(
    ("front", "key", "value", "lines"),
    [
        pytest.param("a: Use this: always\n", "a", "Use this: always", [2], id="a colon"),
        pytest.param("a: it's this: x\n", "a", "it's this: x", [2], id="a colon and an apostrophe"),
        pytest.param("b: 1\na: Use when:\n", "a", "Use when:", [3], id="a colon at the end"),
        pytest.param("a: Use when: x\n  or y: z\nb: 1\n", "a", "Use when: x or y: z", [2], id="on two lines"),
        pytest.param("a: Use this\n  when: needed\nb: 1\n", "a", "Use this when: needed", [2], id="on the second line"),
        pytest.param("b: x # note: y\na: c: d\n", "a", "c: d", [3], id="a comment is no value"),
    ],
)
def test_an_unquoted_colon_is_mended(front: str, key: str, value: str, lines: list[int]) -> None:
    found = report()
    document = read_front_matter(front, found)
    assert document is not None
    assert document.data[key] == value
    assert [finding.line for finding in found] == lines
    assert set(codes(found)) == {"yaml_colon_quoted"}


def test_a_mended_list_of_maps_keeps_its_other_keys() -> None:
    document = read_front_matter("sop:\n- title: Ask: first\n  call: x\n- title: Then\n", report())
    assert document is not None
    assert document.data["sop"] == [{"title": "Ask: first", "call": "x"}, {"title": "Then"}]


def test_keys_below_a_mended_value_keep_their_lines() -> None:
    document = read_front_matter("a: x: y\n  more\n\nb: 1\n", report())
    assert document is not None
    assert document.lines == {"a": 2, "b": 5}


def test_front_matter_beyond_mending_says_the_first_mistake_and_its_line() -> None:
    found = report()
    assert read_front_matter("a: 1\nb: [1\nc: x: y\n", found) is None
    assert [(finding.code, finding.line) for finding in found] == [("yaml_invalid", 4)]


@pytest.mark.parametrize(
    ("body", "repeated"),
    [
        pytest.param("name: other\n---\ntext", True, id="without its opening line"),
        pytest.param("---\nkind: other\n---\ntext", True, id="with its opening line"),
        pytest.param("\n\nname: other\ntags:\n  - a\n---\n", True, id="after blank lines"),
        pytest.param("Usage: once a day\n---\ntext", False, id="a heading with a colon"),
        pytest.param("---\n\ntext\n---\n", False, id="two rules"),
        pytest.param("---\n---\n", False, id="two rules in a row"),
        pytest.param("# Title\n---\n", False, id="a heading"),
        pytest.param("name: other\ntext\n---\n", False, id="text between"),
        pytest.param("name: other\n", False, id="never closed"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_a_second_front_matter_is_told_from_markdown(body: str, *, repeated: bool) -> None:
    assert has_second_front_matter(body) is repeated


def test_a_comment_after_a_bare_colon_stays_a_comment() -> None:
    heard = report()
    document = read_front_matter("description: Use this: always # a note\n", heard)
    assert document is not None
    assert document.data == {"description": "Use this: always"}
    assert codes(heard) == ["yaml_colon_quoted"]

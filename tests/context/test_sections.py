import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.context import Piece, Section, fit
from tests.context.support import words


def pieces(*sizes: int, **fields: bool) -> tuple[Piece, ...]:
    return tuple(Piece(f"p{at}", "w " * size, worth=-at, tokens=size, **fields) for at, size in enumerate(sizes))


def test_all_stays_when_there_is_room() -> None:
    found = fit([Section("rules", "head", pieces=pieces(3, 4))], 100, words)
    assert [piece.id for piece in found.get_pieces("rules")] == ["p0", "p1"]
    assert found.dropped == ()
    assert found.tokens == 3 + 4 + 2  # a heading is one word and the line after it


def test_the_section_of_less_priority_goes_first() -> None:
    low, high = Section("cases", priority=1, pieces=pieces(5)), Section("rules", priority=2, pieces=pieces(5))
    found = fit([low, high], 6, words)
    assert found.get_pieces("cases") == ()
    assert [(one.section, one.piece, one.code) for one in found.dropped] == [("cases", "p0", "total_limit")]
    assert found.dropped[0].text == "5 tokens, and 1 were left in all"


def test_a_piece_goes_whole_and_a_smaller_one_may_take_its_place() -> None:
    found = fit([Section("rules", pieces=pieces(9, 3))], 5, words)
    assert [piece.text for piece in found.get_pieces("rules")] == ["w w w "]


def test_a_conversation_has_no_gaps() -> None:
    found = fit([Section("history", pieces=pieces(1, 9, 1), contiguous=True)], 5, words)
    assert [piece.id for piece in found.get_pieces("history")] == ["p0"]
    assert [one.code for one in found.dropped] == ["total_limit", "gap"]


def test_a_section_keeps_to_its_own_limit() -> None:
    found = fit([Section("rules", pieces=pieces(4, 4), limit_tokens=6)], 100, words)
    assert [one.code for one in found.dropped] == ["section_limit"]
    assert found.uses[0].to_json() == {
        "name": "rules",
        "tokens": 4,
        "kept": ["p0"],
        "dropped": ["p1"],
        "limit_tokens": 6,
        "required": False,
    }


@pytest.mark.parametrize(
    "section",
    [
        Section("rules", "one two three four", required=True),
        Section("rules", required=True, pieces=pieces(4), limit_tokens=1),
        Section("rules", pieces=pieces(4, required=True), limit_tokens=1),
    ],
    ids=["a text", "a section", "a piece"],
)
def test_what_is_required_stays_beyond_every_limit(section: Section) -> None:
    found = fit([section, Section("cases", pieces=pieces(1))], 2, words)
    assert found.tokens >= 4
    assert found.get_pieces("cases") == ()
    assert found.optional_count == 0


def test_a_section_is_written_with_its_heading_and_an_empty_one_not_at_all() -> None:
    full, bare = Section("rules", "## Rules", pieces=(Piece("a", "A"), Piece("b", "B"))), Section("cases", "## Cases")
    gone = Section("documents", "## Documents", pieces=(Piece("d", "D", tokens=1000),))
    found = fit([full, bare, gone], 100, words)
    assert found.render(["cases", "documents", "rules", "nothing"]) == "## Cases\n\n## Rules\n\nA\n\nB"


some_pieces = st.lists(
    st.builds(
        Piece,
        id=st.uuids().map(str),
        text=st.just(""),
        worth=st.integers(0, 5),
        required=st.booleans(),
        tokens=st.integers(0, 50),
    ),
    max_size=6,
).map(tuple)
some_sections = st.lists(
    st.builds(
        Section,
        name=st.uuids().map(str),
        text=st.sampled_from(["", "a heading"]),
        priority=st.integers(0, 3),
        required=st.booleans(),
        pieces=some_pieces,
        limit_tokens=st.none() | st.integers(0, 100),
        contiguous=st.booleans(),
    ),
    max_size=5,
)


@given(some_sections, st.integers(0, 300))
def test_the_limit_holds_unless_what_is_required_is_more(sections: list[Section], limit: int) -> None:
    found = fit(sections, limit, words)
    assert found.tokens <= limit or found.optional_count == 0


@given(some_sections, st.integers(0, 300))
def test_every_piece_is_either_kept_or_accounted_for(sections: list[Section], limit: int) -> None:
    found = fit(sections, limit, words)
    given_ids = sorted(piece.id for section in sections for piece in section.pieces)
    kept = [piece.id for section, some in found.pieces if section.pieces for piece in some]
    gone = [one.piece for one in found.dropped if one.piece != one.section]
    assert sorted([*kept, *gone]) == given_ids

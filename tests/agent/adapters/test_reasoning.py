"""Reasoning while it arrives: what is emitted, joined, is what is stored."""

from hypothesis import given
from hypothesis import strategies as st

from metier.agent.adapters import MAX_OUTPUT_CHARS, StreamedReasoning
from metier.store import EventDraft


def stream(pieces: list[str]) -> list[EventDraft]:
    reasoning = StreamedReasoning()
    deltas = [delta for piece in pieces if (delta := reasoning.add(piece)) is not None]
    return [*deltas, *reasoning.finish()]


@given(st.lists(st.text(alphabet=" \n想ab", max_size=90), max_size=12))
def test_joined_deltas_are_the_text_without_white_space_around_it(pieces: list[str]) -> None:
    drafts, whole = stream(pieces), "".join(pieces).strip()
    assert [draft.data["text"] for draft in drafts if draft.kind == "reasoning.done"] == ([whole] if whole else [])
    assert "".join(str(draft.data["text"]) for draft in drafts if draft.kind == "reasoning.delta") == whole


def test_no_more_is_kept_than_of_a_text() -> None:
    drafts = stream(["想" * MAX_OUTPUT_CHARS, "太多" * 100])
    assert len(str(drafts[-1].data["text"])) == MAX_OUTPUT_CHARS


def test_what_follows_the_end_is_reasoning_of_its_own() -> None:
    reasoning = StreamedReasoning()
    assert reasoning.add("one") is None
    assert [draft.data["text"] for draft in reasoning.finish()] == ["one", "one"]
    assert reasoning.finish() == []
    reasoning.add("two")
    assert [draft.data["text"] for draft in reasoning.finish(stopped=True)] == ["two", "two"]

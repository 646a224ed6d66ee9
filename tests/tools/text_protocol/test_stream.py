"""A reply as it arrives: what is shown at once, what is held, and that the pieces do not matter."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.tools import ReadingRules, ReplyStream, TextReply, ToolSpec
from tests.time_limit import limit_cpu

TOOLS = {name: ToolSpec(name, "") for name in ("web_search", "now")}
CALL = '{"name":"web_search","arguments":{"query":"5G"}}'


def stream(pieces: list[str], *, thinking: bool = False, tools: bool = True) -> tuple[list[str], TextReply]:
    reader = ReplyStream(ReadingRules(TOOLS if tools else {}, "prose", several=True), thinking=thinking)
    return [reader.add(piece) for piece in pieces], reader.finish()


HELD = [
    pytest.param("All is well", 11, id="prose"),
    pytest.param("Look: {", 6, id="a brace"),
    pytest.param('Look: {"na', 6, id="half a key"),
    pytest.param('Look: {"name": "x"', 6, id="a call"),
    pytest.param("Look:\n```json\n", 6, id="a fence"),
    pytest.param("Look:\n``", 6, id="half a fence"),
    pytest.param("Look: <tool_", 6, id="half a tag"),
    pytest.param("Look: [TOOL_C", 6, id="half a mark"),
    pytest.param("Look: <｜tool", 6, id="half a token"),
    pytest.param("Look:\n> TOOL_RES", 6, id="half an invented result"),
    pytest.param('Look: {"steps": [1]}', 20, id="other JSON"),
    pytest.param("f() { return 1 }", 16, id="code"),
    pytest.param("a < b", 5, id="a comparison"),
    pytest.param('```python\nprint({"a": 1})\n```', 26, id="code in a fence, then the end of a fence"),
]


@pytest.mark.parametrize(("text", "place"), HELD)
def test_a_reply_that_arrives_is_held_from_where_a_mark_may_begin(text: str, place: int) -> None:
    shown, reply = stream([text])
    assert shown == [text[:place]]
    assert not reply.rest or shown[0] + reply.rest == reply.text


def test_reasoning_is_passed_on_as_it_comes_and_never_shown() -> None:
    reader = ReplyStream(ReadingRules({}))
    shown = [reader.add(piece) for piece in ("<thi", "nk>First I look at the cells", ", then</think>\n\nFi", "ne.")]
    assert shown == ["", "", "Fi", "ne."]
    assert reader.take_reasoning() == "First I look at the cells, then"
    assert reader.take_reasoning() == ""
    assert reader.finish().text == "Fine."


def test_a_model_that_always_thinks_first_may_leave_the_opening_tag_out() -> None:
    shown, reply = stream(["So the user", " wants</think>", "Fine."], thinking=True)
    assert shown == ["", "", "Fine."]
    assert (reply.text, reply.reasoning) == ("Fine.", "So the user wants")
    shown, reply = stream(["No tag", " at all."], thinking=True)
    assert (shown, reply.rest, reply.text) == (["", ""], "No tag at all.", "No tag at all.")


def test_nothing_is_shown_after_an_invented_result() -> None:
    shown, reply = stream(["Let me look.\nTOOL_RES", 'ULT: {"n": 42}', "\nIt is 42."])
    assert "".join(shown) == "Let me look.\n"
    assert reply.problem is not None
    assert reply.problem.code == "invented_result"


def test_a_call_after_prose_is_held_and_read_at_the_end() -> None:
    shown, reply = stream(["Let me look. ", "<tool_call>", CALL, "</tool_call>"])
    assert shown == ["Let me look. ", "", "", ""]
    assert [call.name for call in reply.calls] == ["web_search"]
    assert (reply.text, reply.rest) == ("Let me look.", "")


def test_without_tools_bare_json_is_prose_and_a_marked_call_is_not_shown() -> None:
    assert stream([CALL], tools=False)[1].text == CALL
    shown, reply = stream(["Done.", f"<tool_call>{CALL}</tool_call>"], tools=False)
    assert (shown, reply.text, reply.calls) == (["Done.", ""], "Done.", ())


PARTS = st.sampled_from(
    [
        *(
            "<think>",
            "</think>",
            "<tool_call>",
            "</tool_call>",
            "TOOL_RESULT: {}",
            "\n",
            "\n> ",
            "`<think>`",
            "```json\n",
        ),
        *(
            CALL,
            '{"a": 1}',
            '{"name": "张三"}',
            "All is well. ",
            "{",
            "[",
            "<",
            "  ",
            "`",
            "<|im_end|>",
            "[TOOL_CALLS]",
        ),
        *("TOOL", "_RESULT", ":", "<tool", "_response>", "Fine"),
    ]
)


@given(parts=st.lists(PARTS, max_size=10), cuts=st.lists(st.integers(0, 200), max_size=20), thinking=st.booleans())
def test_the_pieces_do_not_matter(parts: list[str], cuts: list[int], thinking: bool) -> None:
    text = "".join(parts)
    places = sorted({cut for cut in cuts if cut < len(text)} | {0, len(text)})
    pieces = [text[start:end] for start, end in pairwise(places)]
    whole_shown, whole = stream([text], thinking=thinking)
    shown, reply = stream(pieces, thinking=thinking)
    assert "".join(shown) + reply.rest == "".join(whole_shown) + whole.rest
    assert (reply.text, reply.calls, reply.problem) == (whole.text, whole.calls, whole.problem)
    assert reply.reasoning == whole.reasoning
    assert "<tool_response>" not in reply.text.replace("`<tool_response>", "")


@given(parts=st.lists(PARTS, max_size=10))
def test_what_is_shown_and_the_final_text_are_the_same_words(parts: list[str]) -> None:
    shown, reply = stream(list("".join(parts)))
    assert ("".join(shown) + reply.rest).split() == reply.text.split()


@pytest.mark.parametrize("unit", ["{ ", "[ ", "<", "<think", "> T", "`", '{"name', "TOOL_RESULT"])
def test_many_small_pieces_take_linear_time(unit: str) -> None:
    text = unit * (80_000 // len(unit))
    with limit_cpu(3):
        stream([text[start : start + 20] for start in range(0, len(text), 20)])

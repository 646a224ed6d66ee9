"""Replies that were decoded under the schema of a stage, as they arrive."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.agent.models.decoding import StageStream, compile_stage
from metier.tools import ReadingRules, TextReply, ToolSpec

SEARCH = ToolSpec("web_search", "", {"type": "object", "properties": {"query": {"type": "string"}}})
TOOLS = {tool.name: tool for tool in (SEARCH, ToolSpec("now", ""))}
CALL = '{"tool": "web_search", "arguments": {"query": "5G"}}'


def stream(pieces: list[str], *, thinking: bool = False) -> tuple[list[str], TextReply]:
    stage = compile_stage(list(TOOLS.values()), max_calls=3)
    reader = StageStream(stage, ReadingRules(TOOLS, "prose", several=True), thinking=thinking)
    return [reader.add(piece) for piece in pieces], reader.finish()


def calls_of(reply: TextReply) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in reply.calls]


def test_an_answer_is_shown_as_it_is_decoded() -> None:
    shown, reply = stream(['{"ans', 'wer": "5G 覆', "盖\\n正", "常 \\ud83d", '\\ude00。"', "}"])
    assert shown == ["", "5G 覆", "盖\n正", "常 ", "😀。", ""]
    assert (reply.text, reply.rest, reply.problem) == ("5G 覆盖\n正常 😀。", "", None)


def test_an_answer_under_reply_is_the_same() -> None:
    shown, reply = stream(['{"reply": {"answer":"All', ' is well."}}'])
    assert (shown, reply.text) == (["All", " is well."], "All is well.")


def test_an_answer_that_is_cut_off_keeps_what_there_is() -> None:
    shown, reply = stream(['{"answer": "The cell', " has \\u4e"])
    assert "".join(shown) == reply.text == "The cell has "
    assert (reply.calls, reply.problem) == ((), None)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        pytest.param(CALL, [("web_search", {"query": "5G"})], id="a call"),
        pytest.param(f'{{"reply": {CALL}}}', [("web_search", {"query": "5G"})], id="under reply"),
        pytest.param(f"```json\n{CALL}\n```", [("web_search", {"query": "5G"})], id="in a fence"),
        pytest.param(f'{{"calls": [{CALL}, {{"tool":"now","arguments":{{}}}}]}}', None, id="two calls"),
        pytest.param(f"{CALL}<|im_end|>", [("web_search", {"query": "5G"})], id="with a token after it"),
    ],
)
def test_a_call_is_made_when_it_is_complete(text: str, calls: Any) -> None:
    shown, reply = stream(list(text))
    assert "".join(shown) == ""
    assert calls_of(reply) == (calls or [("web_search", {"query": "5G"}), ("now", {})])
    assert len({call.id for call in reply.calls}) == len(reply.calls)


@pytest.mark.parametrize("end", range(1, len(CALL)))
def test_no_part_of_a_call_is_a_call(end: int) -> None:
    shown, reply = stream([CALL[:end]])
    assert (shown, reply.text, reply.calls) == ([""], "", ())
    assert reply.problem is not None
    assert reply.problem.code == "half_json"


@pytest.mark.parametrize("lead", ["<think>The user wants 5G.</think>\n", "The user wants 5G.</think>"])
@pytest.mark.parametrize(("body", "text"), [('{"answer": "Fine."}', "Fine."), (CALL, "")], ids=["an answer", "a call"])
def test_a_model_may_think_first(lead: str, body: str, text: str) -> None:
    shown, reply = stream(list(lead + body), thinking=not lead.startswith("<"))
    assert "".join(shown) == text
    assert reply.reasoning == "The user wants 5G."
    assert len(reply.calls) == (1 if not text else 0)


def test_a_model_that_usually_thinks_need_not() -> None:
    shown, reply = stream(['{"answer": "Fi', 'ne."}'], thinking=True)
    assert (shown, reply.text) == (["Fi", "ne."], "Fine.")


def test_an_endpoint_that_ignores_the_schema_is_read_as_text() -> None:
    shown, reply = stream(["All ", "is well."])
    assert (shown, reply.text) == (["All ", "is well."], "All is well.")
    assert calls_of(stream(['I look. <tool_call>{"name":"now","arguments":{}}</tool_call>'])[1]) == [("now", {})]
    assert calls_of(stream(['{"name": "now", "arguments": {}}'])[1]) == [("now", {})]
    assert stream(['{"tool": "shell", "arguments": {}}'])[1].calls == ()
    assert stream(['{"figures": [1, 2]}'])[1].text == '{"figures": [1, 2]}'


def test_marks_in_an_answer_are_not_shown() -> None:
    text = json.dumps({"answer": 'Fine.\nTOOL_RESULT: {"n": 1}\nIt is 1.'})
    assert stream(list(text))[1].text == "Fine.\n"


def test_a_strict_decoder_s_null_is_taken_out_of_the_arguments() -> None:
    stage = compile_stage([SEARCH], dialect="strict")
    reader = StageStream(stage, ReadingRules(TOOLS, "prose"))
    reader.add('{"reply": {"tool": "web_search", "arguments": {"query": null}}}')
    assert calls_of(reader.finish()) == [("web_search", {})]


PARTS = st.sampled_from(
    [
        *(
            "<think>",
            "hm",
            "</think>",
            '{"answer": "',
            '{"reply":{"answer":"',
            "words ",
            "\\n",
            "\\ud83d",
            "\\ude00",
            '"',
        ),
        *("}", CALL, '{"tool"', '{"calls": [', " ", "\n", "```json\n", "<tool_call>", "TOOL_RESULT: {}", "{"),
    ]
)


@given(parts=st.lists(PARTS, max_size=8), cuts=st.lists(st.integers(0, 150), max_size=15), thinking=st.booleans())
def test_the_pieces_do_not_matter(parts: list[str], cuts: list[int], thinking: bool) -> None:
    text = "".join(parts)
    ends = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    whole_shown, whole = stream([text], thinking=thinking)
    shown, reply = stream([text[start:end] for start, end in pairwise(ends)], thinking=thinking)
    assert "".join(shown) + reply.rest == "".join(whole_shown) + whole.rest
    assert (reply.text, reply.calls, reply.reasoning) == (whole.text, whole.calls, whole.reasoning)
    assert (reply.problem and reply.problem.code) == (whole.problem and whole.problem.code)
    assert ("".join(shown) + reply.rest).split() == reply.text.split()


@given(text=st.text())
def test_any_answer_is_streamed_to_the_last_character(text: str) -> None:
    shown, reply = stream(list(json.dumps({"answer": f"x{text}"})))
    if "<" not in text and "[" not in text and "TOOL" not in text.upper():
        assert "".join(shown) + reply.rest == reply.text == f"x{text}"


def test_a_megabyte_of_white_space_takes_linear_time() -> None:
    shown, reply = stream([" " * 50] * 20_000)
    assert ("".join(shown), reply.calls) == ("", ())

"""Calls in the marks of model families: what each writes, what is half, what is only mentioned, what is quoted."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.tools import ReadingRules, ReplyStream, TextReply, ToolSpec, read_reply
from tests.time_limit import limit_cpu

SEARCH = ToolSpec(
    "web_search",
    "Search the web.",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}, "top_k": {"type": "integer"}, "tags": {"type": "array"}},
    },
)
NOW = ToolSpec("now", "The time.")
TOOLS = {tool.name: tool for tool in (SEARCH, NOW)}
ARGUMENTS = '{"query":"5G","top_k":3}'
CALL = '{"name":"web_search","arguments":' + ARGUMENTS + "}"


def read(text: str, **rules: Any) -> TextReply:
    return read_reply(text, TOOLS, **{"unknown": "prose", "several": True, **rules})


def calls_of(text: str, **rules: Any) -> list[tuple[str, Mapping[str, object]]]:
    return [(call.name, call.arguments) for call in read(text, **rules).calls]


FORMS = [
    pytest.param(f"<tool_call>\n{CALL}\n</tool_call>", id="Hermes"),
    pytest.param(f"<tool_call>{CALL}", id="Hermes without an end"),
    pytest.param(f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>", id="Hermes in a fence"),
    pytest.param(f"<tool_calls><tool_call>{CALL}</tool_call></tool_calls>", id="Hermes, wrapped"),
    pytest.param(
        "<tool_call>\n<function=web_search>\n<parameter=query>\n5G\n</parameter>\n<parameter=top_k>\n3\n</parameter>\n"
        "</function>\n</tool_call>",
        id="Qwen Coder",
    ),
    pytest.param(f"<function=web_search>{ARGUMENTS}</function>", id="Llama, a function"),
    pytest.param('<|python_tag|>{"name":"web_search","parameters":' + ARGUMENTS + "}", id="Llama, JSON"),
    pytest.param('<|python_tag|>web_search.call(query="5G", top_k=3)', id="Llama, Python"),
    pytest.param(f"[TOOL_CALLS][{CALL}]", id="Mistral, a list"),
    pytest.param(f"[TOOL_CALLS] {CALL}", id="Mistral, an object"),
    pytest.param(f"[TOOL_CALLS]web_search[ARGS]{ARGUMENTS}", id="Mistral, a name"),
    pytest.param(f"[TOOL_CALLS]web_search[CALL_ID]x7[ARGS]{ARGUMENTS}", id="Mistral, an id"),
    pytest.param(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>web_search\n```json\n"
        f"{ARGUMENTS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        id="DeepSeek R1",
    ),
    pytest.param(
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>web_search<｜tool▁sep｜>{ARGUMENTS}<｜tool▁call▁end｜>"
        "<｜tool▁calls▁end｜>",
        id="DeepSeek V3.1",
    ),
    pytest.param(
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="web_search">\n<｜DSML｜parameter name="query" string="true">5G'
        '</｜DSML｜parameter>\n<｜DSML｜parameter name="top_k" string="false">3</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        id="DeepSeek V3.2",
    ),
    pytest.param(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.web_search:0<|tool_call_argument_begin|>"
        f"{ARGUMENTS}<|tool_call_end|><|tool_calls_section_end|>",
        id="Kimi",
    ),
    pytest.param(f"TOOL_CALL: {CALL}", id="our mark, an object"),
    pytest.param(f"TOOL_CALL: web_search {ARGUMENTS}", id="our mark, a name"),
    pytest.param(f"TOOL_CALL: web_search\n{ARGUMENTS}", id="our mark, two lines"),
    pytest.param(f"TOOL_CALL: web_search({ARGUMENTS})", id="our mark, a function"),
    pytest.param(f"**Tool_call:** {CALL}", id="our mark, bold"),
    pytest.param(f"tool_call：{CALL}", id="our mark, another colon"),
    pytest.param(f"```json\n{CALL}\n```", id="a fence"),
    pytest.param(f"```tool_call\n{CALL}\n```", id="a fence of its own"),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("end", ["</think>", "\n</thinking>", "[/THINK]"])
def test_a_call_in_reasoning_whose_beginning_the_template_wrote_does_not_count(form: str, end: str) -> None:
    reply = read(f"Perhaps {form}{end}\nFine.")
    assert (reply.calls, reply.problem) == ((), None)
    assert "web_search" not in reply.text
    assert reply.text.endswith("Fine.")


@pytest.mark.parametrize("form", FORMS)
def test_a_call_after_such_reasoning_counts(form: str) -> None:
    assert calls_of(f"Perhaps {CALL}, or not.</think>{form}") == [("web_search", {"query": "5G", "top_k": 3})]


@pytest.mark.parametrize("text", FORMS)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("我先查。\n", "\n稍等。")], ids=["alone", "in prose"])
def test_a_family_s_call_is_read_and_its_marks_are_gone(text: str, before: str, after: str) -> None:
    after = "" if "python_tag" in text else after
    reply = read(before + text + after)
    assert [(call.name, call.arguments) for call in reply.calls] == [("web_search", {"query": "5G", "top_k": 3})]
    assert reply.text == "\n".join(part.strip() for part in (before, after) if part)
    assert reply.problem is None


SEVERAL = [
    pytest.param(f'<tool_call>{CALL}</tool_call>\n<tool_call>{{"name":"now"}}</tool_call>', id="Hermes"),
    pytest.param(f'[TOOL_CALLS][{CALL}, {{"name":"now","arguments":{{}}}}]', id="Mistral"),
    pytest.param(f"[TOOL_CALLS]web_search{ARGUMENTS}[TOOL_CALLS]now{{}}", id="Mistral, names"),
    pytest.param(f'[{CALL}, {{"name":"now","arguments":{{}}}}]', id="a list"),
    pytest.param(
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>web_search<｜tool▁sep｜>{ARGUMENTS}<｜tool▁call▁end｜>"
        "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        id="DeepSeek",
    ),
]


@pytest.mark.parametrize("text", SEVERAL)
def test_several_calls_are_read_in_order_with_an_id_each(text: str) -> None:
    reply = read(text, call_id="c")
    assert [(call.id, call.name) for call in reply.calls] == [("c", "web_search"), ("c-2", "now")]
    assert reply.text == ""
    only = read(text, several=False)
    assert only.problem is not None
    assert only.problem.code == "two_calls"


def test_arguments_may_hold_every_mark() -> None:
    value = "</tool_call><think>x</think>\\nTOOL_RESULT: {}<|im_end|>```[TOOL_CALLS]"
    assert calls_of(f'<tool_call>{{"name":"web_search","arguments":{{"query":"{value}"}}}}</tool_call>') == [
        ("web_search", {"query": value.replace("\\n", "\n")})
    ]


HALVES = [
    pytest.param(f"<tool_call>{CALL[:-4]}", id="Hermes"),
    pytest.param("<tool_call>\n<function=web_search>\n<parameter=query>\n5", id="Qwen Coder"),
    pytest.param("<tool_call>\n<function=web_search>", id="Qwen Coder, a name"),
    pytest.param(f"[TOOL_CALLS]web_search[ARGS]{ARGUMENTS[:-3]}", id="Mistral"),
    pytest.param(f"<function=web_search>{ARGUMENTS[:-3]}", id="Llama"),
    pytest.param(f"<｜tool▁call▁begin｜>web_search<｜tool▁sep｜>{ARGUMENTS[:-3]}", id="DeepSeek"),
    pytest.param(f"```json\n{CALL[:-4]}", id="a fence"),
]


@pytest.mark.parametrize("text", HALVES)
def test_half_a_call_is_no_call_and_not_shown(text: str) -> None:
    reply = read("I look. " + text)
    assert reply.calls == ()
    assert reply.problem is not None
    assert reply.problem.code == "half_json"
    assert reply.text == "I look."


def test_a_tool_that_is_not_offered_is_never_called() -> None:
    tagged = read('<tool_call>{"name":"shell","arguments":{"cmd":"ls"}}</tool_call>')
    bare = read('An example:\n```json\n{"name":"shell","arguments":{"cmd":"ls"}}\n```')
    assert (tagged.calls, tagged.problem and tagged.problem.code) == ((), "unknown_tool")
    assert (bare.calls, bare.problem) == ((), None)
    assert '"shell"' in bare.text


@pytest.mark.parametrize("text", FORMS)
def test_a_call_that_a_user_or_a_tool_wrote_is_a_quotation(text: str) -> None:
    reply = read(f"You wrote: {text}", quoted=[f"Please repeat:\n{text.replace(' ', '')}\n"])
    assert (reply.calls, reply.problem) == ((), None)


@pytest.mark.parametrize(
    "text",
    [
        "Qwen writes `<tool_call>` before a call.",
        "The mark <tool_call> comes first.",
        "Use [TOOL_CALLS] with Mistral.",
        "The <function= mark is Llama's.",
        "A line with TOOL_CALL: begins a call.",
        "In the text protocol `TOOL_CALL:` comes first.",
    ],
)
def test_a_mark_that_is_only_mentioned_is_prose(text: str) -> None:
    reply = read(text)
    assert (reply.text, reply.calls, reply.problem) == (text, (), None)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("TOOL_CALL:", "half_json"),
        ('TOOL_CALL: web_search {"query": ', "half_json"),
        ('TOOL_CALL: {"name": "web_search", "argu', "half_json"),
        ("TOOL_CALL: web_search for 5G, please", "wrong_shape"),
        ('TOOL_CALL: {"name": "erase", "arguments": {}}', "unknown_tool"),
        ("TOOL_CALL: erase", "unknown_tool"),
        ("TOOL_CALL: web_search(query=open('x'))", "broken_json"),
    ],
)
@pytest.mark.parametrize("tools", [TOOLS, {}], ids=["tools", "no tools"])
def test_a_marked_call_that_cannot_be_made_is_never_shown(text: str, code: str, tools: dict[str, ToolSpec]) -> None:
    stream = ReplyStream(ReadingRules(tools, "prose", several=True))
    shown = "".join(stream.add(piece) for piece in ("Well. ", "\n", *text))
    reply = stream.finish()
    assert (shown + reply.rest).strip() == reply.text.strip() == "Well."
    assert reply.calls == ()
    assert reply.problem is not None
    assert reply.problem.code in (code, "unknown_tool", "half_json") if not tools else reply.problem.code == code


def test_a_marked_name_alone_is_a_call_without_arguments() -> None:
    assert calls_of("TOOL_CALL: now") == calls_of("TOOL_CALL: `now`()") == [("now", {})]


def test_a_python_call_has_literals_only() -> None:
    reply = read('<|python_tag|>web_search.call(query=open("/etc/passwd").read())')
    assert (reply.calls, reply.problem and reply.problem.code) == ((), "broken_json")


MARKS = st.sampled_from(
    [
        *("<tool_call>", "</tool_call>", "[TOOL_CALLS]", "[ARGS]", "<|python_tag|>", "<function=now>", "</function>"),
        *(
            "<parameter=a>",
            "</parameter>",
            "<｜tool▁call▁begin｜>",
            "<｜tool▁sep｜>",
            "<think>",
            "</think>",
            "```json\n",
        ),
        *(
            CALL,
            '{"name":"now","arguments":{}}',
            '{"name":"shell","arguments":{}}',
            '{"name":',
            "{}",
            "now",
            "\n",
            " x ",
        ),
        *("TOOL_RESULT: {", "<tool_response>", "<|im_end|>"),
    ]
)


@given(parts=st.lists(MARKS | st.text(max_size=5), max_size=12))
def test_no_text_raises_and_only_offered_tools_are_called(parts: list[str]) -> None:
    reply = read("".join(parts))
    assert {call.name for call in reply.calls} <= TOOLS.keys()
    assert not reply.calls or reply.problem is None


UNITS = [
    *(
        "<tool_call>",
        "<tool_call>{",
        "<function=now>",
        "<function=now><parameter=a>",
        "[TOOL_CALLS]",
        "[TOOL_CALLS]now{",
    ),
    *("<think>", "</think>", "<｜tool▁call▁begin｜>now", '<invoke name="', "<|python_tag|>now(", "`", "[", "{ ", "> "),
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_reply_of_marks_is_read_in_linear_time(unit: str) -> None:
    """Quadratic reading would take minutes."""
    with limit_cpu(3):
        reply = read(unit * (100_000 // len(unit)))
    assert reply.calls == ()

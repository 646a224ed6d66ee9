"""Every parser of outside data, in one table: it returns or raises its own error, whatever it is given."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import mcp_types
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from metier.agent.models._answer_blocks import find_block, hide_blocks
from metier.agent.models.decoding._answer_text import AnswerText
from metier.agent.results._chart_spec import read_chart
from metier.agent.results._tables import read_table
from metier.errors import MetierError
from metier.faults import parse_faults
from metier.json_values import JsonInvalid, load_json
from metier.limits import BadExpression, InvalidPattern, compile_pattern, parse_expression
from metier.plans import read_plan, validate_model_plan
from metier.server.stream._frames import SseFrame
from metier.settings import Settings
from metier.skills.checks import inspect_archive
from metier.skills.read._docx import DocxInvalid, read_docx
from metier.skills.read._front_matter import NoFrontMatter, split_front_matter
from metier.skills.read._yaml import YamlRefused, load_yaml
from metier.store.database._url import parse_url
from metier.tools.builtin._decode import decode_file
from metier.tools.builtin._page import read_article
from metier.tools.mcp._config import read_mcp_config
from metier.tools.mcp._mapping import result_from_mcp, spec_from_mcp
from metier.tools.text_protocol import ReadingRules, ReplyStream, read_reply
from tests.server.stream.test_frames import event


class Parser(NamedTuple):
    """A parser, what it is given, and the errors that are its own."""

    parse: Callable[[Any], object]
    given: st.SearchStrategy[Any]
    errors: tuple[type[Exception], ...] = ()


def texts(*pieces: str) -> st.SearchStrategy[str]:
    """Texts of the format's own pieces, in any order, with anything between them."""
    return st.lists(st.sampled_from(pieces) | st.text(max_size=6), max_size=12).map("".join)


def objects(*keys: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(keys) | st.text(max_size=4), VALUES, max_size=6)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
STEPS = objects("id", "title", "call", "with", "ask", "save", "needs", "when", "tools", "check")
PLANS = st.fixed_dictionaries({"goal": st.text(max_size=4) | VALUES, "steps": st.lists(STEPS, max_size=4) | VALUES})
CHARTS = objects("kind", "title", "rows", "columns", "x", "y", "group", "unit", "range")
SERVERS = st.dictionaries(st.text(max_size=6), objects("command", "args", "url", "headers", "env") | VALUES, max_size=3)
BYTES = st.binary(max_size=200)
ZIPS = st.builds(lambda head, rest: head + rest, st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b"]), BYTES)

BLOCKS = st.sampled_from(["text", "image", "audio", "resource", "resource_link", "x"]).flatmap(
    lambda kind: objects("text", "data", "mimeType", "uri", "name", "resource").map(lambda one: {**one, "type": kind})
)


def read_frame(given: tuple[str, Any]) -> None:
    """A frame is one message whatever its text holds, and its data is what was sent."""
    text, value = given
    frame = SseFrame.from_events([event(1, "error", data={"text": text, "value": value})]).encoded.decode()
    head, data, rest = frame.partition("\ndata: ")[0], frame.partition("\ndata: ")[2], frame.count("\n\n")
    assert (head, rest) == ("id: 1\nevent: error", 1)
    assert json.loads(data)["data"]["text"] == text


def read_cut_string(pieces: list[str]) -> None:
    """The decoded text does not depend on where the string was cut."""
    whole, cut = AnswerText(), AnswerText()
    together = whole.add("".join(pieces)) + whole.finish()
    assert "".join(map(cut.add, pieces)) + cut.finish() == together
    together.encode()


def read_streamed(pieces: list[str]) -> None:
    stream = ReplyStream(ReadingRules({}))
    shown = "".join(map(stream.add, pieces))
    stream.finish()
    assert isinstance(shown, str)


def read_blocks(text: str) -> None:
    find_block(text, "params_request")
    assert hide_blocks(hide_blocks(text)) == hide_blocks(text)


PARSERS: dict[str, Parser] = {
    "front matter": Parser(split_front_matter, texts("---\n", "name: x\n", "\r\n", "\ufeff", "---"), (NoFrontMatter,)),
    "YAML": Parser(
        load_yaml, texts("a: ", "- ", "\n", "  ", "&x ", "*x", "!!str ", "{", "]", "'", "|\n"), (YamlRefused,)
    ),
    "JSON": Parser(load_json, texts("{", "}", "[", "]", '"', ":", ",", "1e9", "NaN", "\\u", "null"), (JsonInvalid,)),
    "expression": Parser(
        parse_expression, texts("a", ".", "[*]", "[?", "&&", "`1`", "(", ")", "@", "|"), (BadExpression,)
    ),
    "pattern": Parser(compile_pattern, texts("(", ")", "a", "+", "*", "[", "]", "{2,}", "\\p", "?"), (InvalidPattern,)),
    "plan": Parser(read_plan, PLANS | VALUES),
    "model plan": Parser(
        lambda value: validate_model_plan(value, tools={}), PLANS | VALUES | texts("{", '"goal"', ":")
    ),
    "model reply": Parser(
        lambda text: read_reply(text, {}),
        texts('{"name":', '"arguments":', "{", "}", "```json\n", "\n```", "<tool_call>", "<think>", "TOOL_RESULT:"),
    ),
    "chart": Parser(read_chart, CHARTS | VALUES, (MetierError,)),
    "table": Parser(read_table, objects("rows", "columns", "title") | VALUES, (MetierError,)),
    "archive": Parser(lambda raw: inspect_archive(raw, "a.zip"), ZIPS | BYTES),
    "tar": Parser(lambda raw: inspect_archive(raw, "a.tar.gz"), ZIPS | BYTES),
    "Word document": Parser(read_docx, ZIPS | BYTES, (DocxInvalid,)),
    "file": Parser(decode_file, BYTES),
    "page": Parser(
        lambda html: read_article(html, "https://example.com/"),
        texts("<p>", "</p>", "<table>", "<td>", "<a href=", "<!--", "<script>", "&#x0;", "&#xd800;"),
        (MetierError,),
    ),
    "MCP servers": Parser(read_mcp_config, SERVERS, (MetierError,)),
    "database URL": Parser(
        parse_url,
        texts("sqlite:///", "sqlite:///~x/", "postgresql://", "~x", "/", "@", ":", "?", "[::1]", "%zz", "\x00"),
        (MetierError,),
    ),
    "settings": Parser(
        lambda given: Settings(**{name: value for name, value in given.items() if name in Settings.model_fields}),
        st.dictionaries(st.sampled_from(sorted(Settings.model_fields)), VALUES, max_size=4),
        (MetierError, ValueError),
    ),
    "MCP message": Parser(
        lambda given: result_from_mcp(mcp_types.CallToolResult.model_validate(given)),
        st.fixed_dictionaries({"content": st.lists(BLOCKS, max_size=4) | VALUES}) | objects("content", "isError"),
        (ValidationError,),
    ),
    "MCP tool": Parser(
        lambda given: spec_from_mcp(
            mcp_types.Tool.model_validate(given), name=str(given.get("name")), server="s", timeout_s=1
        ),
        objects("name", "description", "inputSchema", "annotations", "title"),
        (MetierError, ValidationError),
    ),
    "SSE frame": Parser(read_frame, st.tuples(st.text(max_size=40), VALUES)),
    "partial JSON": Parser(
        read_cut_string, st.lists(texts("\\", "\\u12", "\\ud83d", "\\ude00", '"', "a", "\\n", "\\x"), max_size=4)
    ),
    "streamed reply": Parser(
        read_streamed,
        st.lists(
            texts("<think>", "</think>", "<tool_call>", "```json\n", '{"name"', ":", '"a"', "}", "```"), max_size=5
        ),
    ),
    "blocks of a reply": Parser(
        read_blocks,
        texts("```params_request\n", "{", '"a":', "1", "}", "\n```", "```suggestions\n", "[", "]", "<suggestions>"),
    ),
    "fault points": Parser(parse_faults, texts("tool_done", "=", "kill", ":", "@", ",", "1"), (MetierError,)),
}


@pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS)
def test_a_parser_returns_or_raises_its_own_error(parser: Parser) -> None:
    @given(parser.given)
    @settings(suppress_health_check=list(HealthCheck))
    def check(value: Any) -> None:
        with suppress(*parser.errors):
            parser.parse(value)

    check()

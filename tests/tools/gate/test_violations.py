from types import MappingProxyType

import pytest

from metier.tools import ToolCall, ToolContext, ToolExceptionRequest, Verdict, digest_arguments, digest_call
from metier.tools.gate import build_refused_call
from tests.tools.support import HERE, call


def test_the_same_arguments_have_the_same_digest_in_any_order() -> None:
    one = digest_arguments({"b": [1, {"y": 2, "x": "网"}], "a": None})
    assert one == digest_arguments(MappingProxyType({"a": None, "b": (1, MappingProxyType({"x": "网", "y": 2}))}))
    assert one != digest_arguments({"b": [1, {"y": 2, "x": "网"}], "a": 0})
    assert digest_arguments({}) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_a_calls_digest_depends_on_tool_and_arguments_and_not_on_its_id() -> None:
    one = digest_call(ToolCall("1", "pay", {"amount": 5, "to": "Ann"}))
    assert one == digest_call(ToolCall("2", "pay", {"to": "Ann", "amount": 5}))
    assert one != digest_call(ToolCall("1", "refund", {"amount": 5, "to": "Ann"}))
    assert one != digest_call(ToolCall("1", "pay", {"amount": 50, "to": "Ann"}))


def test_what_is_no_json_still_has_a_digest() -> None:
    assert digest_arguments({"x": "\ud800"}).startswith("sha256:")
    assert digest_arguments({"x": float("nan")}).startswith("sha256:")


@pytest.mark.parametrize(
    ("named", "kept"), [("", "(empty)"), (" ", "(empty)"), ("a\0b", "a\ufffdb"), ("\ud800", "\ufffd")]
)
def test_a_name_that_no_database_keeps_is_mended(named: str, kept: str) -> None:
    verdict = Verdict("deny", "unknown_tool", named, "default", "registry", ())
    refused = build_refused_call(call(named), verdict, HERE, ())
    assert (refused.tool, refused.reason) == (kept, kept)
    assert ToolExceptionRequest("c1", None, named, named).tool == kept


def test_outside_a_turn_there_is_no_turn_to_name() -> None:
    verdict = Verdict("deny", "unknown_tool", "there is no tool", "default", "registry", (), "x" * 500)
    refused = build_refused_call(call("x" * 500), verdict, ToolContext(HERE.workspace), ("a", "b"))
    assert (refused.turn, refused.skill, len(refused.tool)) == (None, "a, b", 200)

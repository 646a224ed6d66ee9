"""What a model asked for, as it is recorded."""

from typing import Any, cast

from langchain_core.messages import ToolCall as LangChainCall

from metier.agent.loop._record import _sanitize_calls


def test_no_argument_is_lost_because_its_name_is_another_one_once_cleaned() -> None:
    asked = LangChainCall(name="give", args={"a\ud800": 1, "a\x00": 2, "a": "\x00"}, id="one", type="tool_call")
    (made,) = _sanitize_calls([asked], cast("Any", None))
    assert made["args"] == {"a\ufffd": 1, "a\ufffd\ufffd2": 2, "a": "\ufffd"}

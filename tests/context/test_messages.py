from metier.context import ContextCall, ContextMessage, count_message_tokens
from tests.context.support import words


def test_a_message_costs_its_text_its_calls_and_its_frame() -> None:
    plain = ContextMessage("user", "one two")
    calling = ContextMessage("assistant", "", (ContextCall("c", "search", {"q": "x"}),))
    assert count_message_tokens(plain, words) == 4 + 2
    assert count_message_tokens(calling, words) == 4 + 6 + 4
    assert calling.to_json()["tool_calls"] == [{"id": "c", "name": "search", "args": {"q": "x"}}]

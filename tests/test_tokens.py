import socket

import pytest

from metier.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),
        ("物理资源块利用率低 hello world", 9),
        ("<|endoftext|>", 7),
    ],
)
def test_counts_are_those_of_the_o200k_encoding(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_a_text_of_any_length_is_counted() -> None:
    assert count_tokens("word " * 250_000) == pytest.approx(250_000, rel=0.01)


def test_counting_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert count_tokens("弱覆盖") > 0

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier import tokens
from metier.tokens import count_if_above, count_tokens


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


@pytest.mark.parametrize("text", ["弱覆盖 hello\n\n  world 123", "\ud83d\ude00 and \ud800 alone", "<|endoftext|> 😀"])
def test_the_extension_alone_counts_as_its_package_does(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = count_tokens(text)
    monkeypatch.setattr(tokens, "_find_extension", lambda: None)
    tokens._load_counter.cache_clear()
    try:
        assert count_tokens(text) == fast
    finally:
        tokens._load_counter.cache_clear()


def test_qwens_encoding_takes_each_digit_for_a_token() -> None:
    assert count_tokens("460-00-100031", "voyage3_base") == 13
    assert count_tokens("460-00-100031") < 13


@given(st.text(max_size=400), st.integers(25, 400))
def test_only_a_text_above_the_limit_is_counted(text: str, limit: int) -> None:
    exact = count_tokens(text)
    assert count_if_above(text, limit) == (exact if exact > limit else None)


def test_a_text_of_few_bytes_needs_no_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_load_counter", lambda _: pytest.fail("the tokenizer was loaded"))
    assert count_if_above("写一份周报", 4000) is None


def test_a_very_long_text_is_not_counted_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_load_counter", lambda _: pytest.fail("the tokenizer was loaded"))
    assert count_if_above("x" * 10_000_000, 4000) == 625_000

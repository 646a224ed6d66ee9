"""Replies that are written differently and mean the same."""

import gzip
from collections.abc import AsyncIterator
from typing import Any

import httpx

from metier.agent.models.providers._reply_variants import normalise_reply, skip_mark


def read_calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    tidy = normalise_reply({"choices": [{"message": message}]}, "message")
    calls: list[dict[str, Any]] = tidy["choices"][0]["message"]["tool_calls"]
    return calls


def test_every_call_has_an_id_of_its_own_or_none() -> None:
    old = {"function_call": {"name": "add", "arguments": "{}"}}
    first, second = (read_calls(old)[0]["id"] for _ in range(2))
    assert first.startswith("call_")
    assert first != second
    assert "id" not in read_calls({"function_call": {"arguments": "{}"}})[0]  # a later piece of the same call
    given = {7: "7", True: None, "c": "c", 1.5: None}
    assert {one: read_calls({"tool_calls": [{"id": one}]})[0]["id"] for one in given} == given


async def test_a_mark_is_skipped_in_a_packed_body_too() -> None:
    async def send() -> AsyncIterator[bytes]:
        packed = gzip.compress(b"\xef\xbb\xbfdata: 1")
        for at in range(len(packed)):
            yield packed[at : at + 1]

    response = httpx.Response(200, headers={"content-encoding": "gzip"}, content=send())
    await skip_mark(response)
    assert await response.aread() == b"data: 1"


def test_a_refusal_beside_parts_is_one_more_part_and_a_choice_that_is_none_is_left_as_it_is() -> None:
    said = {"content": [{"type": "text", "text": "a"}], "refusal": "no"}
    tidy = normalise_reply({"choices": [{"message": said}, None, "x"]}, "message")["choices"]
    assert tidy[1:] == [None, "x"]
    assert [one["text"] for one in tidy[0]["message"]["content"]] == ["a", "no"]

"""Every behaviour of an endpoint, with the real client of every provider.

For all of them: the streamed text is the stored text (`told` checks it), no tool runs with a call that is not whole,
and a failure has a code, a sentence and a hint with the address.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.providers.conftest import Lives
from tests.providers.server import KEY, Ability, Call, Reply
from tests.providers.support import HALF, WRITE

pytestmark = pytest.mark.asyncio(loop_scope="module")

ABLE = Ability()
OPENAI = ("openai",)
STREAM_CALLS = ("anthropic", "openai")  # Ollama sends a call whole or not at all
HELLO = Reply(text=("Hello ", "world."))
DONE = Reply(text=("It is ", "done."))
WRITES = Reply(text=("I write. ",), calls=(WRITE,))
HALF_CALL = Call("write_note", HALF)
SECOND = Call("write_note", '{"path": "b.txt", "text": "more"}', "call_2")
NO_ARGUMENTS = Call("get_current_time", "", "call_9")


@dataclass(frozen=True, slots=True)
class Case:
    """Replies of the endpoint, and what the turn must come to."""

    replies: tuple[Reply, ...]
    text: str = ""
    end: str = ""
    written: tuple[str, ...] = ()
    requests: int = 1
    waits: tuple[float, ...] = ()
    ability: Ability = ABLE
    usage: tuple[int, int] | None = None
    providers: tuple[str, ...] = ("anthropic", "ollama", "openai")


ODD_ARGUMENTS = (
    *("[1]", '"x"', "null", '{"path": "a", "path": "b", "text": "x"}', '{"path": "a", "text": "x", "n": NaN}'),
    *('{"path": "a", "text": "x"}{}', '{"path": "a", "text": "x", "n": 1e999}'),
)
LENGTH = "[Cut off: the model's output limit was reached.]"
FILTER = "[Stopped by the provider's content filter.]"
LOST = "[Cut off: the connection to the model was lost.]"
CIRCLES = "[Cut off: it went in circles.]"
GAVE_UP = "I stopped: the model's tool call could not be used 3 times"
LOOP = tuple(
    "".join(f"Look at the cell {place}.{number} and then at the next one, please. " for number in range(50))
    for place in range(60)
)

CASES = {
    "text": Case((HELLO,), "Hello world.", usage=(11, 7)),
    "a call, then text": Case((WRITES, DONE), "It is done.", written=("whole",), requests=2, usage=(22, 14)),
    "two calls in one reply": Case(
        (Reply(calls=(WRITE, SECOND)), DONE), "It is done.", written=("more", "whole"), requests=2
    ),
    "a call without arguments": Case((Reply(calls=(NO_ARGUMENTS,)), DONE), "It is done.", requests=2),
    "white space around the text": Case((Reply(text=("\n ", "Hello", "  \n", "\n")),), "Hello"),
    # The reply ends too early.
    "length in text": Case((Reply(text=("Hello wor",), end="length"),), f"Hello wor\n\n{LENGTH}", "length"),
    "length in a call": Case(
        (Reply(text=("I write. ",), calls=(HALF_CALL,), end="length"), WRITES, DONE),
        "It is done.",
        "length",
        ("whole",),
        requests=3,
        providers=STREAM_CALLS,
    ),
    "length in the second call": Case(
        (Reply(calls=(SECOND, HALF_CALL), end="length"), WRITES, DONE),
        "It is done.",
        "length",
        ("whole",),
        requests=3,
        providers=STREAM_CALLS,
    ),
    "length after a whole call": Case(
        (Reply(calls=(SECOND,), end="length"), WRITES, DONE), "It is done.", "length", ("whole",), requests=3
    ),
    "length in every call": Case(
        (Reply(calls=(HALF_CALL,), end="length"),) * 3,
        f"{GAVE_UP} (the output limit was reached). Nothing of it was run.",
        "length",
        requests=3,
        providers=STREAM_CALLS,
    ),
    "length before any text": Case((Reply(end="length"), HELLO), "Hello world.", "length", requests=2),
    "filter in text": Case(
        (Reply(text=("Hello wor",), end="filter"),), f"Hello wor\n\n{FILTER}", "filter", providers=STREAM_CALLS
    ),
    "filter before any text": Case((Reply(end="filter"),), FILTER, "filter", providers=STREAM_CALLS),
    "filter in a call": Case((Reply(calls=(HALF_CALL,), end="filter"),), FILTER, "filter", providers=STREAM_CALLS),
    "cut in text": Case((Reply(text=("Hello wor",), end="cut"),), f"Hello wor\n\n{LOST}", "connection"),
    "cut before any text": Case((Reply(end="cut"), HELLO), "Hello world.", requests=2, waits=(0.5,)),
    "cut in a call": Case(
        (Reply(calls=(HALF_CALL,), end="cut"), WRITES, DONE),
        "It is done.",
        written=("whole",),
        requests=3,
        waits=(0.5,),
        providers=STREAM_CALLS,
    ),
    "cut in a call after text": Case(
        (Reply(text=("I write. ",), calls=(HALF_CALL,), end="cut"), WRITES, DONE),
        "It is done.",
        "connection",
        ("whole",),
        requests=3,
        providers=STREAM_CALLS,
    ),
    "closed without an end": Case((Reply(text=("Hello wor",), end="none"),), f"Hello wor\n\n{LOST}", "connection"),
    "closed without an end after a whole call": Case(
        (Reply(text=("I write. ",), calls=(SECOND,), end="none"), WRITES, DONE),
        "It is done.",
        "connection",
        ("whole",),
        requests=3,
    ),
    "an error in the middle of the text": Case(
        (Reply(text=("Hello wor",), error="Overloaded"),), f"Hello wor\n\n{LOST}", "connection"
    ),
    "an error before any text": Case((Reply(error="Overloaded"), HELLO), "Hello world.", requests=2, waits=(0.5,)),
    "a stream that stalls": Case((Reply(stall=0), HELLO), "Hello world.", requests=2, waits=(0.5,)),
    "a stream that stalls in text": Case(
        (Reply(text=("Hello wor", "ld."), end="none", stall=2),), f"Hello wor\n\n{LOST}", "connection", providers=OPENAI
    ),
    # The reply does not end.
    "the same with other numbers for ever": Case((Reply(text=LOOP),), CIRCLES, "repetition"),
    "arguments that repeat themselves": Case(
        (Reply(calls=(Call("write_note", '{"path": "a.txt", "text": "' + "again and " * 3_000),)), WRITES, DONE),
        "It is done.",
        "repetition",
        ("whole",),
        requests=3,
        providers=STREAM_CALLS,
    ),
    "reasoning that repeats itself": Case(
        (Reply(reasoning=LOOP), HELLO), "Hello world.", "repetition", requests=2, providers=STREAM_CALLS
    ),
    # The reply is not what was asked for.
    "empty": Case((Reply(), HELLO), "Hello world.", requests=2),
    "empty for ever": Case((Reply(),) * 3, "The model gave no answer.", requests=3),
    "no JSON in a call": Case(
        (Reply(calls=(Call("write_note", "{path: a}"),)), WRITES, DONE),
        "It is done.",
        written=("whole",),
        requests=3,
        providers=STREAM_CALLS,
    ),
    "half a call that calls itself complete": Case(
        (Reply(calls=(HALF_CALL,)), WRITES, DONE), "It is done.", written=("whole",), requests=3, providers=STREAM_CALLS
    ),
    **{
        f"arguments {arguments}": Case(
            (Reply(calls=(Call("write_note", arguments),)), WRITES, DONE),
            "It is done.",
            written=("whole",),
            requests=3,
            providers=STREAM_CALLS,
        )
        for arguments in ODD_ARGUMENTS
    },
    "one of two calls is no JSON": Case(
        (Reply(calls=(SECOND, HALF_CALL)), WRITES, DONE),
        "It is done.",
        written=("whole",),
        requests=3,
        providers=STREAM_CALLS,
    ),
    "two choices": Case((Reply(text=("Hello ", "world."), choices=2),), "Hello world.", providers=OPENAI),
    "two choices with a call": Case(
        (Reply(calls=(WRITE,), choices=2), DONE), "It is done.", written=("whole",), requests=2, providers=OPENAI
    ),
    "reasoning before the text": Case((Reply(reasoning=("Hm, ", "so."), text=("Hello ", "world.")),), "Hello world."),
    "no usage": Case((Reply(text=("Hello ", "world."), usage=None),), "Hello world.", providers=("ollama", "openai")),
    # The endpoint cannot do something.
    "no stream": Case((HELLO,), "Hello world.", requests=2, ability=Ability(streams=False), waits=(0.0,)),
    "one body instead of a stream": Case(
        (Reply(text=("Hello ", "world."), whole=True),) * 2,
        "Hello world.",
        requests=2,
        waits=(0.0,),
        providers=STREAM_CALLS,
    ),
    "no option for usage": Case(
        (HELLO,), "Hello world.", requests=2, ability=Ability(usage_option=False), waits=(0.0,), providers=OPENAI
    ),
    # The endpoint fails, and then does not.
    "429 with Retry-After": Case(
        (Reply(status=429, text=("slow down",), headers={"retry-after": "7"}), HELLO),
        "Hello world.",
        requests=2,
        waits=(7.0,),
    ),
    "500, 502, then well": Case(
        (Reply(status=500, text=("oops",)), Reply(status=502, body=b"<html>bad gateway</html>"), HELLO),
        "Hello world.",
        requests=3,
        waits=(0.5, 1.0),
    ),
    "503": Case((Reply(status=503, text=("loading",)), HELLO), "Hello world.", requests=2, waits=(0.5,)),
    "529": Case((Reply(status=529, text=("overloaded",)), HELLO), "Hello world.", requests=2, waits=(0.5,)),
}


def expand(cases: dict[str, Any]) -> list[Any]:
    """A test per provider and case."""
    return [
        pytest.param(provider, case, id=f"{provider}-{name}")
        for name, case in cases.items()
        for provider in case.providers
    ]


@pytest.mark.parametrize(("provider", "case"), expand(CASES))
async def test_a_turn_comes_to_a_good_end(lives: Lives, provider: str, case: Case) -> None:
    live = await lives.get(provider, case.ability)
    told = await live.ask(*case.replies)
    assert told.text.endswith(case.text)
    assert case.text == CIRCLES or told.text == case.text
    assert sorted(text for _, text in live.notes.written) == sorted(case.written)
    assert {one["end"] for one in told.all("usage") if one.get("end")} == ({case.end} if case.end else set())
    assert (len(live.server.asked), tuple(live.waits.slept), live.server.replies_left) == (case.requests, case.waits, 0)
    if case.usage:
        assert (told.one("turn.done")["input_tokens"], told.one("turn.done")["output_tokens"]) == case.usage


@pytest.mark.parametrize(
    ("ability", "sent"), [(Ability(streams=False), "stream"), (Ability(usage_option=False), "stream_options")]
)
async def test_what_an_endpoint_does_not_take_is_sent_once(lives: Lives, ability: Ability, sent: str) -> None:
    live = await lives.get("openai", ability)
    await live.ask(HELLO)
    await live.ask(HELLO)
    assert [bool(body.get(sent)) for body in live.server.asked] == [True, False, False]


async def test_an_endpoint_that_was_down_is_streamed_again(lives: Lives) -> None:
    live = await lives.get("openai")
    await live.ask(HTML, HTML)
    told = await live.ask(HELLO)
    assert told.text == "Hello world."
    assert [bool(body.get("stream")) for body in live.server.asked] == [True, False, True]


@dataclass(frozen=True, slots=True)
class Failure:
    """Replies of an endpoint that fails for good, and the error that names the cause."""

    replies: tuple[Reply, ...]
    code: str
    sentence: str
    hint: str
    requests: int = 1
    ability: Ability = ABLE
    providers: tuple[str, ...] = ("anthropic", "ollama", "openai")


def refused(status: int, words: str = "no", times: int = 1, **headers: str) -> tuple[Reply, ...]:
    return (Reply(status=status, text=(words,), headers={"retry-after": "3", **headers}),) * times


HTML = Reply(body=b"<!doctype html><html><body>Welcome to nginx!</body></html>")
TOO_LONG = {
    "openai": "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    "anthropic": "prompt is too long: 9000 tokens > 8192 maximum",
}

FAILURES = {
    "401": Failure(
        (), "model_key_refused", "refused the key (401)", "check METIER_API_KEY", ability=Ability(key="other")
    ),
    "402": Failure(refused(402), "model_unavailable", "has no credit left", "top up the account"),
    "403": Failure(
        refused(403), "model_key_refused", "does not let this key use the model (403)", "check METIER_API_KEY"
    ),
    "404": Failure(refused(404), "invalid_settings", "has no model", "check METIER_MODEL and METIER_BASE_URL"),
    "307 to another host": Failure(
        (Reply(status=307, body=b"", headers={"location": "http://user:secret@127.0.0.2:9/v1?key=secret"}),),
        "invalid_settings",
        "redirects to http://127.0.0.2:9/v1 (307); nothing was sent there",
        "set METIER_BASE_URL",
    ),
    "400": Failure(refused(400, "bad value"), "invalid_input", "refused the request (400): bad value", "change it"),
    "413": Failure(refused(413), "too_large", "is too large", "shorten it"),
    "429 for ever": Failure(refused(429, times=3), "model_unavailable", "failed 3 times (429)", "try again in 3 s", 3),
    "429 without credit": Failure(
        refused(429, "You exceeded your current quota"), "model_unavailable", "has no credit left", "top up the account"
    ),
    "500 for ever": Failure(
        refused(500, "oops", 3), "model_unavailable", "failed 3 times (500): oops", "METIER_MODEL_FALLBACK", 3
    ),
    "502 with a page": Failure(
        (Reply(status=502, body=b"<html>bad gateway</html>"),) * 3,
        "model_unavailable",
        "failed 3 times (502): it answered with an HTML page",
        "try again later",
        3,
    ),
    "529 for ever": Failure(refused(529, times=3), "model_unavailable", "failed 3 times (529)", "try again in 3 s", 3),
    "a page instead of an API": Failure(
        (HTML, HTML), "invalid_settings", "is no model's API", "METIER_BASE_URL", 2, providers=STREAM_CALLS
    ),
    "a page instead of Ollama's API": Failure(
        (HTML,), "invalid_settings", "is no model's API", "METIER_BASE_URL", providers=("ollama",)
    ),
    "no tools": Failure(
        (), "invalid_settings", "takes no tool calls", "METIER_MODEL_TOOLS=text", ability=Ability(tools=False)
    ),
    "the window, OpenAI": Failure(
        refused(400, TOO_LONG["openai"], times=4),
        "context_overflow",
        "does not fit the window",
        "larger window",
        requests=4,
        providers=OPENAI,
    ),
    "the window, Anthropic": Failure(
        refused(400, TOO_LONG["anthropic"], times=4),
        "context_overflow",
        "does not fit the window",
        "larger window",
        requests=4,
        providers=("anthropic",),
    ),
}


@pytest.mark.parametrize(("provider", "case"), expand(FAILURES))
async def test_a_failure_names_its_cause_and_the_address(lives: Lives, provider: str, case: Failure) -> None:
    live = await lives.get(provider, case.ability)
    told = await live.ask(*case.replies)
    failed = told.one("turn.failed")
    assert failed["code"] == case.code
    assert case.sentence in str(failed["message"])
    assert "test-model" in str(failed["message"])
    assert case.hint in str(failed["hint"])
    assert live.server.root in str(failed["hint"])
    assert (len(live.server.asked), live.server.replies_left, live.notes.written) == (case.requests, 0, [])


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_a_prompt_beyond_the_window_is_sent_again_with_less(lives: Lives, provider: str) -> None:
    live = await lives.get(provider, ABLE)
    first = await live.ask(Reply(text=("Long ago. " * 200,)))
    told = await live.ask(
        *refused(400, TOO_LONG[provider]), Reply(text=("Here.",)), message="and now?", conversation=first.conversation
    )
    assert told.text == "Here."
    refusal, sent = (len(str(one)) for one in live.server.asked[-2:])
    assert sent < refusal * 0.7


ECHO = f"the header Authorization: Bearer {KEY} is wrong"


@pytest.mark.parametrize("provider", ["anthropic", "ollama", "openai"])
@pytest.mark.parametrize(
    "replies",
    [
        *((Reply(status=status, text=(ECHO,)),) * 3 for status in (400, 401, 403, 404, 413, 422, 429, 500)),
        (Reply(error=ECHO),) * 3,
        (Reply(text=("Hello wor",), error=ECHO),),
    ],
    ids=["400", "401", "403", "404", "413", "422", "429", "500", "in a stream", "after text"],
)
async def test_a_key_that_the_service_repeats_is_in_no_event(
    lives: Lives, provider: str, replies: tuple[Reply, ...]
) -> None:
    live = await lives.get(provider)
    told = await live.ask(*replies)
    assert all(KEY not in str(event.data) for event in told.events)
    assert told.kinds[-1] in ("turn.failed", "turn.done")


@pytest.mark.parametrize("provider", ["anthropic", "ollama", "openai"])
async def test_json_that_is_not_the_providers_is_called_that(lives: Lives, provider: str) -> None:
    for body in (b'{"ok":true}', b"[]", b'"x"', b'{"choices":null}', b'{"choices":[]}', b'{"choices":[{}]}'):
        live = await lives.get(provider, ABLE)
        failed = (await live.ask(*[Reply(body=body)] * 3)).one("turn.failed")
        assert failed["code"] == "invalid_settings", body
        assert "is no model's API" in str(failed["message"])
        assert live.server.root in str(failed["hint"])

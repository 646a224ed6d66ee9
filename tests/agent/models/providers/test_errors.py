"""What providers say when they refuse: read into one error with its figures."""

import httpx
import pytest

from metier.agent.models.providers._errors import AskedModel, classify, final_error, find_quirk
from metier.errors import ContextOverflow

ASKED = AskedModel("openai:m", "http://model/v1", ("METIER_API_KEY", "OPENAI_API_KEY"), 9)


def refusal(status: int, words: str) -> httpx.HTTPStatusError:
    request = httpx.Request("POST", "http://user:secret@model:8000/v1/chat?key=secret")
    return httpx.HTTPStatusError(words, request=request, response=httpx.Response(status, request=request))


WINDOWS = {
    "OpenAI": (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
        (8192, 9001),
    ),
    "vLLM": (
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, "
        "500 in the completion). Please reduce the length of the messages or completion.",
        (4096, 5000),
    ),
    "Anthropic": ("prompt is too long: 210000 tokens > 200000 maximum", (200000, 210000)),
    "llama.cpp": ("the request exceeds the available context size (4096 tokens), try increasing it", (4096, None)),
    "DeepSeek": (
        "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
        (131072, 140000),
    ),
    "Gemini": (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        (1048576, 1200000),
    ),
    "TGI": (
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20",
        (4096, 5000),
    ),
    "no figures": ("context_length_exceeded", (None, None)),
}


@pytest.mark.parametrize(("words", "figures"), WINDOWS.values(), ids=WINDOWS)
def test_a_prompt_that_does_not_fit_comes_with_the_window(words: str, figures: tuple[int | None, int | None]) -> None:
    error = final_error(classify(refusal(400, words)), ASKED, 1)
    assert isinstance(error, ContextOverflow)
    assert (error.window_tokens, error.sent_tokens) == figures


def test_a_hint_has_the_address_and_no_secret() -> None:
    hint = final_error(classify(refusal(401, "no")), ASKED, 1).hint
    assert hint == "check METIER_API_KEY or OPENAI_API_KEY; asked at http://model:8000/v1/chat"


def test_an_error_without_a_request_names_the_address_of_the_model() -> None:
    assert "asked at http://model/v1" in final_error(classify(ConnectionError("refused")), ASKED, 1).hint
    assert "its own address" not in final_error(classify(ConnectionError("refused")), ASKED, 1).hint


QUIRKS = {
    "the option for usage": (400, "Unknown parameter: 'stream_options'.", "no_usage_option"),
    "streaming": (422, "stream: true is not supported", "no_stream"),
    "something else": (400, "temperature must be below 2", None),
    "an outage": (503, "the stream is down", None),
}


@pytest.mark.parametrize(("status", "words", "quirk"), QUIRKS.values(), ids=QUIRKS)
def test_what_an_endpoint_does_not_take_is_read_from_its_refusal(status: int, words: str, quirk: str | None) -> None:
    assert find_quirk(classify(refusal(status, words))) == quirk


def test_an_error_repeats_neither_key_nor_password() -> None:
    asked = AskedModel("openai:m", "http://user:secret@model:8000/v1?key=secret", secrets=("sk-secret",))
    error = final_error(classify(ValueError("no such key: sk-secret")), asked, 1)
    assert "secret" not in f"{error.message} {error.hint}"
    assert "http://model:8000/v1" in error.hint

"""Errors of model providers: whether to retry, when, and which Metier error to raise in the end.

Every provider has its own error classes; what they share is a status, a few names, and the header Retry-After.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import ValidationError

from metier.clock import utc_now
from metier.errors import (
    ContextOverflow,
    InvalidInput,
    InvalidSettings,
    MetierError,
    ModelKeyRefused,
    ModelUnavailable,
    TooLarge,
)
from metier.patterns import compile_later

Quirk = Literal["no_reasoning", "no_stream", "no_usage_option"]

_TRANSIENT_STATUSES: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# Classes of openai, anthropic, ollama and google-genai, which use httpx or httpx2; by name, as they may be missing.
_TRANSIENT_NAMES: Final = (
    *("APIConnectionError", "APITimeoutError", "ModelConnectionError", "ModelTimeoutError", "OverloadedError"),
    *("RateLimitError", "ServerError", "StreamChunkTimeoutError", "TransportError"),
)
_TIMEOUT_NAMES: Final = ("APITimeoutError", "ModelTimeoutError", "StreamChunkTimeoutError", "TimeoutException")
_UNSUPPORTED_STATUSES: Final = frozenset({400, 404, 405, 415, 422, 501})
_NO_CHUNKS: Final = ("no generation", "no data received")
_OVERFLOW: Final = compile_later(
    r"context[_ ](length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input length|"
    r"exceeds? the (available )?context|input token count|input tokens exceed|max_new_tokens`? must be",
    re.IGNORECASE,
)
_NO_CREDIT: Final = compile_later(
    r"insufficient_quota|insufficient balance|credit balance|exceeded your current quota", re.IGNORECASE
)
_NO_TOOLS: Final = compile_later(
    r"\btools?\b.*(support|enable|requires)|(support|enable)\w*.*\btools?\b", re.IGNORECASE | re.DOTALL
)
# What the clients say about a body that is not their API's: those of OpenAI, Ollama, Anthropic.
_NOT_JSON: Final = compile_later(
    r"<!doctype|<html|Unexpected response type|Expecting value|'str' object has", re.IGNORECASE
)
_READING_ERRORS: Final = (AttributeError, LookupError, TypeError, ValidationError)
_TRANSIENT_WORDS: Final = compile_later(r"overloaded|server_error|api_error|rate_limit|timeout_error", re.IGNORECASE)
_REASONING_FIELD: Final = compile_later(r"""['"`.]reasoning['"`]""")
_WINDOW: Final = compile_later(
    r"(?:context (?:length|window|size)|input token limit|limit)(?: is| of|:)? ?\(?(\d[\d,]*)|> ?(\d[\d,]*) maximum",
    re.IGNORECASE,
)
_NUMBER: Final = compile_later(r"\d[\d,]*")
_MAX_CHARS: Final = 300
_MIN_WINDOW_TOKENS: Final = 128


@dataclass(frozen=True, slots=True)
class ProviderFailure:
    """Failed call: the provider's status and words, and whether it may be retried."""

    error: BaseException
    status: int | None
    transient: bool
    retry_after_s: float | None = None
    said: str = ""
    address: str = ""

    @property
    def is_timeout(self) -> bool:
        return isinstance(self.error, TimeoutError) or _is_named(self.error, _TIMEOUT_NAMES)


@dataclass(frozen=True, slots=True)
class AskedModel:
    """Who was asked, for the words of an error: the model's name, its address and where its key comes from."""

    name: str
    address: str = ""
    key_variables: tuple[str, ...] = ()
    timeout_s: float = 0.0
    secrets: tuple[str, ...] = field(default=(), repr=False)  # some services repeat the key in their errors

    def hide_secrets(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text


def classify(error: BaseException, now: datetime | None = None) -> ProviderFailure:
    """Classify an error: whether the same call may succeed later, and how long the provider asks to wait."""
    response = getattr(error, "response", None) or getattr(error.__context__, "response", None)  # Ollama hides it
    status, said, address = _find_status(error, response), _find_words(error), _find_address(error)
    if status is None:
        import httpx  # a tenth of a second, and a server with the built-in model calls nobody

        connection = isinstance(error, httpx.TransportError | ConnectionError | TimeoutError)
        in_stream = type(error).__name__ in ("APIError", "ResponseError") or bool(_TRANSIENT_WORDS.search(said))
        transient = connection or in_stream or _is_named(error, _TRANSIENT_NAMES)
        return ProviderFailure(error, None, transient and not _OVERFLOW.search(said), None, said, address)
    headers = getattr(response, "headers", None)
    after = _parse_retry_after(headers.get("retry-after"), now) if isinstance(headers, Mapping) else None
    transient = status in _TRANSIENT_STATUSES and not _NO_CREDIT.search(said)
    return ProviderFailure(error, status, transient, after, said, address)


def find_quirk(trouble: ProviderFailure) -> Quirk | None:
    """What the endpoint does not take, if the same question may be asked without it."""
    said = trouble.said.lower()
    if trouble.status is None:  # a body that is no stream has no chunks
        return "no_stream" if any(words in said for words in _NO_CHUNKS) else None
    if trouble.status not in _UNSUPPORTED_STATUSES:
        return None
    if "stream_options" in said or "include_usage" in said:
        return "no_usage_option"
    if "reasoning_content" in said or _REASONING_FIELD.search(said):
        return "no_reasoning"
    return "no_stream" if "stream" in said else None


def final_error(trouble: ProviderFailure, asked: AskedModel, attempts: int) -> MetierError:
    """Error to raise when retries are used up; its class says who can fix it, its hint where the model was asked."""
    trouble = replace(trouble, said=asked.hide_secrets(trouble.said))
    at = trouble.address or strip_address(asked.address)
    where = f"asked at {at}" if at else "asked at the provider's own address"
    refused = _explain_refusal(trouble, asked, where)
    if refused is not None:
        return refused
    times = "once" if attempts == 1 else f"{attempts} times"
    if trouble.is_timeout:
        message = f"model {asked.name!r} did not answer within {asked.timeout_s:g} s ({times})"
        return ModelUnavailable(message, hint=f"try again later, or raise METIER_MODEL_TIMEOUT_S; {where}")
    said = trouble.said or type(trouble.error).__name__
    status = f" ({trouble.status})" if trouble.status else ""
    later = f"try again in {trouble.retry_after_s:g} s" if trouble.retry_after_s else "try again later"
    hint = f"{later}, or set METIER_MODEL_FALLBACK; {where}"
    if _is_unreachable(trouble):
        message = f"the service of model {asked.name!r} cannot be reached ({times}): {said}"
        return ModelUnavailable(message, hint=f"is the service running, and is its address right? {where}")
    return ModelUnavailable(f"model {asked.name!r} failed {times}{status}: {said}", hint=hint)


def _explain_refusal(trouble: ProviderFailure, asked: AskedModel, where: str) -> MetierError | None:
    """Error for a refusal that will not pass by itself; None for one that may."""
    name, said, status = asked.name, trouble.said, trouble.status
    if _NO_CREDIT.search(said) or status == 402:
        hint = f"top up the account, or set METIER_MODEL_FALLBACK; {where}"
        return ModelUnavailable(f"the account at the provider of {name!r} has no credit left", hint=hint)
    if status in (401, 403):
        names = " or ".join(asked.key_variables)
        what = "refused the key" if status == 401 else "does not let this key use the model"
        return ModelKeyRefused(f"the provider of {name!r} {what} ({status})", hint=f"check {names}; {where}")
    if _OVERFLOW.search(said) and (status is None or not trouble.transient):
        window, sent = _read_window(said)
        message = f"the prompt does not fit the window of model {name!r}: {said}"
        hint = f"shorten it, or take a model with a larger window; {where}"
        return ContextOverflow(message, hint=hint, window_tokens=window, sent_tokens=sent)
    if status is not None and status < 400:
        to = _find_redirect(trouble.error)
        message = (
            f"what answers for model {name!r} redirects{f' to {to}' if to else ''} ({status}); nothing was sent there"
        )
        return InvalidSettings(message, hint=f"set METIER_BASE_URL to the address that is meant; {where}")
    if status == 404:
        hint = f"check METIER_MODEL and METIER_BASE_URL; {where}"
        return InvalidSettings(f"the provider has no model {name!r} ({said})", hint=hint)
    if status == 413:
        return TooLarge(f"the request is too large for the provider of {name!r}: {said}", hint=f"shorten it; {where}")
    if status is not None and not trouble.transient:
        if _NO_TOOLS.search(said):
            message = f"model {name!r} takes no tool calls: {said}"
            return InvalidSettings(message, hint=f"set METIER_MODEL_TOOLS=text; {where}")
        return InvalidInput(
            f"the provider of {name!r} refused the request ({status}): {said}", hint=f"change it; {where}"
        )
    if status is None and not trouble.transient and _is_foreign_body(trouble, asked):
        message = f"what answers for model {name!r} is no model's API"
        return InvalidSettings(message, hint=f"check METIER_BASE_URL, which often ends in /v1; {where}")
    return None


def _is_foreign_body(trouble: ProviderFailure, asked: AskedModel) -> bool:
    """Whether a client could not make sense of the body of an answer; a caller's own model has no address."""
    if _NOT_JSON.search(str(trouble.error)):
        return True
    return bool(trouble.address or asked.address) and isinstance(trouble.error, _READING_ERRORS)


def _is_unreachable(trouble: ProviderFailure) -> bool:
    return trouble.status is None and (
        isinstance(trouble.error, ConnectionError) or _is_named(trouble.error, ("ConnectError", "APIConnectionError"))
    )


def _is_named(error: BaseException, names: tuple[str, ...]) -> bool:
    return any(name in kind.__name__ for kind in type(error).__mro__ for name in names)


def _find_status(error: BaseException, response: object) -> int | None:
    for owner, name in ((error, "status_code"), (response, "status_code"), (error, "status"), (error, "code")):
        found = getattr(owner, name, None)
        if isinstance(found, int) and not isinstance(found, bool) and 300 <= found <= 599:
            return found
    return None


def _find_words(error: BaseException) -> str:
    """The provider's own sentence, without the JSON or the HTML page around it."""
    body = getattr(error, "body", None)
    inner: Any = body.get("error", body) if isinstance(body, Mapping) else body
    message = inner.get("message") if isinstance(inner, Mapping) else inner
    told = message if isinstance(message, str) and message.strip() else getattr(error, "error", None)
    text = told if isinstance(told, str) and told.strip() else str(error)
    if "<html" in text.lower() or "<!doctype" in text.lower():
        return "it answered with an HTML page"
    code = inner.get("code") or inner.get("type") if isinstance(inner, Mapping) else None
    words = " ".join(text.split())[:_MAX_CHARS] or type(error).__name__
    if told is None:  # an exception of Python, whose words need its class
        words = f"{type(error).__name__}: {words}"
    return f"{words} [{code}]" if isinstance(code, str) and code not in words else words


def _find_address(error: BaseException) -> str:
    """Address that was asked, without what may hold a secret."""
    try:
        url = str(getattr(getattr(error, "request", None), "url", ""))
    except (AttributeError, RuntimeError):  # httpx raises for an error without a request
        return ""
    return strip_address(url)


def _find_redirect(error: BaseException) -> str:
    """Address that an answer redirects to, without what may hold a secret."""
    response = getattr(error, "response", None) or getattr(error.__context__, "response", None)
    headers = getattr(response, "headers", None)
    return strip_address(str(headers.get("location") or "")) if isinstance(headers, Mapping) else ""


def strip_address(url: str) -> str:
    """Address without user, password and query; empty if it is none."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if host else ""


def _read_window(said: str) -> tuple[int | None, int | None]:
    """Window and size of the prompt, if the provider says both or one of them."""
    numbers = {int(found.replace(",", "")) for found in _NUMBER.findall(said)}
    numbers = {number for number in numbers if number >= _MIN_WINDOW_TOKENS}
    named = _WINDOW.search(said)
    window = int((named[1] or named[2]).replace(",", "")) if named else min(numbers, default=None)
    larger = [number for number in numbers if window is not None and number > window]
    return window, max(larger, default=None)


def _parse_retry_after(value: object, now: datetime | None) -> float | None:
    """Seconds from a Retry-After header, which is a number or a date."""
    if not isinstance(value, str):
        return None
    if value.strip().replace(".", "", 1).isdecimal():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or utc_now())).total_seconds())

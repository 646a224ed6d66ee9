"""Error responses: every failure has the body `{"error": {"code", "message", "hint"}}`.

A client that prefers Chinese (`Accept-Language`) gets message and hint in Chinese, and the English words as `detail`.
"""

import logging
import re
from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from metier.errors import (
    Conflict,
    ConversationBusy,
    InvalidInput,
    MetierError,
    NotFound,
    RateLimited,
    Refused,
    StorageFull,
    StoreBusy,
    StoreUnavailable,
    TooLarge,
    Unauthorized,
    Unavailable,
    UsageError,
)
from metier.events import describe_error
from metier.language import BilingualText, prefers_chinese

_log = logging.getLogger(__name__)
_STATUS_BY_ERROR: Final[tuple[tuple[type[MetierError], int], ...]] = (
    (Unauthorized, 401),
    (Refused, 403),
    (NotFound, 404),
    (TooLarge, 413),
    (InvalidInput, 400),
    (UsageError, 400),
    (RateLimited, 429),
    (Conflict, 409),
    (Unavailable, 503),
)
_TRY_AGAIN: Final = frozenset(
    {Unavailable, StoreUnavailable, StoreBusy, StorageFull}
)  # the server drains, or its store
_HINTS: Mapping[int, tuple[str, str]] = {
    404: ("not_found", "GET /openapi.json lists every address"),
    405: ("usage", "GET /openapi.json says which methods an address takes"),
}


_SCHEMA_HINT: Final = "GET /openapi.json has the schema and an example"
_DEFAULT_HINTS: Mapping[int, BilingualText] = {
    400: BilingualText(en=_SCHEMA_HINT, zh="格式和示例见 GET /openapi.json"),
    401: BilingualText(en="", zh="在请求头中加入 Authorization: Bearer …"),
    403: BilingualText(en="it will be refused again", zh="再试也会被拒绝"),
    404: BilingualText(
        en="look it up in the list it should be in: it may be gone, or somebody else's",
        zh="请在相应的列表中查找：它可能已被删除，或属于别人",
    ),
    405: BilingualText(en="", zh="每个地址接受的方法见 GET /openapi.json"),
    408: BilingualText(en="", zh="请重新发送"),
    409: BilingualText(en="read it again, then decide", zh="请重新读取后再决定"),
    413: BilingualText(en="send less", zh="请减少内容"),
    429: BilingualText(en="wait a moment", zh="请稍等片刻"),
    500: BilingualText(en="a bug in Metier; the log has more", zh="这是 Metier 的缺陷，详情见日志"),
    503: BilingualText(en="try again in a moment", zh="请稍后再试"),
}
_NO_HINT: Final = BilingualText(en="", zh="")
_MAX_WORD_CHARS: Final = 200
_MAX_MESSAGE_CHARS: Final = 2_000
_LONG_WORD: Final = re.compile(r"\S{201,}")


class ErrorDetail(BaseModel):
    """What went wrong, and what to do about it."""

    code: str = Field(examples=["record_not_found"])
    message: str = Field(examples=["there is no conversation 'c1'"])
    hint: str = Field(examples=["GET /api/conversations lists yours"])
    detail: str | None = Field(
        None, description="The English words, if message and hint are in Chinese (`Accept-Language: zh`)."
    )


class ErrorBody(BaseModel):
    """The body of every error response."""

    error: ErrorDetail


class ErrorResponse(JSONResponse):
    """Response of an error, in the language that the request prefers."""

    def __init__(self, told: Mapping[str, Any], status: int, headers: Mapping[str, str] | None = None) -> None:
        self._told = {**told, "message": _shorten(str(told.get("message", "")))}
        super().__init__({"error": self._told}, status, dict(headers or {}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if prefers_chinese(Headers(scope=scope).get("accept-language", "")):
            self.body = self.render({"error": self._say_in_chinese()})
            self.headers["content-length"] = str(len(self.body))
        await super().__call__(scope, receive, send)

    def _say_in_chinese(self) -> dict[str, Any]:
        code, message, hint = (str(self._told.get(name, "")) for name in ("code", "message", "hint"))
        told = describe_error(code, message, "zh")
        if told == message:  # no sentence for this code
            return self._told
        advice = _DEFAULT_HINTS.get(self.status_code, _NO_HINT).zh
        return {**self._told, "message": told, "hint": advice, "detail": f"{message}; {hint}" if hint else message}


def build_error_response(error: MetierError, status: int | None = None) -> JSONResponse:
    """Build the response for an error; the status follows from its class unless given."""
    found = status or next((number for kind, number in _STATUS_BY_ERROR if isinstance(error, kind)), 500)
    headers = {}
    if isinstance(error, ConversationBusy | RateLimited):
        headers["Retry-After"] = str(error.retry_after_s) if isinstance(error, RateLimited) else "1"
    elif type(error) in _TRY_AGAIN:
        headers["Retry-After"] = "2"
    if isinstance(error, Unauthorized):
        headers["WWW-Authenticate"] = "Bearer"
    told = error.to_json()
    return ErrorResponse({**told, "hint": told["hint"] or _DEFAULT_HINTS.get(found, _NO_HINT).en}, found, headers)


def make_body_error(message: str, hint: str) -> HTTPException:
    """Make the error for an unreadable body; FastAPI passes only `HTTPException` through its body parsing."""
    return HTTPException(400, {"code": InvalidInput.code, "message": message, "hint": hint})  # type: ignore[arg-type]  # FastAPI sends any JSON, its type says text


def describe_errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the error statuses of an operation for OpenAPI."""
    return {status: {"model": ErrorBody, "description": _STATUS_DESCRIPTIONS[status]} for status in statuses}


_STATUS_DESCRIPTIONS: Mapping[int, str] = {
    400: "The request cannot be used as it is.",
    401: "A key is needed, or the one given is wrong.",
    403: "A rule says no.",
    404: "There is no such thing, or it is somebody else's.",
    408: "The body did not come in time.",
    409: "Somebody else was first; `Retry-After` says when to try again.",
    413: "The body or the message is too large.",
    415: "The body must be JSON.",
    429: "Too many requests or streams; `Retry-After` says when to try again.",
    503: "Something that is needed is not there; try later.",
}


def install_handlers(app: FastAPI) -> None:
    """Register the exception handlers that give every failure the same body."""
    app.add_exception_handler(MetierError, _handle_metier_error)
    app.add_exception_handler(HTTPException, _handle_http_exception)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(Exception, _handle_unexpected_error)


async def _handle_metier_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, MetierError)
    return build_error_response(error)


async def _handle_http_exception(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.detail, Mapping):
        told = dict(error.detail)
    else:
        code, hint = _HINTS.get(error.status_code, (InvalidInput.code, ""))
        place = f"{request.method} {request.url.path[:200]}"
        told = {"code": code, "message": f"{place}: {error.detail}", "hint": hint}
    return ErrorResponse(told, error.status_code, error.headers)


async def _handle_validation_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where, *place = first["loc"]
    name = ".".join(str(part) for part in place)
    message = f"{where} {name!r}: {first['msg']}" if name else f"{where}: {first['msg']}"
    return build_error_response(InvalidInput(_sanitize_text(message), hint=_SCHEMA_HINT))


async def _handle_unexpected_error(request: Request, error: Exception) -> JSONResponse:
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return build_error_response(
        MetierError(f"{type(error).__name__} while answering", hint="a bug in Metier; the log has more")
    )


def _shorten(message: str) -> str:
    """The message without the rest of a name that no person reads: a request is not sent back in its error."""
    cut = _LONG_WORD.sub(lambda found: f"{found[0][:_MAX_WORD_CHARS]}…", message)
    return cut if len(cut) <= _MAX_MESSAGE_CHARS else f"{cut[:_MAX_MESSAGE_CHARS]}…"


def _sanitize_text(text: str) -> str:
    """Cut and re-encode text from a request so that it can always be sent back."""
    return text[:500].encode("utf-8", "replace").decode()

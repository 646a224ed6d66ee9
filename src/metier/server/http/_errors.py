"""Error responses: every failure has the body `{"error": {"code", "message", "hint"}}`."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

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
_DEFAULT_HINTS: Mapping[int, str] = {
    400: _SCHEMA_HINT,
    403: "it will be refused again",
    404: "look it up in the list it should be in: it may be gone, or somebody else's",
    409: "read it again, then decide",
    413: "send less",
    429: "wait a moment",
    500: "a bug in Metier; the log has more",
    503: "try again in a moment",
}


class ErrorDetail(BaseModel):
    """What went wrong, and what to do about it."""

    code: str = Field(examples=["record_not_found"])
    message: str = Field(examples=["there is no conversation 'c1'"])
    hint: str = Field(examples=["GET /api/conversations lists yours"])


class ErrorBody(BaseModel):
    """The body of every error response."""

    error: ErrorDetail


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
    return JSONResponse({"error": {**told, "hint": told["hint"] or _DEFAULT_HINTS.get(found, "")}}, found, headers)


def make_body_error(message: str, hint: str) -> HTTPException:
    """Make the error for an unreadable body; FastAPI passes only `HTTPException` through its body parsing."""
    return HTTPException(400, {"code": InvalidInput.code, "message": message, "hint": hint})  # type: ignore[arg-type]


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
    return JSONResponse({"error": told}, error.status_code, dict(error.headers or {}))


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


def _sanitize_text(text: str) -> str:
    """Cut and re-encode text from a request so that it can always be sent back."""
    return text[:500].encode("utf-8", "replace").decode()

"""Shared by all routers: strict JSON requests, JSON responses, and their description in OpenAPI."""

import json
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.dependencies.models import Dependant
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from metier.errors import InvalidInput
from metier.json_values import JsonInvalid, JsonValue, clean_text, load_json
from metier.names import suggest
from metier.server.http._errors import describe_errors, make_body_error

_COMMON_STATUSES: Final = (400, 401, 403, 429, 503)
_EVENT_STREAM: Final = "text/event-stream"
_MAX_NAME_CHARS: Final = 60


class RequestBody(BaseModel):
    """Body of a request; unknown fields are rejected so that typos surface."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class JsonAnswer(JSONResponse):
    """JSON response with unescaped Chinese; models and frozen mappings are written as objects."""

    def render(self, content: object) -> bytes:
        return json.dumps(
            content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_json_default
        ).encode()


class _StrictRequest(Request):
    async def json(self) -> JsonValue:
        raw = await self.body()
        try:
            return load_json(raw.decode())
        except UnicodeDecodeError as error:
            raise make_body_error(f"the body is not UTF-8 (byte {error.start})", "send UTF-8") from error
        except JsonInvalid as error:
            where = f", line {error.line}" if error.line else ""
            raise make_body_error(f"the body is not JSON: {error}{where}", "send one JSON object") from error


class StrictRoute(APIRoute):
    """Route that parses bodies strictly: no NaN, no duplicate keys, limited nesting."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        responses: dict[int | str, dict[str, Any]] | None = None,
        **options: Any,
    ) -> None:
        """As of FastAPI, but the models of the responses are read by `describe_responses`."""
        given = responses or {}
        plain = {status: {key: part for key, part in one.items() if key != "model"} for status, one in given.items()}
        super().__init__(path, endpoint, responses=plain, **options)
        self.responses = given

    def describe_responses(self) -> None:
        """Build what OpenAPI says of the responses: 600 fields, which no start has to wait for."""
        for status, one in self.responses.items():
            if status not in self.response_fields and (model := one.get("model")) is not None:
                name = f"Response_{status}_{self.unique_id}"
                self.response_fields[status] = create_model_field(name=name, type_=model, mode="serialization")

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await inner(_StrictRequest(request.scope, request.receive))

        return handle


class _OwnRoute(StrictRoute):
    """Strict route that also rejects unknown query parameters: a filter that is ignored answers another question."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()
        known = frozenset(_iter_query_names(self.dependant))

        async def handle(request: Request) -> Response:
            for name in request.query_params:
                if name not in known:
                    listed = ", ".join(sorted(known))
                    raise InvalidInput(
                        f"query parameter {clean_text(name[:_MAX_NAME_CHARS])!r} is not known",
                        hint=suggest(name[:_MAX_NAME_CHARS], known, f"known here: {listed or 'none'}"),
                    )
            return await inner(request)

        return handle


def _iter_query_names(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _iter_query_names(inner)


def make_router(tag: str, *, any_query: bool = False) -> APIRouter:
    """Make a router of strict routes with this OpenAPI tag; `any_query` for addresses that other clients extend."""
    route = StrictRoute if any_query else _OwnRoute
    return APIRouter(tags=[tag], route_class=route, default_response_class=JsonAnswer)


def responds(model: type[BaseModel], *statuses: int, status: int = 200) -> dict[int | str, Any]:
    """Describe the responses of an operation: the model of the answer, and the error statuses."""
    good = {"model": model, "description": (model.__doc__ or "").strip().splitlines()[0]}
    return {**describe_errors(*sorted({*_COMMON_STATUSES, *statuses})), status: good}


def responds_text(example: str, *statuses: int, kind: str) -> dict[int | str, Any]:
    """Describe the responses of an operation that answers text or a file of this media type."""
    told = {"example": example, "schema": {"type": "string"}}
    good = {"description": "As in the example.", "content": {kind: told}}
    return {**describe_errors(*sorted({*_COMMON_STATUSES, *statuses})), 200: good}


def responds_stream(*statuses: int) -> dict[int | str, Any]:
    """Describe the responses of an operation that returns a stream of events."""
    described = responds_text(_EXAMPLE_EVENTS, *statuses, kind=_EVENT_STREAM)
    described[200]["description"] = "Each `data:` line is a `StoredEvent`."
    described[200]["content"][_EVENT_STREAM]["itemSchema"] = {"$ref": "#/components/schemas/StoredEvent"}
    return described


def _json_default(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | frozenset):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


_EXAMPLE_EVENTS: Final = (
    'id: 1\nevent: turn.started\ndata: {"conversation":"9f2c…","turn":"77ab…","seq":1,"at":"2026-01-20T08:00:00+00:00",'
    '"kind":"turn.started","data":{"message":"写周报","skill":null}}\n\n'
)

"""OpenAPI document, without the responses that FastAPI adds but the server never sends."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from metier.server.http import StrictRoute, find_required_role


def install_openapi(app: FastAPI) -> None:
    """Install the OpenAPI generator: validation errors are answered with 400, so 422 is removed."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            for route in app.routes:
                if isinstance(route, StrictRoute):
                    route.describe_responses()
            made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            for operation in (one for path in made["paths"].values() for one in path.values()):
                operation["responses"].pop("422", None)
                _drop_default_content(operation["responses"])
            _declare_roles(app, made)
            for name in ("HTTPValidationError", "ValidationError"):
                made["components"]["schemas"].pop(name, None)
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the way that FastAPI documents


def _declare_roles(app: FastAPI, made: dict[str, Any]) -> None:
    """Declare how to authenticate, and for every operation the role that its key needs."""
    made["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "An API key; none on a server without keys."}
    }
    for route in app.routes:
        if not isinstance(route, APIRoute) or not route.include_in_schema:
            continue
        role = find_required_role(route)
        for method in route.methods or ():
            made["paths"][route.path_format][method.lower()]["security"] = [{"key": [role]}] if role else []


def _drop_default_content(responses: dict[str, dict[str, Any]]) -> None:
    """Drop FastAPI's default JSON content where the response is text, a file or a stream; a named schema stays."""
    for answer in responses.values():
        content = answer.get("content", {})
        is_default = "$ref" not in content.get("application/json", {}).get("schema", {})
        if is_default and any(kind != "application/json" for kind in content):
            content.pop("application/json", None)

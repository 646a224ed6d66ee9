"""The description of the API, without what FastAPI adds and we never answer."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi


def describe(app: FastAPI) -> None:
    """Let the application describe itself as it is: a request that cannot be used is answered with 400, not 422."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            for operation in (one for path in made["paths"].values() for one in path.values()):
                operation["responses"].pop("422", None)
                _only_what_is_shown(operation["responses"])
            for name in ("HTTPValidationError", "ValidationError"):
                made["components"]["schemas"].pop(name, None)
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _only_what_is_shown(responses: dict[str, dict[str, Any]]) -> None:
    """Drop the JSON that FastAPI takes for granted where the example is of another kind."""
    for answer in responses.values():
        content = answer.get("content", {})
        shown = {kind: told for kind, told in content.items() if "example" in told}
        if shown:
            answer["content"] = shown

"""Return values of Python functions: which types a tool may return, and the JSON object each becomes."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin, get_type_hints

from metier.errors import InvalidTool
from metier.json_values import JsonObject, is_cleanable
from metier.tools._calls import ToolResult

if TYPE_CHECKING:
    from pydantic import PydanticUserError

_HINT: Final = "return a str, dict, list, number, dataclass, Pydantic model or None"
_BINARY: Final = (bytes, bytearray, memoryview)
_BINARY_HINT: Final = "return text, or write a file into `context.workspace` and return its path"
_ATOMS: Final = frozenset({str, int, float, bool, type(None)})
_PLAIN: Final = (str, int, float, bool, type(None), dict, list, ToolResult)


def check_return_type(function: Callable[..., object], name: str) -> None:
    """Raise `InvalidTool` if the function is annotated to return what has no JSON form.

    An annotation that cannot be resolved at run time is not checked.
    """
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise InvalidTool(f"function {name!r} yields its results", hint="return one list instead")
    hint = _resolve_return_type(function)
    if hint is inspect.Signature.empty or hint in _PLAIN:
        return
    if found := _find_unsupported(hint):
        bad, advice = found
        raise InvalidTool(f"{name!r} returns {_name_type(bad)}, which has no JSON form", hint=advice)
    if why := _schema_problem(hint):
        raise InvalidTool(f"{name!r} returns {_name_type(hint)}, which has no JSON form: {why}", hint=_HINT)


def result_from_value(name: str, value: object) -> ToolResult:
    """Convert what a function returned into a result.

    A mapping, dataclass or model becomes the data itself, a text `{"text": …}`, a list `{"items": […]}`, any other
    value `{"value": …}`, and None `{"done": true}`.
    """
    if isinstance(value, ToolResult):
        return value
    if isinstance(value, _BINARY):
        return _invalid_result(name, value, _BINARY_HINT)
    if isinstance(value, Set):
        return _invalid_result(name, value, "return a list")
    if (lazy := _find_iterator(value)) is not None:
        return _invalid_result(name, lazy, "return a list")
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    try:
        plain = to_jsonable_python(value, fallback=_convert_mapping)
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        if not is_cleanable(value):
            return _invalid_result(name, value, _HINT, str(error)[:200])
        plain = value  # too deep, or half a character: the check of results replaces it
    return ToolResult(data=_to_object(plain))


def _find_iterator(value: object) -> object | None:
    """Find an iterator in the value: Pydantic would read it to its end, and it may have none."""
    from pydantic import BaseModel

    seen: dict[int, object] = {}  # holds each object, so that no id is used twice
    todo = [value]
    while todo:
        one = todo.pop()
        if type(one) in _ATOMS or id(one) in seen:
            continue
        seen[id(one)] = one
        if isinstance(one, Iterator | AsyncIterator):
            return one
        if isinstance(one, Mapping):
            todo.extend(one.values())
        elif isinstance(one, list | tuple):
            todo.extend(one)
        elif isinstance(one, BaseModel):
            todo.extend(vars(one).values())
        elif is_dataclass(one) and not isinstance(one, type):
            todo.extend(getattr(one, field.name, None) for field in fields(one))
    return None


def _to_object(plain: object) -> JsonObject:
    match plain:
        case None:
            return {"done": True}
        case str():
            return {"text": plain}
        case list():
            return {"items": plain}
        case dict():
            return plain
    return {"value": plain}  # type: ignore[dict-item]  # `plain` is JSON: the other cases are above


def _convert_mapping(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise ValueError(f"{type(value).__name__} has no JSON form")


def _invalid_result(name: str, value: object, hint: str, why: str = "") -> ToolResult:
    message = f"{name} returned {type(value).__name__}, which has no JSON form"
    return ToolResult.fail("invalid_result", f"{message}: {why}" if why else message, hint=hint)


def _resolve_return_type(function: Callable[..., object]) -> object:
    plain = inspect.unwrap(function)
    given = getattr(plain, "__annotations__", {})
    if "return" not in given:
        return inspect.Signature.empty
    alone = SimpleNamespace(__annotations__={"return": given["return"]})
    try:
        return get_type_hints(alone, globalns=getattr(plain, "__globals__", {}))["return"]
    except (NameError, TypeError):  # imported for type checkers only, or defined inside a function
        return inspect.Signature.empty


def _find_unsupported(hint: object) -> tuple[object, str] | None:
    """Find bytes, a set or an iterator in the annotation or its arguments, with the advice for it."""
    base = get_origin(hint) or hint
    if isinstance(base, type):
        if issubclass(base, _BINARY):
            return hint, _BINARY_HINT
        if issubclass(base, Set | Iterator | AsyncIterator):
            return hint, "return a list"
    return next((found for part in get_args(hint) if (found := _find_unsupported(part))), None)


def _schema_problem(hint: Any) -> str:
    """Return why Pydantic cannot write this type as JSON; empty if it can."""
    from pydantic import PydanticUserError, TypeAdapter

    try:
        TypeAdapter(hint).json_schema(mode="serialization")
    except PydanticUserError as error:
        return first_sentence(error)
    return ""


def first_sentence(error: "PydanticUserError") -> str:
    """Return the reason Pydantic gives, without its advice about its own configuration."""
    return error.message.partition(".")[0]


def _name_type(hint: object) -> str:
    return hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint).replace("typing.", "")

"""Python functions as tools: schema from the type hints, description from the docstring."""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, TypeAlias, Unpack, get_type_hints, overload

from typing_extensions import TypedDict

from metier.errors import InvalidTool
from metier.json_values import JsonObject, JsonValue
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._function_results import check_return_type, first_sentence, result_from_value
from metier.tools._preview import Preview, preview_from_json
from metier.tools._spec import (
    DEFAULT_TIMEOUT_S,
    NEVER,
    Approval,
    Origin,
    ResultKind,
    Retrieval,
    SideEffect,
    ToolExample,
    ToolSpec,
)

if TYPE_CHECKING:
    from pydantic import BaseModel, PydanticUserError

_UNNAMED_KINDS: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
)

_SUBSCHEMA_MAPS: Final = ("properties", "$defs")
FORM_HINTS: Final = "x-ui"


NarrowSpec: TypeAlias = Callable[[ToolSpec, ToolContext, str, JsonObject], ToolSpec]


class ToolOptions(TypedDict, total=False):
    """Tool properties that cannot be read from a function signature."""

    name: str
    description: str
    origin: Origin
    result: ResultKind
    idempotent: bool
    approval: Approval
    timeout_s: float
    effects: frozenset[SideEffect]
    undoes: str
    preview: Callable[..., object]
    retrieves: Retrieval
    examples: tuple[ToolExample, ...]
    edge_cases: tuple[str, ...]
    narrow: NarrowSpec


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """Tool backed by a Python function.

    A synchronous function runs in a thread: after a timeout nobody waits for it, but it keeps running.
    """

    spec: ToolSpec
    function: Callable[..., object]
    arguments_model: "type[BaseModel]"
    parameter_names: Mapping[str, str]
    context_parameter: str = ""
    preview_tool: "FunctionTool | None" = None
    narrow: NarrowSpec | None = None

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Call the plain function, for code that imports it directly."""
        return self.function(*args, **kwargs)

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        """Validate the arguments into the annotated types, call the function, and convert its return value.

        A `ToolError` becomes a failure; any other exception goes to the caller (the executor reports a crash).
        """
        given = self._read_arguments(arguments)
        if isinstance(given, ToolResult):
            return given
        if self.context_parameter:
            given[self.context_parameter] = context
        try:
            return result_from_value(self.spec.name, await self._call(given))
        except ToolError as error:
            return error.to_result()

    async def preview(self, arguments: JsonObject, context: ToolContext) -> Preview | None:
        """What a call with these arguments would do; None if the tool declares no preview."""
        if self.preview_tool is None:
            return None
        given = self.preview_tool._read_arguments(arguments)
        if isinstance(given, ToolResult):
            raise ToolError(given.failure.message if given.failure else "", code="invalid_arguments")
        if self.preview_tool.context_parameter:
            given[self.preview_tool.context_parameter] = context
        return preview_from_json(await self.preview_tool._call(given))

    def _read_arguments(self, arguments: JsonObject) -> dict[str, object] | ToolResult:
        """Arguments as the annotated types, or the failure that names what is wrong."""
        from pydantic import ValidationError

        try:
            read = self.arguments_model.model_validate(dict(arguments))
        except ValidationError as error:
            first = error.errors()[0]
            where = "$" + "".join(f".{part}" for part in first["loc"])
            return ToolResult.fail("invalid_arguments", f"{where}: {first['msg']}")
        return {
            name: getattr(read, field) for field, name in self.parameter_names.items() if field in read.model_fields_set
        }

    async def _call(self, given: Mapping[str, object]) -> object:
        if inspect.iscoroutinefunction(self.function):
            return await self.function(**given)
        value = await asyncio.to_thread(self._call_in_thread, given)
        return await value if inspect.isawaitable(value) else value

    def _call_in_thread(self, given: Mapping[str, object]) -> object:
        try:
            return self.function(**given)
        except (StopIteration, GeneratorExit) as error:  # no future can carry them: the call would never end
            raise RuntimeError(f"function raised {type(error).__name__}") from error


@overload
def tool(function: Callable[..., object]) -> FunctionTool: ...
@overload
def tool(**options: Unpack[ToolOptions]) -> Callable[[Callable[..., object]], FunctionTool]: ...
def tool(
    function: Callable[..., object] | None = None, **options: Unpack[ToolOptions]
) -> FunctionTool | Callable[[Callable[..., object]], FunctionTool]:
    """Decorate a function as a tool: `@tool`, or `@tool(approval=ALWAYS, timeout_s=5)`."""
    if function is not None:
        return function_tool(function)
    return lambda decorated: function_tool(decorated, **options)


def function_tool(function: Callable[..., object], **options: Unpack[ToolOptions]) -> FunctionTool:
    """Build a tool from a function with typed, named parameters; one annotated `ToolContext` is injected.

    The function may be synchronous or `async`, and may return a text, a number, a list, a mapping, a dataclass, a
    Pydantic model, None or a `ToolResult`. For an expected failure it raises `ToolError`.

    `preview` is a function with the same parameters that returns a `Preview` and changes nothing: before a person is
    asked to approve a call, they are shown what it returns. Its `ToolError` refuses the call without asking.

    `narrow` returns the spec as a model is shown it in a turn: it gets the spec, the context, the message, and the
    facts of the conversation by name. It is called once for each skill of a turn, so that a prompt cache stays valid;
    calls are checked by the whole spec.
    """
    name = options.get("name", getattr(function, "__name__", ""))
    description = options.get("description") or (inspect.getdoc(function) or "").partition("\n")[0].strip()
    if not description:
        raise InvalidTool(f"function {name!r} has no docstring", hint="its first line tells the model what it does")
    check_return_type(function, name)
    model, names, context = _read_signature(function, name)
    spec = ToolSpec(
        name=name,
        description=description,
        parameters=_build_schema(model, name),
        origin=options.get("origin", "pack"),
        result=options.get("result", "json"),
        idempotent=options.get("idempotent", False),
        approval=options.get("approval", NEVER),
        timeout_s=options.get("timeout_s", DEFAULT_TIMEOUT_S),
        effects=options.get("effects", frozenset()),
        undoes=options.get("undoes", ""),
        preview=getattr(options.get("preview"), "__name__", ""),
        retrieves=options.get("retrieves"),
        examples=options.get("examples", ()),
        edge_cases=options.get("edge_cases", ()),
    )
    preview = _preview_tool(name, options.get("preview"))
    return FunctionTool(spec, function, model, names, context, preview, options.get("narrow"))


def _preview_tool(name: str, function: Callable[..., object] | None) -> FunctionTool | None:
    if function is None:
        return None
    model, names, context = _read_signature(function, f"preview of {name}")
    return FunctionTool(ToolSpec(name, ""), function, model, names, context)


def _read_signature(function: Callable[..., object], name: str) -> "tuple[type[BaseModel], Mapping[str, str], str]":
    """Build a Pydantic model of the arguments.

    Its fields are numbered, because a parameter may be called `schema` but a field may not.
    """
    from pydantic import ConfigDict, Field, PydanticUserError, create_model

    hints = _resolve_type_hints(function, name)
    fields: dict[str, tuple[object, object]] = {}
    names: dict[str, str] = {}
    context = ""
    for number, parameter in enumerate(inspect.signature(function).parameters.values()):
        if parameter.kind in _UNNAMED_KINDS:
            raise InvalidTool(f"parameter {parameter.name!r} of {name!r} has no name", hint="a call gives names only")
        if parameter.name not in hints:
            raise InvalidTool(f"parameter {parameter.name!r} of {name!r} has no type", hint="annotate it")
        if hints[parameter.name] is ToolContext:
            context = parameter.name
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[f"p{number}"] = hints[parameter.name], Field(default, alias=parameter.name)
        names[f"p{number}"] = parameter.name
    try:
        model = create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)  # type: ignore[call-overload]  # fields that are computed
    except PydanticUserError as error:
        raise _unsupported_type_error(name, error) from error
    return model, names, context


def _resolve_type_hints(function: Callable[..., object], name: str) -> dict[str, object]:
    """Return the types of the parameters; the return type is skipped, so it need not be importable."""
    plain = inspect.unwrap(function)
    given = {key: hint for key, hint in getattr(plain, "__annotations__", {}).items() if key != "return"}
    try:
        return get_type_hints(
            SimpleNamespace(__annotations__=given), globalns=getattr(plain, "__globals__", {}), include_extras=True
        )
    except NameError as error:
        raise InvalidTool(f"a type hint of {name!r} cannot be read: {error}", hint="import it at run time") from error


def _build_schema(model: "type[BaseModel]", name: str) -> JsonObject:
    from pydantic import PydanticUserError

    try:
        schema: JsonObject = model.model_json_schema()
    except PydanticUserError as error:
        raise _unsupported_type_error(name, error) from error
    return {key: _strip_titles(value, named=key in _SUBSCHEMA_MAPS) for key, value in schema.items() if key != "title"}


def _unsupported_type_error(name: str, error: "PydanticUserError") -> InvalidTool:
    why = first_sentence(error)
    return InvalidTool(f"a type hint of {name!r} has no JSON form: {why}", hint="use plain types or Pydantic models")


def _strip_titles(value: JsonValue, *, named: bool = False) -> JsonValue:
    """Remove Pydantic's titles, which repeat the names and cost tokens; below `properties`, `title` is a name.

    Form hints are the author's own and stay as they are.
    """
    if isinstance(value, Mapping):
        return {
            key: item if key == FORM_HINTS else _strip_titles(item, named=key in _SUBSCHEMA_MAPS and not named)
            for key, item in value.items()
            if named or key != "title"
        }
    return [_strip_titles(item) for item in value] if isinstance(value, list) else value

"""Todo list of a run: written by the model, or derived from a running plan.

With a plan nobody has to keep a list: `todos_from_run(run)` derives it, without a model call.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias, TypedDict, cast

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from metier.agent.adapters import AsyncToolHandler, ToolHandler, spec_from_langchain, tool_message
from metier.agent.results import (
    EventSink,
    LanguageOption,
    aemit_events,
    emit_events,
    resolve_language,
)
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.plans import PlanRun
from metier.store import EventDraft
from metier.tools import Language

TodoStatus = Literal["pending", "in_progress", "completed", "skipped", "failed"]

WRITE_TODOS: Final = "write_todos"
MAX_TODOS: Final = 20
_MAX_CONTENT_CHARS: Final = 200
_MODEL_STATUSES: Final = ("pending", "in_progress", "completed")
_OPEN_STATUSES: Final = frozenset({"pending", "in_progress"})
_STATUS_BY_STEP_STATE: Final[Mapping[str, TodoStatus]] = MappingProxyType(
    {"done": "completed", "skipped": "skipped", "failed": "failed", "pending": "pending"}
)
TODOS_DESCRIPTION: Final = (
    "Keep a list of what is to be done, for work of three steps or more. Every call replaces the whole list. "
    "Mark a step in_progress before you begin it and completed as soon as it is done. "
    "维护待办列表（三步以上的任务才需要），每次调用都会替换整个列表。"
)
TODOS_SCHEMA: Final[JsonObject] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "todos": {
                "type": "array",
                "maxItems": MAX_TODOS,
                "items": {
                    "type": "object",
                    "properties": {
                        "content": {"type": "string", "maxLength": _MAX_CONTENT_CHARS},
                        "status": {"enum": list(_MODEL_STATUSES)},
                    },
                    "required": ["content", "status"],
                },
            }
        },
        "required": ["todos"],
    }
)


class Todo(TypedDict):
    """One todo."""

    content: str
    status: TodoStatus


def _keep_newest(_: list[Todo] | None, new: list[Todo]) -> list[Todo]:
    """Reducer: of two lists written in one message the later one wins."""
    return new


class TodoState(AgentState[Any]):
    """Agent state of the todo list; a caller may pass in the list of an earlier turn."""

    todos: NotRequired[Annotated[list[Todo], _keep_newest]]


PlanOf: TypeAlias = Callable[[Mapping[str, Any], Any], PlanRun | None]


def todos_from_run(run: PlanRun) -> list[Todo]:
    """Steps of a plan as todos; the current step is in progress."""
    current = run.current_step if run.stopped is None else None
    return [
        Todo(
            content=(step.title or step.id)[:_MAX_CONTENT_CHARS],
            status="in_progress" if step is current else _STATUS_BY_STEP_STATE[run.get_step_progress(step.id).state],
        )
        for step in run.plan.steps
    ]


def has_unfinished(todos: Iterable[Mapping[str, Any]] | None) -> bool:
    """Whether a todo is open. With a skill in use it means: stay with it, do not choose another."""
    return any(todo.get("status") in _OPEN_STATUSES for todo in todos or ())


def read_todos(arguments: JsonValue) -> list[Todo]:
    """Read the list that a model wrote; `InvalidInput` names the invalid item."""
    listed = arguments.get("todos") if isinstance(arguments, Mapping) else None
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise InvalidInput("todos is no list", hint="send the whole list, also what is done")
    if len(listed) > MAX_TODOS:
        raise InvalidInput(f"todos has {len(listed)} items", hint=f"at most {MAX_TODOS}: put some together")
    return [_read_todo(item, f"todos[{at}]") for at, item in enumerate(listed)]


class TodosMiddleware(AgentMiddleware[TodoState, Any, Any]):
    """The `write_todos` tool, or a list derived from a plan.

    `plan_of(state, runtime)` returns the running plan, if there is one: then the list follows it, the tool is hidden
    and a call of it is answered with the list. Every change emits a `todos` event: `{"todos", "from"}`. The list is
    `state["todos"]`; put this middleware before the one that carries out the plan.
    """

    state_schema = TodoState

    def __init__(
        self,
        plan_of: PlanOf | None = None,
        *,
        on_event: EventSink | None = None,
        language: LanguageOption = "auto",
        name: str = "TodosMiddleware",
    ) -> None:
        super().__init__()
        self.tools = [write_todos_tool()]
        self._plan_of = plan_of
        self._on_event = on_event
        self._language = language
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def before_model(self, state: TodoState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Update the list from the plan, if there is one."""
        update, drafts = self._follow_plan(state, runtime)
        emit_events(self._on_event, drafts, runtime)
        return update

    async def abefore_model(self, state: TodoState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        update, drafts = self._follow_plan(state, runtime)
        await aemit_events(self._on_event, drafts, runtime)
        return update

    def after_agent(self, state: TodoState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        return self.before_model(state, runtime)

    async def aafter_agent(self, state: TodoState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        return await self.abefore_model(state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(self._hide_tool(request))

    async def awrap_model_call(self, request: ModelRequest[Any], handler: Any) -> ModelResponse[Any]:
        return cast("ModelResponse[Any]", await handler(self._hide_tool(request)))

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != WRITE_TODOS:
            return handler(request)
        answer, drafts = self._write(request)
        emit_events(self._on_event, drafts, request.runtime)
        return answer

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != WRITE_TODOS:
            return await handler(request)
        answer, drafts = self._write(request)
        await aemit_events(self._on_event, drafts, request.runtime)
        return answer

    def _get_run(self, state: object, runtime: object) -> PlanRun | None:
        if self._plan_of is None or not isinstance(state, Mapping):
            return None
        return self._plan_of(state, runtime)

    def _follow_plan(self, state: TodoState, runtime: object) -> tuple[dict[str, Any] | None, Sequence[EventDraft]]:
        run = self._get_run(state, runtime)
        todos = None if run is None else todos_from_run(run)
        if todos is None or todos == state.get("todos"):
            return None, ()
        return {"todos": todos}, [todos_event(todos, "plan")]

    def _hide_tool(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        if self._get_run(request.state, request.runtime) is None:
            return request
        kept = [one for one in request.tools if spec_from_langchain(one).name != WRITE_TODOS]
        return request.override(tools=kept)

    def _write(self, request: ToolCallRequest) -> tuple[ToolMessage | Command[Any], Sequence[EventDraft]]:
        call, language = request.tool_call["id"] or "", resolve_language(request.state, self._language)
        run = self._get_run(request.state, request.runtime)
        if run is not None:
            return tool_message(call, WRITE_TODOS, _plan_text(todos_from_run(run), language), error="plan_knows"), ()
        try:
            todos = read_todos(request.tool_call["args"])
        except InvalidInput as error:
            return tool_message(call, WRITE_TODOS, f"{error.message}. {error.hint}", error="invalid_todos"), ()
        answer = tool_message(call, WRITE_TODOS, _written_text(todos, language))
        return Command(update={"todos": todos, "messages": [answer]}), [todos_event(todos, "model")]


def todos_event(todos: Sequence[Todo], source: Literal["plan", "model"]) -> EventDraft:
    """`todos` event with the whole list."""
    return EventDraft(
        "todos", {"todos": [{"content": one["content"], "status": one["status"]} for one in todos], "from": source}
    )


def write_todos_tool() -> StructuredTool:
    """The `write_todos` tool as the model sees it; the middleware runs it."""

    def write_todos(**_: object) -> str:
        return "no TodosMiddleware is there to keep it"

    return StructuredTool.from_function(
        write_todos, name=WRITE_TODOS, description=TODOS_DESCRIPTION, args_schema=dict(TODOS_SCHEMA)
    )


def _read_todo(item: JsonValue, where: str) -> Todo:
    content = item.get("content") if isinstance(item, Mapping) else None
    status = item.get("status") if isinstance(item, Mapping) else None
    if not isinstance(content, str) or not content.strip():
        raise InvalidInput(f"{where}.content is no text", hint="say what is to be done")
    if status not in _MODEL_STATUSES:
        raise InvalidInput(f"{where}.status is {str(status)[:40]!r}", hint=f"one of {', '.join(_MODEL_STATUSES)}")
    return Todo(content=" ".join(content.split())[:_MAX_CONTENT_CHARS], status=status)


def _written_text(todos: Sequence[Todo], language: Language) -> str:
    done = sum(todo["status"] == "completed" for todo in todos)
    return f"已记录 {len(todos)} 项，完成 {done} 项" if language == "zh" else f"{len(todos)} kept, {done} completed"


def _plan_text(todos: Sequence[Todo], language: Language) -> str:
    steps = "; ".join(f"{todo['content']}: {todo['status']}" for todo in todos)
    head = "计划已经记录了步骤" if language == "zh" else "The plan keeps the list"
    return f"{head}: {steps}"

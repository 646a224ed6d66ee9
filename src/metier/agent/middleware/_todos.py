"""Todo list of a run: written by the model, or derived from a running plan.

With a plan nobody has to keep a list: `todos_from_run(run)` derives it, without a model call.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, TypedDict

from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.plans import PlanRun
from metier.store import EventDraft
from metier.tools import ToolSpec

TodoStatus = Literal["pending", "in_progress", "completed", "skipped", "failed"]

MAX_TODOS: Final = 20
_MAX_CONTENT_CHARS: Final = 200
_MODEL_STATUSES: Final = ("pending", "in_progress", "completed")
_OPEN_STATUSES: Final = frozenset({"pending", "in_progress"})
_STATUS_BY_STEP_STATE: Final[Mapping[str, TodoStatus]] = MappingProxyType(
    {"done": "completed", "skipped": "skipped", "failed": "failed", "pending": "pending"}
)
WRITE_TODOS: Final = ToolSpec(
    "write_todos",
    "Keep a list of what is to be done, for work of three steps or more. Every call replaces the whole list. "
    "Mark a step in_progress before you begin it and completed as soon as it is done. "
    "维护待办列表（三步以上的任务才需要），每次调用都会替换整个列表。",
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
    },
)


class Todo(TypedDict):
    """One todo."""

    content: str
    status: TodoStatus


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


def todos_event(todos: Sequence[Todo], source: Literal["plan", "model"]) -> EventDraft:
    """`todos` event with the whole list."""
    return EventDraft(
        "todos", {"todos": [{"content": one["content"], "status": one["status"]} for one in todos], "from": source}
    )


def _read_todo(item: JsonValue, where: str) -> Todo:
    content = item.get("content") if isinstance(item, Mapping) else None
    status = item.get("status") if isinstance(item, Mapping) else None
    if not isinstance(content, str) or not content.strip():
        raise InvalidInput(f"{where}.content is no text", hint="say what is to be done")
    if status not in _MODEL_STATUSES:
        raise InvalidInput(f"{where}.status is {str(status)[:40]!r}", hint=f"one of {', '.join(_MODEL_STATUSES)}")
    return Todo(content=" ".join(content.split())[:_MAX_CONTENT_CHARS], status=status)

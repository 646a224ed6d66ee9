"""List of the tasks of one message. A value: every change gives a new list."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from metier.json_values import JsonObject, JsonValue
from metier.language import shorten_text
from metier.tasks._outputs import TaskOutput, output_from_json

# unavailable: its skill cannot be used, or none fits; skipped: a task before it failed, or the user dropped it;
# stopped: the user stopped it or those before.
TaskState = Literal["pending", "running", "done", "failed", "skipped", "stopped", "unavailable"]
_MAX_TITLE_CHARS = 40


@dataclass(frozen=True, slots=True)
class Task:
    """One thing that a message asks for: the skill, and the words that ask for it.

    `skill` is empty while a model has yet to choose it, or if none fits; the title is then the words of the request.
    `why` says why it is not done. `first_message` is the number of messages of the turn before it began.
    """

    id: str
    skill: str
    title: str
    text: str
    state: TaskState = "pending"
    why: str = ""
    first_message: int = 0
    output: TaskOutput = field(default_factory=TaskOutput)

    def to_json(self) -> JsonObject:
        told: JsonObject = {"id": self.id, "skill": self.skill, "title": self.title, "text": self.text}
        why: JsonObject = {"why": self.why} if self.why else {}
        output: JsonObject = {"output": self.output.to_json()} if self.output != TaskOutput() else {}
        return {**told, "state": self.state, "first_message": self.first_message, **why, **output}


@dataclass(frozen=True, slots=True)
class TaskList:
    """Tasks in the order in which they are done."""

    tasks: tuple[Task, ...] = ()

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)

    @property
    def running(self) -> Task | None:
        return next((one for one in self.tasks if one.state == "running"), None)

    @property
    def next_pending(self) -> Task | None:
        return next((one for one in self.tasks if one.state == "pending"), None)

    @property
    def is_open(self) -> bool:
        """Whether a task is running or has yet to begin."""
        return self.running is not None or self.next_pending is not None

    @property
    def outputs(self) -> JsonObject:
        """Declared outputs of all tasks that are done; a later one replaces an earlier one of the same name."""
        found: dict[str, JsonValue] = {}
        for one in self.tasks:
            if one.state == "done":
                found.update(one.output.data)
        return found

    @property
    def last_done(self) -> Task | None:
        return next((one for one in reversed(self.tasks) if one.state == "done"), None)

    def start_next(self, first_message: int) -> "TaskList":
        """List in which the next pending task runs."""
        wanted = self.next_pending
        return self if wanted is None else self._put(replace(wanted, state="running", first_message=first_message))

    def assign(self, skill: str, title: str) -> "TaskList":
        """List in which the running task has this skill."""
        task = self.running
        return self if task is None else self._put(replace(task, skill=skill, title=title))

    def without_skills(self) -> "TaskList":
        """List of the same requests, the skill of each still to be chosen."""
        return TaskList(tuple(replace(one, skill="", title=shorten_text(one.text, _MAX_TITLE_CHARS)) for one in self))

    def finish(self, output: TaskOutput) -> "TaskList":
        """List in which the running task is done."""
        task = self.running
        return self if task is None else self._put(replace(task, state="done", output=output))

    def give_up(self, why: str) -> "TaskList":
        """List in which the running task cannot be done here; those after it can still begin."""
        task = self.running
        return self if task is None else self._put(replace(task, state="unavailable", why=why))

    def fail(self, why: str, skipped: str) -> "TaskList":
        """List in which the running task has failed and those after it are not begun."""
        task = self.running
        failed = self if task is None else self._put(replace(task, state="failed", why=why))
        return TaskList(
            tuple(replace(one, state="skipped", why=skipped) if one.state == "pending" else one for one in failed)
        )

    def stop(self) -> "TaskList":
        """List in which nothing is running or waiting any more."""
        return TaskList(
            tuple(replace(one, state="stopped") if one.state in ("running", "pending") else one for one in self)
        )

    def drop(self, why: str, *, also_running: bool = False) -> "TaskList":
        """List in which what has not begun is not done, because the user does not want it any more."""
        states = ("running", "pending") if also_running else ("pending",)
        return TaskList(tuple(replace(one, state="skipped", why=why) if one.state in states else one for one in self))

    def reopen(self) -> "TaskList":
        """List in which what was stopped waits to be done."""
        return TaskList(tuple(replace(one, state="pending") if one.state == "stopped" else one for one in self))

    def to_json(self) -> list[JsonValue]:
        return [one.to_json() for one in self.tasks]

    def _put(self, task: Task) -> "TaskList":
        return TaskList(tuple(task if one.id == task.id else one for one in self.tasks))


def tasks_from_json(value: JsonValue) -> TaskList:
    """Read what `to_json` wrote; entries that cannot be read are left out."""
    listed: Sequence[JsonValue] = value if isinstance(value, list | tuple) else ()
    return TaskList(tuple(_task_from_json(one) for one in listed if isinstance(one, Mapping) and _is_task(one)))


def _is_task(value: JsonObject) -> bool:
    return value.get("state") in get_args(TaskState) and all(isinstance(value.get(key), str) for key in ("id", "skill"))


def _task_from_json(value: JsonObject) -> Task:
    first = value.get("first_message")
    state: TaskState = next(one for one in get_args(TaskState) if one == value["state"])
    return Task(
        str(value["id"]),
        str(value["skill"]),
        str(value.get("title", "")),
        str(value.get("text", "")),
        state,
        str(value.get("why", "")),
        first if isinstance(first, int) else 0,
        output_from_json(value.get("output")),
    )

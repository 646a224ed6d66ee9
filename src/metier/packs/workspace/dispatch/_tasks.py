"""Tasks of DispatchBench: message, files beforehand, the calls that lead to the goal, and the state afterwards."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from metier.json_values import JsonObject, JsonValue
from metier.language import Language

TaskSet = Literal["tasks", "heldout"]
TASK_SETS: Final[tuple[TaskSet, ...]] = ("tasks", "heldout")
DATA: Final = Path(__file__).parent / "data"
# Digest of the held-out tasks, set before any skill, setting or rule was tried on them.
HELDOUT_DIGEST: Final = "ec04b375383095fbb3e5e50c8d2def5eedaf814ba95b2e619017aade0deb5334"


@dataclass(frozen=True, slots=True)
class RightCall:
    """A call on the way to the goal.

    An argument in `words` is right if it holds one of the words, any other if it is equal.
    """

    tool: str
    arguments: JsonObject
    words: Mapping[str, tuple[str, ...]]

    def is_met_by(self, tool: str, arguments: JsonObject) -> bool:
        """Whether this call was made, whatever else was given."""
        return tool == self.tool and all(self._is_right(name, arguments.get(name)) for name in self.arguments)

    def _is_right(self, name: str, given: JsonValue) -> bool:
        words = self.words.get(name)
        if words is None:
            return given == self.arguments[name]
        return isinstance(given, str) and any(word.casefold() in given.casefold() for word in words)


@dataclass(frozen=True, slots=True)
class DispatchTask:
    """One request. `skills` are those that fit, `also` harmless tools beside the calls, `expect` the state to reach."""

    id: str
    type: str
    lang: Language
    message: str
    skills: tuple[str, ...]
    files: Mapping[str, str]
    calls: tuple[RightCall, ...]
    expect: JsonObject
    mixed: tuple[str, ...]
    is_hostile: bool
    also: tuple[str, ...]
    answer: str

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "DispatchTask":
        calls = tuple(
            RightCall(
                one["tool"], one["arguments"], {name: tuple(words) for name, words in one.get("words", {}).items()}
            )
            for one in row["calls"]
        )
        named: dict[str, Any] = {key: tuple(row[key]) for key in ("skills", "mixed", "also")}
        plain = {key: row[key] for key in ("id", "type", "lang", "message", "files", "expect", "answer")}
        return cls(**plain, **named, calls=calls, is_hostile=row["hostile"])

    def list_missing(self, made: list[tuple[str, JsonObject]]) -> list[RightCall]:
        """Calls of the way that are not among those made."""
        return [one for one in self.calls if not any(one.is_met_by(tool, given) for tool, given in made)]

    def is_right(self, tool: str, arguments: JsonObject) -> bool:
        """Whether a call belongs to the way, or is one of the harmless ones beside it."""
        return tool in self.also or any(one.is_met_by(tool, arguments) for one in self.calls)


@cache
def load_tasks(name: TaskSet | None = None) -> tuple[DispatchTask, ...]:
    """Tasks of a set, or of both."""
    names = TASK_SETS if name is None else (name,)
    return tuple(DispatchTask.from_json(row) for one in names for row in json.loads(_path(one).read_text("utf-8")))


def compute_digest(name: TaskSet) -> str:
    """Digest of a set's file."""
    return hashlib.sha256(_path(name).read_bytes()).hexdigest()


def _path(name: TaskSet) -> Path:
    return DATA / f"{name}.json"

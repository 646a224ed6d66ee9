"""Small doors for the tests of the context: skills from a few words, histories, and a cheap way to count."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metier.context import ContextMessage, StoredMessage
from metier.json_values import JsonObject
from metier.skills import Case, Rule, Skill, Source, Text

NOWHERE = Source(Path("SKILL.md"), Path(), "agent-skill")


def skill(skill_id: str = "coverage", body: str = "", **fields: Any) -> Skill:
    """A skill of these fields; its digest is that of the fields."""
    values = {"title": skill_id, "description": "", "body": Text(body), **fields}
    digest = hashlib.sha256(repr((skill_id, sorted(values.items()))).encode("utf-8", "replace")).hexdigest()
    return Skill(id=skill_id, source=NOWHERE, digest=digest, **values)


def rule(rule_id: str, text: str = "", **fields: Any) -> Rule:
    return Rule(rule_id, fields.pop("title", rule_id), Text(text or f"what {rule_id} says"), **fields)


def rules(*found: Rule) -> dict[str, Rule]:
    return {one.id: one for one in found}


def case(case_id: str, *tags: str, **fields: Any) -> Case:
    text = Text(fields.pop("text", f"how {case_id} went"))
    return Case(case_id, fields.pop("title", ""), text, tags, **fields)


@dataclass(frozen=True, slots=True)
class Call:
    """A stored tool call."""

    id: str
    name: str
    args: JsonObject


@dataclass(frozen=True, slots=True)
class Said:
    """A stored message."""

    role: str
    content: str
    tool_calls: tuple[Call, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None


def user(text: str) -> Said:
    return Said("user", text)


def assistant(text: str, *calls: tuple[str, str]) -> Said:
    return Said("assistant", text, tuple(Call(call_id, name, {"q": "x"}) for call_id, name in calls))


def result(call_id: str, text: str = "done") -> Said:
    return Said("tool", text, tool_call_id=call_id)


def exchange(call_id: str, tool: str = "search", text: str = "done") -> list[StoredMessage]:
    return [assistant("", (call_id, tool)), result(call_id, text)]


def words(text: str) -> int:
    """One token a word: a tokenizer whose counts can be read off the page."""
    return len(text.split())


def is_paired(messages: tuple[ContextMessage, ...]) -> bool:
    """Whether a provider would take these: every call answered once, right after it and in its order."""
    at = 0
    while at < len(messages):
        calls = [call.id for call in messages[at].tool_calls]
        results = messages[at + 1 : at + 1 + len(calls)]
        if messages[at].role == "tool" or len(set(calls)) != len(calls):
            return False
        if [one.tool_call_id for one in results if one.role == "tool"] != calls:
            return False
        at += 1 + len(calls)
    return True

"""Classify the task type of a message, and deny tools that such tasks do not use. The rules are data.

Keywords are weak evidence, so this layer has low priority: it judges only tools named in its own file, and a message
with two task types may use the tools of both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import InvalidRules, NotFound
from metier.json_values import JsonObject, JsonValue
from metier.tools.gate._rules import Rules, parse_tool_names, read_rules_file

_KEYS: Final = frozenset({"title", "title_zh", "allowed", "forbidden", "keywords", "shared_keywords", "not_in"})
_PACK_TOOLS_KEY: Final = "tools_of_packs"
_NEGATION: Final = re.compile(
    r"(?:不要|不用|不必|不需要|无需|别|勿|\b(?:no|not|dont|don't|without|never))\s*\S{0,4}\s?$"
)


@dataclass(frozen=True, slots=True)
class TaskType:
    """Kind of task. `keywords` point to it alone, `shared_keywords` also to other types.

    A keyword inside one of the longer words in `not_in` does not count: 计算 in 计算机.
    `named_tools` are all tools named in the file; of those, the type allows only its own.
    """

    name: str
    title: str
    allowed: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    keywords: tuple[str, ...] = ()
    shared_keywords: tuple[str, ...] = ()
    title_zh: str = ""
    named_tools: frozenset[str] = frozenset()
    not_in: tuple[str, ...] = ()

    @property
    def refused_tools(self) -> frozenset[str]:
        """Tools that this type of task does not use."""
        return self.forbidden | (self.named_tools - self.allowed)

    def to_rules(self) -> Rules:
        """Return the rules of the task-type layer of the gate."""
        return Rules("task_type", f"task type {self.name}", forbidden=self.refused_tools)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Keywords of a message that point to one task type."""

    task_type: str
    keywords: tuple[str, ...] = ()
    shared_keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskTypeMatch:
    """Classification of a message: one task type, several merged into one, or None; with keywords and reason."""

    task_type: TaskType | None
    matched: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class TaskTypes:
    """All task types of one file. `tools_of_packs` may be named even if they are not installed."""

    types: Mapping[str, TaskType]
    tools_of_packs: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> TaskType:
        found = self.types.get(name)
        if found is None:
            raise NotFound(f"no task type {name!r}", hint=f"known: {', '.join(self.types)}")
        return found

    def merge(self, names: Iterable[str]) -> TaskType | None:
        """One type of several: a tool is denied only if all of them deny it; None without names."""
        each = [self[name] for name in names]
        return merge(each) if each else None

    def classify(self, message: str) -> TaskTypeMatch:
        """Match the types whose own keywords occur, or, if there are none, those whose shared keywords occur."""
        text = message.casefold()
        read = (
            Evidence(one.name, _find_keywords(one.keywords, said), _find_keywords(one.shared_keywords, said))
            for one in self.types.values()
            for said in (_mask_words(text, one.not_in),)
        )
        evidence = tuple(one for one in read if one.keywords or one.shared_keywords)
        matched = [one for one in evidence if one.keywords] or list(evidence)
        if not matched:
            return TaskTypeMatch(None, (), (), "no keyword of any task type")
        names = tuple(one.task_type for one in matched)
        merged = merge(self.types[name] for name in names)
        return TaskTypeMatch(
            merged, names, evidence, _format_reason(matched, [one for one in evidence if one not in matched])
        )


def classify(message: str, types: TaskTypes | None = None) -> TaskTypeMatch:
    """Classify a message by the given task types, or by those shipped with Metier."""
    return (types or load_task_types()).classify(message)


def merge(types: Iterable[TaskType]) -> TaskType:
    """Merge several task types of one message: a tool is denied only if all of them deny it.

    So matching one more type never removes a tool.
    """
    each = tuple(types)
    if len(each) == 1:
        return each[0]
    refused = frozenset.intersection(*(one.refused_tools for one in each))
    named = frozenset[str]().union(*(one.named_tools for one in each))
    return TaskType(
        name="+".join(one.name for one in each),
        title=" and ".join(one.title for one in each),
        title_zh="、".join(one.title_zh or one.title for one in each),
        allowed=named - refused,
        forbidden=refused,
        named_tools=named,
    )


def find_unknown_tools(types: TaskTypes, known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return pairs of task type and tool for tools that neither exist nor belong to a pack."""
    there = frozenset(known) | types.tools_of_packs
    return tuple(
        (one.name, tool) for one in types.types.values() for tool in sorted((one.allowed | one.forbidden) - there)
    )


def load_task_types(path: Path | None = None) -> TaskTypes:
    """Load task types from a TOML or JSON file, or those shipped with Metier."""
    return _load_shipped() if path is None else _parse_task_types(read_rules_file(path), path)


@lru_cache(maxsize=1)
def _load_shipped() -> TaskTypes:
    path = Path(str(files("metier.tools") / "task_types.toml"))
    return _parse_task_types(read_rules_file(path), path)


def _parse_task_types(data: JsonObject, path: Path) -> TaskTypes:
    packs = parse_tool_names(data.get(_PACK_TOOLS_KEY, ()), _PACK_TOOLS_KEY, path)
    read = [_parse_task_type(name, value, path) for name, value in data.items() if name != _PACK_TOOLS_KEY]
    if not read:
        raise InvalidRules(f"{path} has no task types", hint="a task type is a table such as [research]")
    named = frozenset[str]().union(*(one.allowed | one.forbidden for one in read))
    return TaskTypes(MappingProxyType({one.name: replace(one, named_tools=named) for one in read}), packs)


def _parse_task_type(name: str, table: JsonValue, path: Path) -> TaskType:
    if not isinstance(table, Mapping):
        raise InvalidRules(f"{path}: {name!r} is not a table", hint=f"write [{name}] above its keys")
    for key in table:
        if key not in _KEYS:
            raise InvalidRules(
                f"{path}: [{name}] has an unknown key {key!r}", hint=f"known: {', '.join(sorted(_KEYS))}"
            )
    allowed = parse_tool_names(table.get("allowed", ()), f"{name}.allowed", path)
    forbidden = parse_tool_names(table.get("forbidden", ()), f"{name}.forbidden", path)
    if both := allowed & forbidden:
        raise InvalidRules(f"{path}: [{name}] allows and forbids {sorted(both)[0]!r}", hint="keep one of the two")
    return TaskType(
        name=name,
        title=str(table.get("title") or name),
        title_zh=str(table.get("title_zh") or ""),
        allowed=allowed,
        forbidden=forbidden,
        keywords=_parse_keywords(table, "keywords", name, path),
        shared_keywords=_parse_keywords(table, "shared_keywords", name, path),
        not_in=_parse_keywords(table, "not_in", name, path),
    )


def _parse_keywords(table: JsonObject, key: str, name: str, path: Path) -> tuple[str, ...]:
    return tuple(sorted(word.casefold() for word in parse_tool_names(table.get(key, ()), f"{name}.{key}", path)))


def _mask_words(text: str, words: Iterable[str]) -> str:
    """Replace these words by as many blanks, so that no keyword is found inside them."""
    for word in words:
        text = text.replace(word, " " * len(word))
    return text


def _find_keywords(keywords: Iterable[str], text: str) -> tuple[str, ...]:
    there = (word for word in keywords if word in text)  # spares most patterns
    return tuple(word for word in there if any(not _is_negated(text, at) for at in _find_word(word, text)))


def _find_word(word: str, text: str) -> Iterator[int]:
    """Yield the positions of a keyword: Latin words as whole words with common endings, Chinese ones anywhere."""
    pattern = rf"(?<![a-z0-9]){re.escape(word)}(?:e?s|e?d|ing)?(?![a-z0-9])" if word.isascii() else re.escape(word)
    return (found.start() for found in re.finditer(pattern, text))


def _is_negated(text: str, at: int) -> bool:
    """Return whether a negation stands just before, as in 不要做PPT."""
    clause = re.split(r"[，。；！？,;!?\n]", text[max(0, at - 20) : at])[-1]
    return _NEGATION.search(clause) is not None


def _format_reason(matched: Iterable[Evidence], passed_over: Iterable[Evidence]) -> str:
    each = [f"{one.task_type} ({', '.join(one.keywords or one.shared_keywords)})" for one in matched]
    reason = "it sounds like " + " and ".join(each)
    others = [f"{one.task_type} ({', '.join(one.shared_keywords)})" for one in passed_over]
    return reason + (f"; shared words alone do not make it {' or '.join(others)}" if others else "")

"""Trigger evals: whether a skill is chosen for the messages its author lists, and only for those.

The file is `evals/eval_queries.json` in the skill's folder, `[{"query": "…", "should_trigger": true}]` by convention;
for a flat skill `evals/<id>.json` beside it.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from metier.errors import InvalidInput, InvalidSkill, UsageError
from metier.json_values import JsonValue
from metier.routing._decision import Decision
from metier.routing.text import SkillNames, find_named
from metier.skills import Skill

EVALS_FILE: Final = "evals/eval_queries.json"
_SHAPE: Final = 'write [{"query": "a message", "should_trigger": true}]'


@dataclass(frozen=True, slots=True)
class EvalQuery:
    """Message and whether it should trigger the skill; `index` is its position in the file, from 0."""

    query: str
    should_trigger: bool
    index: int = 0


@dataclass(frozen=True, slots=True)
class EvalCase:
    """Queries of a skill's evals with one from a person, and the name of their file beside the skill."""

    skill: str
    file: str
    queries: tuple[EvalQuery, ...]

    def to_json(self) -> list[JsonValue]:
        """Convert the queries to the content of the file."""
        return [{"query": one.query, "should_trigger": one.should_trigger} for one in self.queries]


@dataclass(frozen=True, slots=True)
class Counts:
    """Confusion matrix with precision, recall and F1; a ratio over nothing is None, never 0 or 1."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    @property
    def queries(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float | None:
        """Share of triggered messages that should trigger; None if none triggered."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """Share of messages that should trigger and did; None if none should."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """F1; None only if no message should trigger and none did."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)

    def to_json(self) -> dict[str, object]:
        counts = {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}
        ratios = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {**counts, **{name: None if value is None else round(value, 4) for name, value in ratios.items()}}


@dataclass(frozen=True, slots=True)
class Confusion:
    """Messages of one skill that went to `winner` instead; None if no skill was chosen."""

    winner: str | None
    messages: tuple[str, ...]

    @property
    def times(self) -> int:
        return len(self.messages)

    def to_json(self) -> dict[str, object]:
        return {"winner": self.winner, "times": self.times, "messages": list(self.messages)}


@dataclass(frozen=True, slots=True)
class SkillEval:
    """Result of one skill: counts, skills that took its messages, and messages it took by mistake."""

    skill: str
    counts: Counts
    confusions: tuple[Confusion, ...] = ()
    false_alarms: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "skill": self.skill,
            **self.counts.to_json(),
            "confusions": [confusion.to_json() for confusion in self.confusions],
            "false_alarms": list(self.false_alarms),
        }


@dataclass(frozen=True, slots=True)
class EvalReport:
    """Results of all skills with queries, in the given order; `unmeasured` lists those without."""

    skills: tuple[SkillEval, ...] = ()
    unmeasured: tuple[str, ...] = ()

    @property
    def totals(self) -> Counts:
        """Sum of the counts of all skills."""
        return sum((one.counts for one in self.skills), Counts())

    def passes(self, min_f1: float) -> bool:
        """Whether every defined F1 reaches `min_f1`; false for a report without queries."""
        if not 0 <= min_f1 <= 1:
            raise UsageError(f"{min_f1!r} cannot be an F1", hint="give a number from 0 to 1")
        reached = (one.counts.f1 for one in self.skills)
        return self.totals.queries > 0 and all(f1 is None or f1 >= min_f1 for f1 in reached)

    def to_json(self) -> dict[str, object]:
        return {
            "skills": [one.to_json() for one in self.skills],
            "totals": self.totals.to_json(),
            "unmeasured": list(self.unmeasured),
        }


def evaluate(route: Callable[[str], Decision], skills: Iterable[Skill]) -> EvalReport:
    """Route every query of every skill and count; the catalog is that of `route`."""
    measured: list[SkillEval] = []
    unmeasured: list[str] = []
    for skill in skills:
        queries = load_queries(skill)
        if queries:
            measured.append(evaluate_queries(route, skill.id, queries))
        else:
            unmeasured.append(skill.id)
    return EvalReport(tuple(measured), tuple(unmeasured))


def evaluate_queries(route: Callable[[str], Decision], skill: str, queries: Sequence[EvalQuery]) -> SkillEval:
    """Route these queries of one skill and count."""
    right = {True: 0, False: 0}
    missed: dict[str | None, list[str]] = {}
    false_alarms: list[str] = []
    for one in queries:
        chosen = _list_triggered(route(one.query))
        if (skill in chosen) == one.should_trigger:
            right[one.should_trigger] += 1
        elif one.should_trigger:
            missed.setdefault(chosen[0] if chosen else None, []).append(one.query)
        else:
            false_alarms.append(one.query)
    lost = sum(map(len, missed.values()))
    counts = Counts(tp=right[True], fp=len(false_alarms), fn=lost, tn=right[False])
    return SkillEval(skill, counts, _build_confusions(missed), tuple(false_alarms))


def _list_triggered(decision: Decision) -> tuple[str, ...]:
    """Triggered skills, the main one first."""
    if decision.verdict == "none":
        return ()
    first = () if decision.skill is None else (decision.skill,)
    return tuple(dict.fromkeys((*first, *decision.skills)))


def _build_confusions(missed: dict[str | None, list[str]]) -> tuple[Confusion, ...]:
    """Confusions by falling frequency, then by name; "no skill" last."""
    found = [Confusion(winner, tuple(messages)) for winner, messages in missed.items()]
    return tuple(sorted(found, key=lambda one: (-one.times, one.winner is None, one.winner or "")))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


# The file -------------------------------------------------------------------------------------------------------------


def load_queries(skill: Skill) -> tuple[EvalQuery, ...]:
    """Read the eval queries of a skill; empty if it has no file."""
    path = skill.source.folder / find_evals_file(skill)
    text = _read(path)
    return () if text is None else _parse(text, path)


def build_eval_case(skill: Skill, message: str, *, should_trigger: bool) -> EvalCase:
    """Queries of a skill's evals with this message in place of an equal one, and the file they belong to.

    A command in front that names the skill is left out: it would decide before anything is ranked. `InvalidInput` if
    nothing else was said.
    """
    named = find_named(message, SkillNames([skill]))
    query = named.rest if named is not None and named.skill else message.strip()
    if not query:
        raise InvalidInput(f"the message only names the skill {skill.id!r}", hint="a case needs words of a request")
    kept = [one for one in load_queries(skill) if one.query != query]
    queries = (*kept, EvalQuery(query, should_trigger, len(kept)))
    return EvalCase(skill.id, find_evals_file(skill), queries)


def find_evals_file(skill: Skill) -> str:
    """Name of a skill's evals file, relative to its folder; a flat skill shares its folder with others."""
    return f"evals/{skill.id}.json" if skill.source.layout == "flat" else EVALS_FILE


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise InvalidSkill(f"{str(path)!r} is not UTF-8 text", hint="save it as UTF-8") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidSkill(f"{str(path)!r} cannot be read: {reason}", hint="check the file and its rights") from error


def _parse(text: str, path: Path) -> tuple[EvalQuery, ...]:
    data = _load(text, path)
    if not isinstance(data, list):
        raise InvalidSkill(f"{str(path)!r} must hold a list, not {_describe_kind(data)}", hint=_SHAPE)
    if not data:
        raise InvalidSkill(f"{str(path)!r} holds no queries", hint=f"{_SHAPE}, or remove the file")
    queries = tuple(_parse_query(item, path, index) for index, item in enumerate(data))
    _check_unique(queries, path)
    return queries


def _load(text: str, path: Path) -> object:
    try:
        value: object = json.loads(text, object_pairs_hook=_reject_duplicate_keys, parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        raise InvalidSkill(f"{str(path)!r}, line {error.lineno}, is not JSON: {error.msg}", hint=_SHAPE) from error
    except (ValueError, RecursionError) as error:
        raise InvalidSkill(f"{str(path)!r} is not JSON that can be used: {error}", hint=_SHAPE) from error
    return value


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is written twice in one object")
    return found


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _parse_query(item: object, path: Path, index: int) -> EvalQuery:
    where = f"{str(path)!r}, query {index},"
    if not isinstance(item, dict):
        raise InvalidSkill(f"{where} must be an object, not {_describe_kind(item)}", hint=_SHAPE)
    missing = [key for key in ("query", "should_trigger") if key not in item]
    if missing:
        raise InvalidSkill(f"{where} has no {missing[0]!r}", hint=_SHAPE)
    query, should = item["query"], item["should_trigger"]
    if not isinstance(should, bool):
        raise InvalidSkill(
            f"{where} has {_describe_kind(should)} as 'should_trigger'", hint="write true or false, unquoted"
        )
    return EvalQuery(_parse_message(query, where), should, index)


def _parse_message(query: object, where: str) -> str:
    if not isinstance(query, str):
        raise InvalidSkill(f"{where} has {_describe_kind(query)} as 'query'", hint="write the message as a text")
    if not query.strip():
        raise InvalidSkill(f"{where} is empty", hint="write a message, or remove the entry")
    if any("\ud800" <= char <= "\udfff" for char in query):
        raise InvalidSkill(f"{where} holds half of a character", hint="write the character itself, not \\u escapes")
    return query


def _check_unique(queries: Sequence[EvalQuery], path: Path) -> None:
    """Reject a query that occurs twice, ignoring case and blanks: it would count twice or contradict itself."""
    seen: dict[str, int] = {}
    for one in queries:
        first = seen.setdefault(" ".join(one.query.split()).casefold(), one.index)
        if first != one.index:
            raise InvalidSkill(
                f"{str(path)!r}, query {one.index}, repeats query {first}: {one.query[:80]!r}",
                hint="keep one of the two",
            )


def _describe_kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    return "a text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"

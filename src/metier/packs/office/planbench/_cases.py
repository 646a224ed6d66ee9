"""Cases and stories of the bench, read from the data files."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, cast

from metier.errors import NotFound
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office.plan import HostApp

__all__ = ["SETS", "CaseSet", "PlanCase", "PlanStory", "StoryTurn", "load_canned", "load_cases", "load_stories"]

CaseSet = Literal["shipped", "development", "opened", "held_out"]
SETS: Final[tuple[CaseSet, ...]] = ("shipped", "development", "opened", "held_out")
# `opened` are wordings that were held out until their first measurement, and serve development since.
_FILES: Final[tuple[tuple[str, str], ...]] = tuple(
    (name, f"{'cases' if name == 'shipped' else name}.jsonl") for name in SETS
)


@dataclass(frozen=True, slots=True)
class PlanCase:
    """One request with what must hold in the file afterwards.

    `selected` are the cells of a table that the user selected; `document` the paragraphs the document starts with.
    """

    id: str
    host: HostApp
    language: Language
    request: str
    asserts: tuple[tuple[str, JsonValue], ...]
    kind: str = ""
    selected: tuple[tuple[str, ...], ...] = ()
    document: tuple[str, ...] = ()

    @property
    def must_ask(self) -> bool:
        """Whether the right answer is a question."""
        return any(name == "asked" for name, _ in self.asserts)


@dataclass(frozen=True, slots=True)
class StoryTurn:
    """One request of a story; what must hold after it. With `plan` the plan is given and no request is drafted."""

    request: str
    asserts: tuple[tuple[str, JsonValue], ...]
    plan: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class PlanStory:
    """Several requests on one document, one after the other."""

    id: str
    title: str
    host: HostApp
    language: Language
    turns: tuple[StoryTurn, ...]
    document: tuple[str, ...] = ()


@cache
def load_cases(name: str = "shipped") -> tuple[PlanCase, ...]:
    """Cases of a set, in the order of its file."""
    file = dict(_FILES).get(name)
    if file is None:
        raise NotFound(f"no set of cases {name!r}", hint=f"sets: {', '.join(SETS)}")
    return tuple(_read_case(json.loads(line)) for line in _read(file).splitlines() if line.strip())


@cache
def load_stories() -> tuple[PlanStory, ...]:
    """All stories."""
    return tuple(_read_story(one) for one in json.loads(_read("stories.json")))


@cache
def load_canned() -> dict[str, JsonObject]:
    """Given plans by case, some with mistakes that models make: they measure validation and writing alone."""
    lines = (json.loads(line) for line in _read("canned.jsonl").splitlines() if line.strip())
    return {str(one["id"]): one["plan"] for one in lines}


def _read(name: str) -> str:
    return (files("metier.packs.office.planbench") / "data" / name).read_text("utf-8")


def _read_case(given: JsonObject) -> PlanCase:
    return PlanCase(
        id=str(given["id"]),
        host=cast("HostApp", given["host"]),
        language=cast("Language", given["language"]),
        request=str(given["request"]),
        asserts=_read_asserts(given["asserts"]),
        kind=str(given.get("kind", "")),
        selected=tuple(tuple(map(str, row)) for row in cast("list[list[str]]", given.get("selected", []))),
        document=tuple(map(str, cast("list[str]", given.get("document", [])))),
    )


def _read_story(given: JsonObject) -> PlanStory:
    return PlanStory(
        id=str(given["id"]),
        title=str(given["title"]),
        host=cast("HostApp", given["host"]),
        language=cast("Language", given["language"]),
        turns=tuple(
            StoryTurn(
                str(one.get("request", "")),
                _read_asserts(one["asserts"]),
                cast("JsonObject | None", one.get("plan")),
            )
            for one in cast("list[JsonObject]", given["turns"])
        ),
        document=tuple(map(str, cast("list[str]", given.get("document", [])))),
    )


def _read_asserts(given: JsonValue) -> tuple[tuple[str, JsonValue], ...]:
    return tuple((str(name), value) for name, value in cast("list[tuple[str, JsonValue]]", given))

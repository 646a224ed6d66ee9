import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import count
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from metier.errors import InvalidTool
from metier.tools import (
    ALWAYS,
    Tool,
    ToolContext,
    ToolError,
    ToolFailure,
    ToolResult,
    argument_problems,
    function_tool,
    tool,
)
from tests.tools.support import HERE


class Band(StrEnum):
    LTE = "4G"
    NR = "5G"


class Point(BaseModel):
    lat: float
    lon: float


def weak_spots(
    region: Annotated[str, Field(description="区域名", min_length=1)],
    where: Point | None = None,
    band: Band = Band.NR,
    schema: int = 3,
    *,
    order: Literal["asc", "desc"] = "asc",
) -> dict[str, object]:
    """Find weak coverage in a region.

    The rest of the docstring is for people.
    """
    return {"region": region, "where": where and where.lat, "band": band.value, "schema": schema, "order": order}


def test_a_return_type_need_not_be_readable() -> None:
    def counted(times: int) -> "SomethingElsewhere":  # type: ignore[name-defined]  # noqa: F821
        """Count."""

    assert function_tool(counted).spec.parameters["required"] == ["times"]


def test_hints_become_the_schema_and_the_first_line_the_description() -> None:
    spec = function_tool(weak_spots).spec
    assert (spec.name, spec.description) == ("weak_spots", "Find weak coverage in a region.")
    properties = spec.parameters["properties"]
    assert isinstance(properties, dict)
    assert properties["region"] == {"type": "string", "description": "区域名", "minLength": 1}
    assert properties["schema"] == {"type": "integer", "default": 3}
    assert properties["order"] == {"type": "string", "enum": ["asc", "desc"], "default": "asc"}
    assert spec.parameters["required"] == ["region"]
    assert spec.parameters["additionalProperties"] is False
    assert argument_problems(spec.parameters, {"region": "朝阳区", "where": {"lat": 1, "lon": 2}}) == ()


def test_a_property_called_title_keeps_its_name() -> None:
    def note(title: str) -> dict[str, str]:
        """Keep a note."""
        return {"title": title}

    assert function_tool(note).spec.parameters["properties"] == {"title": {"type": "string"}}


def test_titles_for_people_stay_in_the_hints_of_an_argument() -> None:
    hints: dict[str, Any] = {"x-ui": {"title": {"en": "Speed", "zh": "转速"}, "properties": {"title": 1}}}

    def spin(rpm: Annotated[float, Field(json_schema_extra=hints)]) -> float:
        """Spin."""
        return rpm

    assert function_tool(spin).spec.parameters["properties"] == {"rpm": {"type": "number", **hints}}


async def test_arguments_arrive_as_what_the_hints_promise() -> None:
    result = await function_tool(weak_spots).run({"region": "x", "where": {"lat": 1.5, "lon": 2}, "band": "4G"}, HERE)
    assert result.data == {"region": "x", "where": 1.5, "band": "4G", "schema": 3, "order": "asc"}


async def test_arguments_that_do_not_fit_are_a_failure() -> None:
    result = await function_tool(weak_spots).run({"region": "x", "where": {"lat": "north"}}, HERE)
    assert result.failure
    assert result.failure.code == "invalid_arguments"
    assert result.failure.message.startswith("$.where.lat")


async def test_the_context_is_filled_in_and_not_asked_for() -> None:
    @tool(name="whoami", approval=ALWAYS, timeout_s=5, idempotent=True, effects=frozenset({"reads"}))
    async def who(context: ToolContext, loud: bool = False) -> dict[str, object]:
        """Say which conversation this is."""
        await asyncio.sleep(0)
        return {"conversation": context.conversation, "loud": loud}

    assert who.spec.parameters["properties"] == {"loud": {"type": "boolean", "default": False}}
    assert (who.spec.name, who.spec.approval, who.spec.timeout_s, who.spec.idempotent) == ("whoami", ALWAYS, 5, True)
    assert (await who.run({"loud": True}, HERE)).data == {"conversation": "c1", "loud": True}


async def test_a_synchronous_function_does_not_hold_the_loop() -> None:
    @tool
    def where() -> dict[str, bool]:
        """Say whether this is the main thread."""
        return {"main": threading.current_thread() is threading.main_thread()}

    checked: Tool = where
    assert (await checked.run({}, HERE)).data == {"main": False}
    assert where() == {"main": True}


@dataclass(frozen=True)
class Cell:
    name: str
    at: Point
    since: date = date(2026, 1, 2)


@pytest.mark.parametrize(
    ("answer", "data"),
    [
        pytest.param({"a": 1}, {"a": 1}, id="a dictionary"),
        pytest.param(MappingProxyType({"a": MappingProxyType({"b": 1})}), {"a": {"b": 1}}, id="a mapping"),
        pytest.param(Point(lat=1, lon=2), {"lat": 1.0, "lon": 2.0}, id="a model"),
        pytest.param({"at": [Point(lat=1, lon=2)]}, {"at": [{"lat": 1.0, "lon": 2.0}]}, id="a model inside"),
        pytest.param(
            Cell("c1", Point(lat=1, lon=2)),
            {"name": "c1", "at": {"lat": 1.0, "lon": 2.0}, "since": "2026-01-02"},
            id="a dataclass",
        ),
        pytest.param(ToolResult(data={"b": 2}), {"b": 2}, id="a result"),
        pytest.param("弱覆盖", {"text": "弱覆盖"}, id="text"),
        pytest.param([Band.LTE, 2], {"items": ["4G", 2]}, id="a list"),
        pytest.param((), {"items": []}, id="an empty tuple"),
        pytest.param(2.5, {"value": 2.5}, id="a number"),
        pytest.param(False, {"value": False}, id="a truth value"),
        pytest.param(None, {"done": True}, id="nothing"),
    ],
)
async def test_a_return_value_becomes_data(answer: object, data: dict[str, object]) -> None:
    def give() -> object:
        """Give it."""
        return answer

    async def give_later() -> object:
        """Give it."""
        return answer

    def give_awaitable() -> object:
        """Give it."""
        return give_later()

    for function in (give, give_later, give_awaitable):
        result = await function_tool(function).run({}, HERE)
        assert result.data == data
        json.dumps(result.data)


@dataclass(frozen=True, slots=True)
class Numbers:
    all: object


class NumbersModel(BaseModel):
    all: Any


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        pytest.param(b"bytes", "context.workspace", id="bytes"),
        pytest.param({1, 2}, "return a list", id="a set"),
        pytest.param(iter([1]), "return a list", id="an iterator"),
        pytest.param({"lock": threading.Lock()}, "return a str, dict", id="a lock inside"),
        pytest.param({"all": [count()]}, "return a list", id="an iterator without an end inside"),
        pytest.param(Numbers(count()), "return a list", id="an iterator without an end in a dataclass"),
        pytest.param(NumbersModel(all=count()), "return a list", id="an iterator without an end in a model"),
    ],
)
async def test_a_return_value_without_a_json_form_is_a_failure_that_says_what_to_return(
    answer: object, hint: str
) -> None:
    def give() -> object:
        """Give it."""
        return answer

    result = await function_tool(give).run({}, HERE)
    assert result.failure
    assert result.failure.code == "invalid_result"
    assert hint in result.failure.hint


@pytest.mark.parametrize("error", [StopIteration(), GeneratorExit()], ids=lambda error: type(error).__name__)
async def test_an_error_that_no_future_can_carry_ends_the_call(error: BaseException) -> None:
    @tool
    def first() -> int:
        """Give the first of none."""
        raise error

    with pytest.raises(RuntimeError, match=type(error).__name__):
        await first.run({}, HERE)


async def test_a_tool_error_becomes_a_failure_with_its_code_and_hint() -> None:
    @tool
    def price(item: str) -> float:
        """Look up a price."""
        raise ToolError(f"no item {item!r}", code="item_not_found", hint="use the name on the label")

    failure = (await price.run({"item": "x"}, HERE)).failure
    assert failure == ToolFailure("item_not_found", "no item 'x'", "use the name on the label")
    assert ToolError("it is closed").failure.code == "tool_failed"


def _raw(a: int) -> bytes:
    """Read it."""
    return b""


def _unordered(a: int) -> dict[str, set[int]]:
    """Collect it."""
    return {}


def _lazy(a: int) -> Iterator[int]:
    """Count."""
    return iter([a])


def _yielding(a: int):  # type: ignore[no-untyped-def]
    """Count."""
    yield a


def _locked(a: int) -> threading.Event | None:
    """Lock it."""


@pytest.mark.parametrize(
    ("function", "message", "hint"),
    [
        (_raw, "'_raw' returns bytes", "write a file"),
        (_unordered, "'_unordered' returns set", "return a list"),
        (_lazy, "'_lazy' returns collections.abc.Iterator[int]", "return a list"),
        (_yielding, "yields its results", "return one list"),
        (_locked, "has no JSON form: Unable to generate", "return a str, dict"),
    ],
)
def test_a_wrong_return_type_is_reported_at_definition(function: object, message: str, hint: str) -> None:
    with pytest.raises(InvalidTool) as caught:
        tool(function)  # type: ignore[call-overload]
    assert message in caught.value.message
    assert hint in caught.value.hint


def _silent(a: int) -> dict[str, int]:
    return {"a": a}


def _untyped(a) -> dict[str, int]:  # type: ignore[no-untyped-def]
    """Take something."""
    return {"a": a}


def _starred(*a: int) -> dict[str, int]:
    """Take many."""
    return {"a": len(a)}


def _strange(a: threading.Lock) -> dict[str, int]:
    """Take a lock."""
    return {}


def _nowhere(a: "Nowhere") -> dict[str, int]:  # type: ignore[name-defined]  # noqa: F821
    """Take what is not there."""
    return {}


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (_silent, "has no docstring"),
        (_untyped, "'a' of '_untyped' has no type"),
        (_starred, "'a' of '_starred' has no name"),
        (_strange, "has no JSON form"),
        (_nowhere, "cannot be read"),
    ],
)
def test_a_function_that_cannot_be_described_is_refused(function: object, word: str) -> None:
    with pytest.raises(InvalidTool, match=word):
        function_tool(function)  # type: ignore[arg-type]

"""Expectations of a bench case, checked against the events of the conversation."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from metier.json_values import JsonObject, JsonValue, list_objects

if TYPE_CHECKING:
    from metier.store import Event

# Function of a pack that computes an expected number from the `value` object of a case.
Values: TypeAlias = Callable[[JsonObject], float | None]
_CONTROL_TOOLS: Final = frozenset({"use_skill", "select_skill"})
_TOLERANCE: Final = 0.011


@dataclass(frozen=True, slots=True)
class Transcript:
    """Events of a conversation and its open pause."""

    events: "tuple[Event, ...]" = ()
    pause: JsonObject | None = None

    def add(self, event: "Event") -> "Transcript":
        pause = event.data if event.kind == "pause.opened" else self.pause
        return replace(self, events=(*self.events, event), pause=None if event.kind == "pause.answered" else pause)

    @property
    def conversation(self) -> str:
        return self.events[-1].conversation if self.events else ""

    def get_data(self, kind: str) -> list[JsonObject]:
        """Data of every event of a kind."""
        return [event.data for event in self.events if event.kind == kind]

    @property
    def calls(self) -> list[JsonObject]:
        return [one for one in self.get_data("tool.called") if one.get("tool") not in _CONTROL_TOOLS]


def check(name: str, wanted: JsonValue, heard: Transcript, values: Values | None) -> list[str]:
    """Check one expectation; returns the failures, empty if it holds."""
    return EXPECTATIONS[name](wanted, heard, values)


def _check_skill(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    used = [one.get("skill") for one in heard.get_data("skill.activated")]
    found = used[-1] if used else None
    return [] if found == wanted else [f"skill: {found!r}, not {wanted!r}"]


def _check_tools(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    """The tools were called in this order, possibly with others between."""
    called = [str(one.get("tool")) for one in heard.calls]
    rest = iter(called)
    missing = [tool for tool in map(str, _as_list(wanted)) if tool not in rest]
    return [f"tools: {missing[0]!r} is missing or out of order in {called}"] if missing else []


def _check_not_called(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    called = {one.get("tool") for one in heard.calls}
    return [f"not_called: {tool!r} was called" for tool in _as_list(wanted) if tool in called]


def _check_arguments(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    """`[{"tool", "nth", "path", "is"}]`: argument of the nth call of a tool."""
    wrong = []
    for one in list_objects(wanted):
        call = _get_nth([call for call in heard.calls if call.get("tool") == one.get("tool")], one.get("nth", 0))
        found = _search_path(call.get("arguments") if call else None, one.get("path"))
        if found != one.get("is"):
            wrong.append(f"arguments: {one.get('path')} of {one.get('tool')} is {found!r}, not {one.get('is')!r}")
    return wrong


def _check_asked(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    """These questions were asked, word for word."""
    asked = [str(one.get("text")) for one in heard.get_data("pause.opened")]
    return [f"asked: {text!r} is not among {asked}" for text in _as_list(wanted) if text not in asked]


def _check_said(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    said = "\n".join(str(one.get("text")) for one in heard.get_data("text.done"))
    return [f"said: {text!r} does not occur" for text in _as_list(wanted) if str(text) not in said]


def _check_pauses(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    found = [one.get("kind") for one in heard.get_data("pause.opened")]
    return [] if found == list(_as_list(wanted)) else [f"pauses: {found}, not {wanted}"]


def _check_columns(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    """Each of these columns is in some table shown to the user."""
    seen = {
        str(column.get(name))
        for one in heard.get_data("table")
        for column in list_objects(one.get("columns"))
        for name in ("key", "title")
    }
    return [f"columns: no table has {name!r}" for name in _as_list(wanted) if name not in seen]


def _check_charts(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    specs = (one.get("spec") for one in heard.get_data("chart"))
    kinds = [spec.get("kind") for spec in specs if isinstance(spec, Mapping)]
    return [f"charts: no {kind!r} among {kinds}" for kind in _as_list(wanted) if kind not in kinds]


def _check_numbers(wanted: JsonValue, heard: Transcript, values: Values | None) -> list[str]:
    """`[{"tool", "nth", "path", "is" or "value", "within"}]`: number in a result, fixed or computed by the pack."""
    wrong = []
    for one in list_objects(wanted):
        results = [result for result in heard.get_data("tool.result") if result.get("tool") == one.get("tool")]
        result = _get_nth(results, one.get("nth", 0))
        found = _search_path(result.get("data") if result else None, one.get("path"))
        asked = one.get("value")
        right = values(asked) if values is not None and isinstance(asked, Mapping) else one.get("is")
        if not _is_close(found, right, one.get("within", _TOLERANCE)):
            wrong.append(f"numbers: {one.get('path')} of {one.get('tool')} is {found!r}, not {right!r}")
    return wrong


def _check_failed(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    """Error codes of failed tool results, in order."""
    errors = (one.get("error") for one in heard.get_data("tool.result") if not one.get("ok"))
    codes = [error.get("code") for error in errors if isinstance(error, Mapping)]
    return [] if codes == list(_as_list(wanted)) else [f"failed: {codes}, not {wanted}"]


def _check_end(wanted: JsonValue, heard: Transcript, _: Values | None) -> list[str]:
    last = heard.events[-1].kind if heard.events else None
    return [] if last == wanted else [f"ends: {last}, not {wanted}"]


EXPECTATIONS: Final[Mapping[str, Callable[[JsonValue, Transcript, Values | None], list[str]]]] = MappingProxyType(
    {
        "skill": _check_skill,
        "tools": _check_tools,
        "not_called": _check_not_called,
        "arguments": _check_arguments,
        "asked": _check_asked,
        "said": _check_said,
        "pauses": _check_pauses,
        "columns": _check_columns,
        "charts": _check_charts,
        "numbers": _check_numbers,
        "failed": _check_failed,
        "ends": _check_end,
    }
)


def _as_list(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else [value]


def _get_nth(found: Sequence[JsonObject], number: JsonValue) -> JsonObject | None:
    at = number if isinstance(number, int) else 0
    return found[at] if -len(found) <= at < len(found) else None


def _search_path(value: JsonValue, path: JsonValue) -> JsonValue:
    """Result of a JMESPath expression; None if it is invalid or finds nothing."""
    import jmespath
    from jmespath.exceptions import JMESPathError

    try:
        found: JsonValue = jmespath.search(str(path), value)
    except (JMESPathError, TypeError):
        return None
    return found


def _is_close(found: JsonValue, right: JsonValue, within: JsonValue) -> bool:
    if isinstance(found, int | float) and isinstance(right, int | float):
        allowed = float(within) if isinstance(within, int | float) else _TOLERANCE
        return math.isclose(found, right, rel_tol=0, abs_tol=allowed)
    return found == right and found is not None

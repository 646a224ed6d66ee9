"""Checks the value of one field; a value that is only written wrongly is read as what it means."""

import re
from collections.abc import Mapping
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office.ooxml import parse_color
from metier.packs.office.plan._aliases import CHART_TYPES, CHOICE_ALIASES
from metier.packs.office.plan._fields import FieldSpec
from metier.packs.office.plan._sentences import PlanFault, PlanRepair

__all__ = ["Findings", "check_value", "name_type"]

_WHOLE: Final = re.compile(r"\s*[+-]?\d{1,18}\s*")
_DECIMAL: Final = re.compile(r"\s*[+-]?\d{1,18}(\.\d{1,18})?\s*(pt|cm|磅)?\s*")
_TRUE: Final = frozenset({"true", "yes", "1", "是"})
_FALSE: Final = frozenset({"false", "no", "0", "否"})
_MAX_FOUND_CHARS: Final = 60
# Points that programs take, where the schema of plans says no limit: Word has fonts up to 1638, pages up to 1584.
_LIMITS: Mapping[str, tuple[float, float]] = {
    "height": (-1, 5_000),
    "line_width": (0, 1_584),
    "size": (1, 1_638),
    "space_after": (0, 1_584),
    "space_before": (0, 1_584),
    "width": (-1, 5_000),
}


_COLORS: Final = ("color", "highlight")  # ends of the names of fields that hold a colour


class Findings:
    """Repairs and problems found so far."""

    __slots__ = ("problems", "repairs")

    def __init__(self) -> None:
        self.repairs: list[PlanRepair] = []
        self.problems: list[PlanFault] = []

    def add_repair(self, path: str, code: str, /, **values: str | int | tuple[str, ...]) -> None:
        self.repairs.append(PlanRepair.at(path, code, **values))

    def add_problem(self, path: str, code: str, /, **values: str | int | tuple[str, ...]) -> None:
        self.problems.append(PlanFault.at(path, code, **values))


def check_value(spec: FieldSpec, value: JsonValue, path: str, findings: Findings) -> JsonValue:
    """The value as the field holds it; None with a problem noted if it cannot be that."""
    match spec.kind:
        case "string":
            return _check_text(spec, value, path, findings)
        case "integer" | "number":
            return _check_number(spec, value, path, findings)
        case "boolean":
            return _check_boolean(value, path, findings)
        case "strings":
            return _check_strings(spec, value, path, findings)
        case "rows":
            return _check_rows(spec, value, path, findings)
        case "objects":
            return _check_objects(spec, value, path, findings)
        case "object":
            return _check_object(value, path, findings)
        case _:
            return _check_scalar(value, path, findings)


def name_type(value: JsonValue) -> str:
    """Name of a JSON type in a sentence."""
    if value is None:
        return "null"
    names = ((bool, "boolean"), (int, "number"), (float, "number"), (str, "string"), (list, "array"))
    return next((name for kind, name in names if isinstance(value, kind)), "object")


def _cut(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= _MAX_FOUND_CHARS else f"{text[:_MAX_FOUND_CHARS]}…"


def _check_text(spec: FieldSpec, value: JsonValue, path: str, findings: Findings) -> JsonValue:
    if isinstance(value, int | float) and not isinstance(value, bool):
        findings.add_repair(path, "text_from_value", found=_cut(value))
        value = _plain_number(value)
    elif isinstance(value, list) and value and all(isinstance(one, str) for one in value) and not spec.choices:
        findings.add_repair(path, "text_from_value", found="array")
        value = "\n".join(str(one) for one in value)
    if not isinstance(value, str):
        findings.add_problem(path, "wrong_type", expected="string", found=name_type(value))
        return None
    if spec.choices:
        return _check_choice(spec, value, path, findings)
    if spec.maximum is not None and len(value) > spec.maximum:
        findings.add_problem(path, "too_long", found=len(value), limit=int(spec.maximum))
    elif spec.minimum and not value.strip():
        findings.add_problem(path, "too_short")
    elif spec.name.endswith(_COLORS) and value.strip() and parse_color(value) is None:
        findings.add_problem(path, "no_color", found=_cut(value))
    return value


def _check_choice(spec: FieldSpec, value: str, path: str, findings: Findings) -> JsonValue:
    if value in spec.choices:
        return value
    folded = re.sub(r"[\s-]+", "_", value.strip().lower())
    for attempt in (folded, CHOICE_ALIASES.get(folded, "")):
        if attempt in spec.choices:
            findings.add_repair(path, "choice_alias", found=_cut(value), choice=attempt)
            return attempt
    findings.add_problem(path, "not_a_choice", found=_cut(value), choices=spec.choices)
    return None


def _plain_number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _check_number(spec: FieldSpec, value: JsonValue, path: str, findings: Findings) -> JsonValue:
    if isinstance(value, str):
        value = _number_from_text(spec, value, path, findings)
    if isinstance(value, bool) or not isinstance(value, int | float):
        findings.add_problem(path, "wrong_type", expected=spec.kind, found=name_type(value))
        return None
    if spec.kind == "integer" and isinstance(value, float):
        if not value.is_integer():
            findings.add_problem(path, "wrong_type", expected="integer", found="number")
            return None
        value = int(value)
    least, most = _find_limits(spec)
    if most is not None and not value <= most:  # nor is what is no number
        if not spec.name.startswith("max_"):
            findings.add_problem(path, "too_large", found=_cut(value), limit=_plain_number(most))
            return value
        findings.add_repair(path, "limited", found=_cut(value), limit=_plain_number(most))
        return int(most)
    if least is not None and value < least:
        findings.add_problem(path, "too_small", found=_cut(value), limit=_plain_number(least))
    return value


def _find_limits(spec: FieldSpec) -> tuple[float | None, float | None]:
    has_none = spec.minimum is None and spec.maximum is None
    return _LIMITS.get(spec.name, (None, None)) if has_none else (spec.minimum, spec.maximum)


def _number_from_text(spec: FieldSpec, value: str, path: str, findings: Findings) -> JsonValue:
    folded = re.sub(r"[\s-]+", "_", value.strip().lower())
    if spec.name == "chart_type" and folded in CHART_TYPES:
        findings.add_repair(path, "choice_alias", found=_cut(value), choice=str(CHART_TYPES[folded]))
        return CHART_TYPES[folded]
    if _WHOLE.fullmatch(value):
        findings.add_repair(path, "number_from_text", found=_cut(value))
        return int(value)
    if _DECIMAL.fullmatch(value):
        findings.add_repair(path, "number_from_text", found=_cut(value))
        return float(re.sub(r"[^\d.+-]", "", value))
    return value


def _check_boolean(value: JsonValue, path: str, findings: Findings) -> JsonValue:
    if isinstance(value, bool):
        return value
    folded = str(value).strip().lower() if isinstance(value, str | int) else ""
    if folded in _TRUE or folded in _FALSE:
        findings.add_repair(path, "boolean_from_text", found=_cut(value))
        return folded in _TRUE
    findings.add_problem(path, "wrong_type", expected="boolean", found=name_type(value))
    return None


def _as_list(spec: FieldSpec, value: JsonValue, path: str, findings: Findings) -> list[JsonValue] | None:
    if isinstance(value, Mapping | str) and value:
        findings.add_repair(path, "list_from_value")
        value = [value]
    if not isinstance(value, list | tuple):
        findings.add_problem(path, "wrong_type", expected="array", found=name_type(value))
        return None
    if spec.maximum is not None and len(value) > spec.maximum:
        findings.add_problem(path, "too_many_items", found=len(value), limit=int(spec.maximum))
        return None
    return list(value)


def _check_strings(spec: FieldSpec, value: JsonValue, path: str, findings: Findings) -> JsonValue:
    items = _as_list(spec, value, path, findings)
    if items is None:
        return None
    return [_cell_text(one, f"{path}[{at}]", findings) for at, one in enumerate(items)]


def _cell_text(value: JsonValue, path: str, findings: Findings) -> JsonValue:
    """A cell of a table of texts; numbers and nulls are common mistakes."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | int | float):
        text = "" if value is None else str(value) if isinstance(value, bool) else _plain_number(value)
        findings.add_repair(path, "text_from_value", found="null" if value is None else text)
        return text
    findings.add_problem(path, "wrong_type", expected="string", found=name_type(value))
    return ""


def _check_rows(spec: FieldSpec, value: JsonValue, path: str, findings: Findings) -> JsonValue:
    items = _as_list(spec, value, path, findings)
    if items is None:
        return None
    if items and all(isinstance(one, Mapping) for one in items):
        items = _rows_from_objects(items)
        findings.add_repair(path, "rows_from_objects")
    elif items and not any(isinstance(one, list | tuple) for one in items):
        items = [items]
        findings.add_repair(path, "list_from_value")
    table: list[JsonValue] = []
    for at, row in enumerate(items):
        if not isinstance(row, list | tuple):
            findings.add_problem(f"{path}[{at}]", "wrong_type", expected="array", found=name_type(row))
            continue
        if all(type(cell) is str for cell in row):  # the usual case, without a path per cell
            table.append(list(row))
            continue
        check = _cell_text if spec.is_text_only else _check_scalar
        table.append([check(cell, f"{path}[{at}][{column}]", findings) for column, cell in enumerate(row)])
    return table


def _rows_from_objects(items: list[JsonValue]) -> list[JsonValue]:
    objects = [one for one in items if isinstance(one, Mapping)]
    names = list(dict.fromkeys(name for one in objects for name in one))
    return [list(names), *([one.get(name, "") for name in names] for one in objects)]


def _check_objects(spec: FieldSpec, value: JsonValue, path: str, findings: Findings) -> JsonValue:
    if isinstance(value, Mapping) and spec.name == "answers" and "q" not in value:
        findings.add_repair(path, "wrapped_action")
        value = [{"q": name, "answer": answer} for name, answer in value.items()]
    items = _as_list(spec, value, path, findings)
    if items is None:
        return None
    known = {one.name: one for one in spec.fields}
    return [_check_fields(known, one, f"{path}[{at}]", findings) for at, one in enumerate(items)]


def _check_fields(known: Mapping[str, FieldSpec], value: JsonValue, path: str, findings: Findings) -> JsonValue:
    if not isinstance(value, Mapping):
        findings.add_problem(path, "wrong_type", expected="object", found=name_type(value))
        return {}
    found: dict[str, JsonValue] = {name: one.default for name, one in known.items() if one.default is not None}
    for name, given in value.items():
        if name not in known:
            findings.add_problem(f"{path}.{name}", "unknown_field_alone", op=path.rpartition(".")[2], field=name)
        elif given is not None or known[name].kind == "scalar":
            found[name] = check_value(known[name], given, f"{path}.{name}", findings)
    for name, one in known.items():
        if one.required and name not in found:
            findings.add_problem(f"{path}.{name}", "missing_field", field=name)
    return found


def _check_object(value: JsonValue, path: str, findings: Findings) -> JsonValue:
    if not isinstance(value, Mapping):
        findings.add_problem(path, "wrong_type", expected="object", found=name_type(value))
        return None
    return {str(name): _check_scalar(one, f"{path}.{name}", findings) for name, one in value.items()}


def _check_scalar(value: JsonValue, path: str, findings: Findings) -> JsonValue:
    if value is None or isinstance(value, str | int | float):
        return value
    findings.add_problem(path, "wrong_type", expected="string or number", found=name_type(value))
    return None

"""Reads one action of a plan: its operation, its fields, and the actions inside a block."""

import difflib
import re
from collections.abc import Mapping
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office.plan._aliases import FIELD_ALIASES, NOISE_FIELDS, OP_ALIASES, OP_KEYS, PARAMETER_KEYS
from metier.packs.office.plan._fields import HostApp, Operation
from metier.packs.office.plan._operations import OPERATIONS, operations_of
from metier.packs.office.plan._plan import OfficeAction
from metier.packs.office.plan._values import Findings, check_value, name_type

__all__ = ["ActionReader"]

_ID: Final = re.compile(r"[a-zA-Z0-9_\-:.]{1,64}")
_MAX_TITLE_CHARS: Final = 200
_OWN_KEYS: Final = ("id", "title", "op")
# Operations of which one of these fields is needed although none is required by itself.
_ONE_OF: Mapping[str, Mapping[HostApp, tuple[str, ...]]] = {
    "add_comment": {"wps": ("anchor_text", "address"), "et": ("cell", "address")},
    "set_cells": {"et": ("cells", "values")},
}


class ActionReader:
    """Reads the actions of one plan."""

    def __init__(self, host: HostApp, allowed: frozenset[str], findings: Findings) -> None:
        self._host = host
        self._allowed = allowed
        self._findings = findings
        self._ids: set[str] = set()

    def read(self, raw: JsonValue, path: str, *, is_inside: bool = False) -> OfficeAction | None:
        """The action; None if it is not one, with the problem noted."""
        if not isinstance(raw, Mapping):
            self._findings.add_problem(path, "not_object", found=name_type(raw))
            return None
        given = dict(raw)
        op = self._find_op(given, path)
        if op is None:
            return None
        given = self._flatten(given, op, path)
        action_id = self._find_id(given.pop("id", None), path)
        given = self._rename_fields(given, op, path)
        fields = self._read_fields(given, op, path)
        title = self._find_title(given.get("title"), op, path)
        actions: tuple[OfficeAction, ...] = ()
        if "actions" in op.fields:
            actions = self._read_inside(given, path, is_inside=is_inside)
        return OfficeAction(action_id, op.name, title, fields, actions, is_anchored="anchor" in given)

    def _find_op(self, given: dict[str, JsonValue], path: str) -> Operation | None:
        found = given.pop("op", None)
        if found is None:
            name = next((key for key in OP_KEYS if _names_op(given.get(key))), None)
            if name is None and len(given) == 1:  # {"insert_text": {"text": "…"}}
                (only,) = given
                if _names_op(only) and isinstance(given[only], Mapping):
                    inner = given.pop(only)
                    given.update(inner if isinstance(inner, Mapping) else {})
                    self._findings.add_repair(path, "renamed", found=only, field="op")
                    return self._check_op(only, path)
            if name is None:
                name = next((key for key in OP_KEYS if isinstance(given.get(key), str)), None)
            if name is None:
                self._findings.add_problem(f"{path}.op", "missing_op")
                return None
            found = given.pop(name)
            self._findings.add_repair(f"{path}.{name}", "renamed", found=name, field="op")
        return self._check_op(str(found), path)

    def _check_op(self, found: str, path: str) -> Operation | None:
        op = OPERATIONS.get(found)
        if op is None:
            folded = _fold(found)
            op = OPERATIONS.get(folded) or OPERATIONS.get(OP_ALIASES.get(folded, ""))
            if op is not None:
                self._findings.add_repair(f"{path}.op", "op_alias", found=found[:60], op=op.name)
        if op is None:
            near = tuple(difflib.get_close_matches(_fold(found), sorted(self._allowed), 3, 0.6))
            code = "unknown_op" if near else "unknown_op_alone"
            self._findings.add_problem(f"{path}.op", code, op=found[:60], near=near)
        elif op.name not in operations_of(self._host):
            self._findings.add_problem(f"{path}.op", "op_of_other_host", op=op.name, hosts=op.hosts, host=self._host)
        elif op.name not in self._allowed:
            allowed = tuple(sorted(self._allowed))
            self._findings.add_problem(f"{path}.op", "op_not_allowed", op=op.name, allowed=allowed)
        else:
            return op
        return None

    def _flatten(self, given: dict[str, JsonValue], op: Operation, path: str) -> dict[str, JsonValue]:
        for name in PARAMETER_KEYS:
            inner = given.get(name)
            if isinstance(inner, Mapping) and name not in op.fields:
                del given[name]
                given = {**inner, **given}
                self._findings.add_repair(f"{path}.{name}", "flattened", field=name)
        return given

    def _find_id(self, found: JsonValue, path: str) -> str:
        if isinstance(found, str) and _ID.fullmatch(found) and found not in self._ids:
            self._ids.add(found)
            return found
        base = re.sub(r"[^a-zA-Z0-9_\-:.]+", "_", str(found)).strip("_")[:56] if found is not None else ""
        number = len(self._ids) + 1
        name = base or f"a{number}"
        while name in self._ids:
            name = f"{base or 'a'}{'_' if base else ''}{number}"
            number += 1
        self._ids.add(name)
        if found is None:
            self._findings.add_repair(f"{path}.id", "id_added", id=name)
        else:
            self._findings.add_repair(f"{path}.id", "id_changed", found=str(found)[:60], id=name)
        return name

    def _find_title(self, found: JsonValue, op: Operation, path: str) -> str:
        if isinstance(found, str) and found.strip():
            if len(found) > _MAX_TITLE_CHARS and "title" not in op.fields:
                self._findings.add_repair(f"{path}.title", "title_cut")
            return found[:_MAX_TITLE_CHARS]
        if "title" not in op.fields:
            self._findings.add_repair(f"{path}.title", "title_added")
        return op.title.zh

    def _read_fields(self, given: dict[str, JsonValue], op: Operation, path: str) -> dict[str, JsonValue]:
        fields: dict[str, JsonValue] = {
            name: spec.default for name, spec in op.fields.items() if spec.default is not None
        }
        _take_size_from_data(given, op, path, self._findings)
        for name, value in given.items():
            spec = op.fields.get(name)
            if spec is None:
                if name not in _OWN_KEYS:
                    self._report_unknown(name, op, path)
            elif value is None:
                self._findings.add_repair(f"{path}.{name}", "null_dropped", field=name)
            elif spec.kind != "actions":
                fields[name] = check_value(spec, value, f"{path}.{name}", self._findings)
        for name in op.required:
            if name not in fields and op.fields[name].kind != "actions":
                self._findings.add_problem(f"{path}.{name}", "missing_field", field=name)
        needed = _ONE_OF.get(op.name, {}).get(self._host, ())
        if needed and not any(fields.get(name) for name in needed):
            self._findings.add_problem(path, "needs_one_of", fields=needed)
        return fields

    def _rename_fields(self, given: dict[str, JsonValue], op: Operation, path: str) -> dict[str, JsonValue]:
        """Fields under their own names: camelCase and other names of the same thing are read as what they mean."""
        if all(name in op.fields or name in _OWN_KEYS for name in given):
            return given
        renamed = {name: value for name, value in given.items() if name in op.fields or name in _OWN_KEYS}
        for name, value in given.items():
            if name in renamed:
                continue
            known = _find_field(name, op, renamed)
            if known is not None:
                self._findings.add_repair(f"{path}.{name}", "renamed", found=name, field=known)
            renamed[known or name] = value
        return renamed

    def _report_unknown(self, name: str, op: Operation, path: str) -> None:
        if name in NOISE_FIELDS:
            self._findings.add_repair(f"{path}.{name}", "dropped", field=name)
            return
        near = tuple(difflib.get_close_matches(_fold(name), op.fields, 2, 0.6))
        code = "unknown_field" if near else "unknown_field_alone"
        self._findings.add_problem(f"{path}.{name}", code, op=op.name, field=name[:60], near=near)

    def _read_inside(self, given: dict[str, JsonValue], path: str, *, is_inside: bool) -> tuple[OfficeAction, ...]:
        value = given.get("actions")
        if is_inside:
            self._findings.add_problem(path, "nested_block")
            return ()
        if isinstance(value, Mapping):
            self._findings.add_repair(f"{path}.actions", "wrapped_action")
            value = [value]
        if not isinstance(value, list | tuple) or not value:
            code = "missing_field" if value is None else "no_actions"
            self._findings.add_problem(f"{path}.actions", code, field="actions")
            return ()
        found: list[OfficeAction] = []
        for at, raw in enumerate(value):
            inside = f"{path}.actions[{at}]"
            steps = raw.get("actions") if isinstance(raw, Mapping) and raw.get("op") == "upsert_block" else None
            if isinstance(steps, list | tuple):
                self._findings.add_repair(inside, "block_flattened")
            else:
                steps = [raw]
            found += [one for step in steps if (one := self.read(step, inside, is_inside=True)) is not None]
        return tuple(found)


def _fold(name: str) -> str:
    """`InsertText`, `insert-text` and `INSERT_TEXT` as `insert_text`."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s\-.]+", "_", split).lower().strip("_")


def _names_op(value: JsonValue) -> bool:
    return isinstance(value, str) and (_fold(value) in OPERATIONS or _fold(value) in OP_ALIASES)


def _find_field(name: str, op: Operation, given: Mapping[str, JsonValue]) -> str | None:
    folded = _fold(name)
    if folded in op.fields and folded not in given:
        return folded
    return next(
        (known for known in op.fields if known not in given and folded in FIELD_ALIASES.get(known, ())),
        None,
    )


def _take_size_from_data(fields: dict[str, JsonValue], op: Operation, path: str, findings: Findings) -> None:
    """Rows and columns of a table that were left out, or are too few for its data."""
    data = fields.get("data")
    if op.name not in ("insert_table", "add_table") or not isinstance(data, list | tuple) or not data:
        return
    is_of_objects = all(isinstance(row, Mapping) for row in data)
    width = max((len(row) for row in data if isinstance(row, list | tuple | Mapping)), default=len(data))
    sizes = {"rows": len(data) + is_of_objects, "cols": width}
    for name, size in sizes.items():
        found = fields.get(name)
        if not isinstance(found, int) or found < size:
            if isinstance(found, str) and found.strip().isdecimal() and int(found) >= size:
                continue
            fields[name] = size
            findings.add_repair(f"{path}.{name}", "size_from_data", field=name)

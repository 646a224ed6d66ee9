"""Reads a plan: repairs what a model wrote wrongly, then checks it strictly for its host."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, Literal

from metier.json_values import JsonInvalid, JsonValue
from metier.packs.office.plan._action import ActionReader
from metier.packs.office.plan._aliases import ACTION_LISTS, HOST_ALIASES, PLAN_KEYS, PLAN_WRAPPERS
from metier.packs.office.plan._contract import PlanContract
from metier.packs.office.plan._fields import HostApp
from metier.packs.office.plan._operations import HOST_APPS, operations_of
from metier.packs.office.plan._plan import PLAN_VERSION, LoadedPlan, OfficePlan
from metier.packs.office.plan._read_json import read_json
from metier.packs.office.plan._values import Findings, name_type

__all__ = ["MAX_ACTIONS", "load_plan"]

MAX_ACTIONS: Final = 500
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TOP_LEVEL: Final = ("schema_version", "host_app", "meta", "actions")


def load_plan(
    value: "JsonValue | bytes",
    *,
    host: HostApp | None = None,
    allowed_ops: Collection[str] | None = None,
    default_anchor: Literal["cursor", "end"] = "cursor",
    contract: PlanContract | None = None,
) -> LoadedPlan:
    """Read a plan from JSON text or an object, for the host of the document at hand.

    Mistakes that have one meaning are repaired and recorded; everything else is a problem with its path. There is a
    plan only if there is no problem. A block whose anchor the plan leaves open stands at the skill's default anchor.
    What breaks the contract of a skill is a problem as well; nothing is changed to fit it.
    """
    if contract is not None and allowed_ops is None:
        allowed_ops = contract.operations
    findings = Findings()
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        try:
            value = read_json(value, findings.repairs)
        except JsonInvalid as error:
            findings.add_problem("", "not_json", reason=str(error))
            return LoadedPlan(None, tuple(findings.repairs), tuple(findings.problems))
    value = _drop_unwritable(value, findings)
    plan = _read_plan(value, host, allowed_ops, findings)
    if plan is not None and contract is not None:
        _check_contract(plan, contract, findings)
    if plan is not None and "end" in (default_anchor, plan.meta.get("default_anchor")):
        plan = _set_anchor(plan, "end")
    return LoadedPlan(None if findings.problems else plan, tuple(findings.repairs), tuple(findings.problems))


def _drop_unwritable(value: JsonValue, findings: Findings) -> JsonValue:
    """The value without what no file can hold: control characters, and half of an emoji that a model cut off."""
    if isinstance(value, str):
        whole = _UNWRITABLE.sub("", value)
        if whole != value:
            findings.add_repair("", "unwritable")
        return whole
    if isinstance(value, Mapping):
        return {str(_drop_unwritable(key, findings)): _drop_unwritable(one, findings) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_drop_unwritable(one, findings) for one in value]
    return value


def _check_contract(plan: OfficePlan, contract: PlanContract, findings: Findings) -> None:
    if contract.hosts and plan.host_app not in contract.hosts:
        findings.add_problem("host_app", "host_not_allowed", found=plan.host_app, hosts=contract.hosts)
    if not findings.problems:  # steps that could not be read are not counted
        findings.problems.extend(contract.find_faults(plan))


def _read_plan(
    value: JsonValue, host: HostApp | None, allowed_ops: Collection[str] | None, findings: Findings
) -> OfficePlan | None:
    top = _unwrap(value, findings)
    if top is None:
        return None
    top = _rename_keys(top, findings)
    _check_version(top, findings)
    app = _find_host(top.get("host_app"), host, findings)
    actions = _list_actions(top.get("actions"), findings)
    if app is None:
        return None
    allowed = operations_of(app) if allowed_ops is None else operations_of(app) & frozenset(allowed_ops)
    reader = ActionReader(app, allowed, findings)
    read = tuple(one for at, raw in enumerate(actions) if (one := reader.read(raw, f"actions[{at}]")) is not None)
    meta = top.get("meta") or {}
    if not isinstance(meta, Mapping):
        findings.add_problem("meta", "wrong_type", expected="object", found=name_type(meta))
        meta = {}
    return OfficePlan(app, read, meta)


def _set_anchor(plan: OfficePlan, anchor: str) -> OfficePlan:
    actions = (
        replace(one, fields={**one.fields, "anchor": anchor})
        if one.op == "upsert_block" and not one.is_anchored
        else one
        for one in plan.actions
    )
    return replace(plan, actions=tuple(actions))


def _unwrap(value: JsonValue, findings: Findings) -> dict[str, JsonValue] | None:
    if isinstance(value, list):
        findings.add_repair("", "wrapped_list")
        return {"schema_version": PLAN_VERSION, "actions": value}
    if not isinstance(value, Mapping):
        findings.add_problem("", "not_object", found=name_type(value))
        return None
    if "actions" not in value:
        for name in PLAN_WRAPPERS:
            inner = value.get(name)
            if isinstance(inner, Mapping | list):
                findings.add_repair("", "unwrapped", field=name)
                return _unwrap(inner, findings)
        if "op" in value:
            findings.add_repair("", "wrapped_action")
            return {"schema_version": PLAN_VERSION, "actions": [dict(value)]}
    return dict(value)


def _rename_keys(top: dict[str, JsonValue], findings: Findings) -> dict[str, JsonValue]:
    renamed: dict[str, JsonValue] = {}
    for name, value in top.items():
        known = name if name in _TOP_LEVEL else _find_key(name)
        if known is None or (known != name and known in top):
            findings.add_repair(name, "dropped", field=name)
            continue
        if known != name:
            findings.add_repair(name, "renamed", found=name, field=known)
        renamed[known] = value
    return renamed


def _find_key(name: str) -> str | None:
    folded = re.sub(r"[^a-z$]", "", name.lower())
    if folded in ACTION_LISTS or folded == "actions":
        return "actions"
    exact = next((known for known in _TOP_LEVEL if known.replace("_", "") == folded), None)
    return exact or PLAN_KEYS.get(folded)


def _check_version(top: dict[str, JsonValue], findings: Findings) -> None:
    version = top.get("schema_version")
    if version == PLAN_VERSION:
        return
    folded = str(version or "").strip().lower()
    if not folded or folded in ("v1", "1", "1.0", "plan.v1", "ah32.plan", PLAN_VERSION) or "ah32.plan.v1" in folded:
        findings.add_repair("schema_version", "version_added")
        return
    findings.add_problem("schema_version", "bad_version", found=str(version)[:60], known=PLAN_VERSION)


def _find_host(found: JsonValue, expected: HostApp | None, findings: Findings) -> HostApp | None:
    if found is None or found == "":
        if expected is None:
            findings.add_problem("host_app", "missing_host")
        else:
            findings.add_repair("host_app", "host_added")
        return expected
    folded = re.sub(r"[\s-]+", "_", str(found).strip().lower())
    app: HostApp | None = next((one for one in HOST_APPS if one == folded), None) or HOST_ALIASES.get(folded)
    if app is None:
        findings.add_problem("host_app", "unknown_host", found=str(found)[:60], known=HOST_APPS)
        return expected
    if app != found:
        findings.add_repair("host_app", "host_alias", found=str(found), host=app)
    if expected is not None and app != expected:
        findings.add_problem("host_app", "other_host", found=app, expected=expected)
    return app


def _list_actions(value: JsonValue, findings: Findings) -> list[JsonValue]:
    if isinstance(value, Mapping):
        findings.add_repair("actions", "wrapped_action")
        is_one = any(key in value for key in ("op", "type", "operation"))
        value = [value] if is_one else [_with_id(name, one) for name, one in value.items()]
    if value is not None and not isinstance(value, list | tuple):
        findings.add_problem("actions", "wrong_type", expected="array", found=name_type(value))
        return []
    if not value:
        findings.add_problem("actions", "no_actions")
        return []
    if len(value) > MAX_ACTIONS:
        findings.add_problem("actions", "too_many_actions", found=len(value), limit=MAX_ACTIONS)
        return []
    return list(value)


def _with_id(name: str, action: JsonValue) -> JsonValue:
    return {"id": name, **action} if isinstance(action, Mapping) and "id" not in action else action

"""The tool for plans as a model is shown it: the operations of the document at hand and of the skill, and no others."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject, to_plain_json
from metier.packs.office.conversation._documents import list_documents, match_document
from metier.tools import ToolContext, ToolSpec

if TYPE_CHECKING:
    from metier.packs.office.plan import HostApp, PlanContract

__all__ = ["narrow_plan_tool"]

_ABOUT: Final = """{about}
`plan` for {host}, of this form:
{example}
Every action has id (each once), op and title besides the fields of its operation; a field with ? may be left out.
Operations, there are no others:
{operations}"""
_CONTRACT: Final = "The plan has {demands}."


def narrow_plan_tool(spec: ToolSpec, context: ToolContext, message: str, facts: JsonObject) -> ToolSpec:
    """The tool with the operations that a plan may have now, by the document that is meant and the skill in use."""
    from metier.packs.office.plan import operations_of, read_contract

    contract = read_contract(context.delivery.get("plan"))
    hosts = _find_hosts(context, message, facts, contract)
    parts = [_describe(spec, host, contract) for host in hosts]
    if demands := ", ".join(_iter_demands(contract)):
        parts.append(_CONTRACT.format(demands=demands))
    known = sorted({name for host in hosts for name in _list_operations(operations_of(host), contract)})
    return replace(spec, description="\n".join(parts), parameters=_narrow_schema(spec.parameters, hosts, known))


def _find_hosts(
    context: ToolContext, message: str, facts: JsonObject, contract: "PlanContract"
) -> "tuple[HostApp, ...]":
    """Hosts of the document that is meant, else of all documents here, as far as the skill writes plans for them."""
    from metier.packs.office.plan import HOST_APPS

    settled = facts.get("document")
    known = settled if isinstance(settled, str) else ""
    found = match_document(
        message, context.workspace, known=known, kinds=(), sample="", language=context.language
    ).document
    documents = (found,) if found is not None else list_documents(context.workspace)
    wanted = contract.hosts or HOST_APPS
    at_hand = {one.host for one in documents}
    return tuple(host for host in wanted if host in at_hand) or wanted


def _list_operations(operations: frozenset[str], contract: "PlanContract") -> frozenset[str]:
    return operations if contract.operations is None else operations & frozenset(contract.operations)


def _describe(spec: ToolSpec, host: "HostApp", contract: "PlanContract") -> str:
    from metier.packs.office.plan import list_operation_lines, make_example

    example = json.dumps(to_plain_json(make_example(host, contract.operations)), ensure_ascii=False)
    lines = list_operation_lines(host, contract.operations)
    return _ABOUT.format(about=spec.description, host=host, example=example, operations="\n".join(lines))


def _iter_demands(contract: "PlanContract") -> Iterator[str]:
    counts = (("exactly", contract.exactly), ("at least", contract.at_least), ("at most", contract.at_most))
    for words, wanted in counts:
        for op, count in wanted.items():
            yield f"{words} {count} {op}"
    if contract.only_in_block:
        yield "all other steps in its upsert_block"
    if contract.anchor:
        yield f"its block at anchor {contract.anchor!r}"


def _narrow_schema(parameters: JsonObject, hosts: "tuple[HostApp, ...]", operations: list[str]) -> JsonObject:
    """The parameters; `plan` stays a free object, for the fields of an operation are in its line, and names them."""
    properties = parameters.get("properties")
    fields = properties if isinstance(properties, Mapping) else {}
    plan = fields.get("plan")
    about = f"ah32.plan.v1, host_app {' | '.join(hosts)}, op {' | '.join(operations)}"
    shown = {**(plan if isinstance(plan, Mapping) else {}), "description": about}
    return {**parameters, "properties": {**fields, "plan": shown}}

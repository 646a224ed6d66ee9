"""Do these inputs and parameters fit the operator, and if not, why."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from metier.errors import OperatorRefused
from metier.json_values import JsonValue
from metier.names import suggest
from metier.tools import argument_problems

if TYPE_CHECKING:
    from metier.flow.dag._node import Node
    from metier.flow.dag._operator import Operator, Port
    from metier.flow.dag._value import Value


def fill_params(operator: "Operator", params: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Parameters with defaults filled in; `OperatorRefused` if they do not fit the schema."""
    filled = {**operator.defaults(), **params}
    schema = operator.parameters
    if not filled and not schema.get("required"):
        return filled
    problems = argument_problems(schema, filled)
    if problems:
        properties = schema.get("properties")
        known = sorted(properties) if isinstance(properties, Mapping) else []
        unknown = [name for name in params if name not in known]
        hint = suggest(unknown[0], known) if unknown else ""
        reasons = "; ".join(map(str, problems))
        message = f"parameters of operator {operator.op_name!r} do not fit: {reasons}"
        raise OperatorRefused(message, hint=hint or f"parameters: {', '.join(known) or 'none'}")
    return filled


def check_edges(operator: "Operator", nodes: Sequence["Node"]) -> None:
    """Raise `OperatorRefused` unless the nodes are as many as the ports and each fits its own."""
    ports = operator.inputs
    is_open = ports[-1].many
    if len(nodes) < len(ports) or (len(nodes) > len(ports) and not is_open):
        wanted = f"at least {len(ports)}" if is_open else str(len(ports))
        message = f"operator {operator.op_name!r} takes {wanted} input(s), not {len(nodes)}"
        raise OperatorRefused(message, hint=f"inputs: {', '.join(port.name for port in ports)}")
    for port, node in _pair_ports(ports, nodes):
        if node.state == "failed":
            message = f"operator {operator.op_name!r} cannot use {node.id!r}, which failed: {node.error}"
            raise OperatorRefused(message, hint="choose an input that is done")
        _check_port(operator, port, node)


def _pair_ports(ports: Sequence["Port"], nodes: Sequence["Node"]) -> Iterator[tuple["Port", "Node"]]:
    for place, node in enumerate(nodes):
        yield ports[min(place, len(ports) - 1)], node


def _check_port(operator: "Operator", port: "Port", node: "Node") -> None:
    if port.kinds and node.kind not in port.kinds:
        message = f"input {port.name!r} of operator {operator.op_name!r} takes {_either(port.kinds)}, "
        message += f"but {node.id!r} is {node.kind!r}"
        raise OperatorRefused(message, hint=f"first make {_either(port.kinds)} of it, or choose another input")
    if port.domains and node.domain not in port.domains:
        message = f"input {port.name!r} of operator {operator.op_name!r} is in the domain {_either(port.domains)}, "
        message += f"but {node.id!r} ({node.kind}) is in the domain {node.domain!r}"
        raise OperatorRefused(message, hint=f"first bring it into the domain {_either(port.domains)}")


def describe_misfit(operator: "Operator", value: "Value") -> str:
    """Why a result does not fit the output port; empty if it does."""
    port = operator.output
    if port.kinds and value.kind not in port.kinds:
        return f"operator {operator.op_name!r} gave {value.kind!r} instead of {_either(port.kinds)}"
    if port.domains and value.domain not in port.domains:
        return f"operator {operator.op_name!r} gave the domain {value.domain!r} instead of {_either(port.domains)}"
    return ""


def _either(names: Sequence[str]) -> str:
    return " or ".join(repr(name) for name in names)

"""Reference of the operators that packs bring: one row each, from their declarations."""

from collections.abc import Iterator, Mapping

from metier.flow import CATEGORIES, Operator, OperatorRegistry, Port
from metier.json_values import JsonValue
from metier.packs.phm.operators import list_operators

_PURPOSES: Mapping[str, str] = {
    "expand": "add a dimension",
    "transform": "keep the dimensions",
    "aggregate": "reduce the last dimension",
    "multi": "take several values",
    "decision": "end in a verdict",
}


def operator_lines() -> Iterator[str]:
    """Lines of the page: a table for each category."""
    registry = OperatorRegistry(list_operators())
    yield f"The {len(registry)} operators of the PHM pack. A value carries its axis, unit and kind; an operator"
    yield "whose port does not fit the kind or the domain of a value is refused with the reason. A sampling rate is"
    yield "never a parameter and never assumed: it comes with the signal. Kinds of a *signal*: vibration, velocity,"
    yield "displacement, acoustic, force, torque, current, signal.\n"
    yield "A parameter is written `name=default`; without a default it is required.\n"
    for category in CATEGORIES:
        listed = registry.by_category(category)
        yield f"## {category} ({len(listed)}): {_PURPOSES[category]}\n"
        yield "| operator | takes | gives | parameters | what it does | 说明 |\n|---|---|---|---|---|---|"
        yield from map(_describe_operator, sorted(listed, key=lambda one: one.op_name))
        yield ""


def _describe_operator(operator: Operator) -> str:
    takes = " + ".join(map(_describe_port, operator.inputs))
    text = operator.description
    cells = (
        f"`{operator.op_name}`",
        takes,
        _describe_port(operator.output),
        _describe_params(operator),
        text.en,
        text.zh,
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _describe_port(port: Port) -> str:
    kinds = port.name if len(port.kinds) > 4 or not port.kinds else " or ".join(port.kinds)
    domains = [domain for domain in port.domains if domain != "none"]
    shown = f"{kinds} ({' or '.join(domains)})" if domains else kinds
    return f"{shown} …" if port.many else shown


def _describe_params(operator: Operator) -> str:
    properties = operator.parameters["properties"]
    listed = properties.items() if isinstance(properties, Mapping) else ()
    return "<br>".join(_describe_param(name, one) for name, one in listed if isinstance(one, Mapping))


def _describe_param(name: str, schema: Mapping[str, JsonValue]) -> str:
    default = schema.get("default")
    given = f"`{name}`" if "default" not in schema or default is None else f"`{name}={_plain(default)}`"
    options = schema.get("enum")
    words = f" ({', '.join(str(one) for one in options if one is not None)})" if isinstance(options, list) else ""
    low, high = schema.get("minimum"), schema.get("maximum")
    bounds = f" [{_plain(low)}, {_plain(high)}]" if low is not None and high is not None else ""
    return f"{given} {schema.get('description', '')}{words}{bounds}"


def _plain(value: JsonValue) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

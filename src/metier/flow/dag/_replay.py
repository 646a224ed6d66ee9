"""Replay: the same operators on other data, and DAGs read from files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from metier.errors import InvalidInput, MetierError, OperatorRefused
from metier.flow.dag._node import Node
from metier.flow.dag._tracker import check_order
from metier.json_values import JsonInvalid, JsonValue, load_json

if TYPE_CHECKING:
    from metier.flow.dag._tracker import DagTracker
    from metier.flow.dag._value import Value


def replay_nodes(nodes: Sequence[Node], into: "DagTracker", new_roots: Mapping[str, "Value"]) -> None:
    """Execute the nodes in order on other roots; what cannot be executed becomes a failed node with the reason."""
    wanted = [node.name for node in nodes if node.is_root]
    missing = [name for name in wanted if name not in new_roots]
    unknown = [name for name in new_roots if name not in wanted]
    if missing or unknown:
        what = f"no data for {', '.join(missing)}" if missing else f"no root is called {', '.join(unknown)}"
        raise OperatorRefused(f"the DAG cannot be replayed: {what}", hint=f"roots: {', '.join(wanted)}")
    new_ids: dict[str, str] = {}
    for node in nodes:
        if node.is_root:
            new_ids[node.id] = into.root(new_roots[node.name], node.name)
            continue
        inputs = [new_ids[name] for name in node.inputs]
        try:
            new_ids[node.id] = into.add_execution(node.op_name, node.params, inputs)
        except MetierError as error:
            if node.op_name not in into.registry:
                raise
            operator = into.registry.get(node.op_name)
            new_ids[node.id] = into.add_failure(operator, node.params, inputs, error.message)


def read_dag(path: Path, name: str = "") -> tuple[Node, ...]:
    """Nodes of a DAG from a file: JSON as `to_json` gives it, the record of a run, or one of several by its name."""
    from metier.flow.dag._tracker import read_record

    if path.suffix == ".jsonl":
        return read_record(path)
    try:
        told = load_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, JsonInvalid) as error:
        raise InvalidInput(f"{path.name} cannot be read: {error}", hint="a DAG as JSON") from error
    told = _choose_dag(told, name)
    listed = told.get("nodes") if isinstance(told, Mapping) else None
    if not isinstance(listed, list):
        raise InvalidInput(f"{path.name} has no nodes", hint='a DAG as JSON: {"nodes": […]}')
    return check_order(Node.from_json(one) for one in listed if isinstance(one, Mapping))


def _choose_dag(told: JsonValue, name: str) -> JsonValue:
    several = told.get("dags") if isinstance(told, Mapping) else None
    if not isinstance(several, list):
        return told
    found = {str(one.get("dag")): one for one in several if isinstance(one, Mapping)}
    if name in found or (not name and len(found) == 1):
        return found.get(name) or next(iter(found.values()))
    told_name = f"{name!r} is none of them" if name else "say which one by its name"
    raise InvalidInput(f"the file has {len(found)} DAGs: {told_name}", hint=f"one of {', '.join(found)}")

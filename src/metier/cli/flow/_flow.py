"""`metier flow`: operators of the installed packs, and graphs of deep runs replayed on other data."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import JSON_OPTION, find_language, print_json, print_line, print_note, print_table
from metier.errors import InvalidInput
from metier.language import Language, choose

if TYPE_CHECKING:
    import numpy as np

    from metier.flow import DagTracker, Node, OperatorRegistry, Value

app = typer.Typer(help="List operators, replay graphs of deep runs.", no_args_is_help=True)
_DAG_ARGUMENT = typer.Argument(..., metavar="DAG", help="A graph: dags.json of a run, or its record (.jsonl).")
_DATA_OPTION = typer.Option(
    [],
    "--data",
    metavar="NAME=FILE",
    help="New data for a root, as .npy or .csv; axis, unit and kind stay as they were.",
)


@app.command("operators")
def operators_command(
    category: str = typer.Option("", help="Only those of one category, such as transform."), as_json: bool = JSON_OPTION
) -> None:
    """List the operators of all installed packs."""
    registry = _load_registry()
    listed = [one for one in registry.describe() if not category or one["category"] == category]
    if as_json:
        print_json({"operators": listed})
        return
    language = find_language()
    titles = {name: registry.get(name).name_in(language) for name in (str(one["op_name"]) for one in listed)}
    print_table(
        ("operator", "category", "what for"),
        [
            (name, str(one["category"]), choose(language, en=str(one["description"]), zh=title))
            for one, (name, title) in zip(listed, titles.items(), strict=True)
        ],
    )


@app.command("replay")
def replay_command(
    dag: Path = _DAG_ARGUMENT,
    data: list[str] = _DATA_OPTION,
    name: str = typer.Option("", "--name", help="Which graph, if the file has several."),
    rate: float = typer.Option(0.0, "--rate", help="Sampling rate of the new data, if it is another one."),
    picture: Path | None = typer.Option(None, "--picture", help="Write a picture: .svg or .png."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Execute the operators of a graph on other data. What cannot be executed is told with the reason."""
    from metier.flow import DagTracker, read_dag, replay_nodes

    nodes = read_dag(dag, name)
    roots = {one.name: one for one in nodes if one.is_root}
    files = dict(_split(one) for one in data)
    if unknown := [name for name in files if name not in roots]:
        raise InvalidInput(f"the graph has no root {unknown[0]!r}", hint=f"roots: {', '.join(roots)}")
    values = {name: _read_value(path, roots[name], rate) for name, path in files.items()}
    total, language = sum(not one.is_root for one in nodes), find_language()

    def show(node: "Node") -> None:
        if not node.is_root and not as_json:
            done = sum(not one.is_root for one in tracker.nodes.values())
            told = tracker.describe_failure(node, language) or choose(language, en="done", zh="完成")
            print_note(f"[{done}/{total}] {node.id} {tracker.name_node(node, language)} {told}")

    tracker = DagTracker(_load_registry(), on_node=show)
    replay_nodes(nodes, tracker, values)
    if picture is not None:
        draw = tracker.write_svg if picture.suffix == ".svg" else tracker.write_png
        draw(picture, language)
    _print_result(tracker, language, as_json=as_json)


def _print_result(tracker: "DagTracker", language: Language, *, as_json: bool) -> None:
    told = tracker.export_json(max_nodes=len(tracker))
    if as_json:
        print_json(told)
        return
    rows = [
        (one.id, tracker.name_node(one, language), _describe_node(tracker, one, language), ", ".join(one.inputs))
        for one in tracker.nodes.values()
    ]
    print_table(("node", "operator", "result", "inputs"), rows)
    failed = sum(one.state == "failed" for one in tracker.nodes.values())
    print_line(choose(language, en=f"{len(rows)} nodes, {failed} failed", zh=f"{len(rows)} 个节点，{failed} 个失败"))


def _describe_node(tracker: "DagTracker", node: "Node", language: Language) -> str:
    """What came out in words: verdict or failure, otherwise all key values with their units."""
    if node.state == "failed" or node.category == "decision":
        return tracker.describe_result(node, language)
    return choose(language, en=", ", zh="，").join(tracker.describe_figures(node, language))


def _load_registry() -> "OperatorRegistry":
    from metier.flow import load_pack_operators
    from metier.pack import find_installed_packs
    from metier.settings import load_settings

    return load_pack_operators(find_installed_packs().found, load_settings())


def _split(given: str) -> tuple[str, Path]:
    name, sign, path = given.partition("=")
    if not sign or not name or not path:
        raise InvalidInput(f"--data {given!r} is no NAME=FILE", hint="for example --data ch1=record.npy")
    return name, Path(path)


def _read_csv(path: Path) -> "np.ndarray":
    """Numbers of a CSV file; a first line of names is left out."""
    import numpy as np

    with path.open(encoding="utf-8-sig") as file:
        has_names = any(letter.isalpha() for letter in re.sub(r"(?i)nan|inf|\de", "", file.readline()))
    return np.loadtxt(path, delimiter=",", skiprows=int(has_names), encoding="utf-8-sig")


def _read_value(path: Path, root: "Node", rate: float) -> "Value":
    import numpy as np

    from metier.flow import Axis, Value

    try:
        array = np.load(path, allow_pickle=False) if path.suffix == ".npy" else _read_csv(path)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {error}", hint="a .npy file or a .csv of numbers") from error
    axis = root.axis
    if axis is not None and rate:
        axis = Axis(axis.domain, 1 / rate, axis.start, axis.unit)
    return Value(array, root.dims, axis, root.unit, root.kind)

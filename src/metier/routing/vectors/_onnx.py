"""ONNX Runtime sessions of shipped graphs, with weights from the files of installed packages.

A graph ships without weights (`data/*.onnx`, written by `training/graphs.py`). Beside it a JSON file pins the SHA-256
of the package's weights file and says where in it each weight is. Weights of any other content are refused.
"""

import hashlib
import json
import mmap
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking import find_shipped_file
from metier.routing.vectors._unpacked import load_unpacked, store_unpacked
from metier.settings import set_if_unset

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Array = NDArray[np.float32] | NDArray[np.int8] | NDArray[np.int64]

_ERRORS_ONLY: Final = 3
_WHOLE: Final = "file"


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """Weights file of a package with verified content; `get` reads a weight as a view into the mapped file."""

    tensors: Mapping[str, tuple[str, list[int], int]]
    content: mmap.mmap
    start: int = 0  # where the weights file begins in the mapped one

    def get(self, name: str) -> Array:
        """Weight by name, in the file's memory where its alignment allows it."""
        kind, shape, offset = self.tensors[name]
        size = int(np.prod(shape, dtype=np.int64))
        values: Array = np.frombuffer(self.content, dtype=kind, count=size, offset=self.start + offset)
        aligned: Array = np.require(values.reshape(shape), requirements="A")
        return aligned

    def release_pages(self) -> None:
        """Drop the pages read so far from memory; they are read again where they are needed."""
        if hasattr(self.content, "madvise"):
            self.content.madvise(mmap.MADV_DONTNEED)


def is_int8_exact() -> bool:
    """Whether this processor multiplies bytes of eight bits exactly, as arm64 does.

    x86 processors without VNNI add two products in sixteen bits, where they overflow.
    """
    return platform.machine().lower() in ("aarch64", "arm64")


def open_weights(graph: str, file: Path) -> WeightsFile:
    """Map the weights file of a shipped graph; ValueError unless its content is the one the graph was built for."""
    known = json.loads(find_shipped_file(f"{graph}.weights.json").read_bytes())
    with file.open("rb") as opened:
        # Memory-mapped: a process touches only a small part of the token vectors.
        content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    if hashlib.sha256(content).hexdigest() != known["sha256"]:
        raise ValueError(f"{file.name!r} is not the file that the graph {graph!r} was built for")
    return WeightsFile(known["tensors"], content)


def hold_weights(graph: str, file: Path) -> WeightsFile:
    """As `open_weights`, from a copy in the user's cache folder, which the first start writes.

    Whoever truncates a mapped file ends the process, and whoever writes into it changes its vectors; the file of a
    package is open to that, the copy is only ever replaced as a whole. Without room for one the package's is mapped.
    """
    digest = read_weights_digest(graph)
    held = load_unpacked(graph, file, digest)
    if held is None:
        opened = open_weights(graph, file)
        held = store_unpacked(graph, file, digest, {_WHOLE: np.frombuffer(opened.content, dtype=np.uint8)})
        if held is None:
            return opened
    known = json.loads(find_shipped_file(f"{graph}.weights.json").read_bytes())
    return WeightsFile(known["tensors"], held.content, held.places[_WHOLE][0])


def read_weights_digest(graph: str) -> str:
    """SHA-256 of the weights file that a shipped graph was built for; ValueError if the pin is damaged."""
    return str(json.loads(find_shipped_file(f"{graph}.weights.json").read_bytes())["sha256"])


def open_shipped(graph: str, weights: Mapping[str, Array]) -> "InferenceSession":
    """Open a shipped graph with its weights; ValueError if its file is damaged."""
    return open_session(find_shipped_file(f"{graph}.onnx").read_bytes(), weights)


def open_session(model: str | bytes, weights: Mapping[str, Array] | None = None) -> "InferenceSession":
    """Open a graph or file on one thread, without a memory arena between runs.

    The session reads the given weights where they are, so it keeps them alive.
    """
    onnxruntime = _load_library()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    options.log_severity_level = _ERRORS_ONLY
    if weights:
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(one) for one in weights.values()]
        options.add_external_initializers(list(weights), values)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    # The session would keep the model bytes for a fallback to another device.
    session.disable_fallback()
    vars(session).pop("_model_bytes", None)
    session.metier_weights = weights
    return session


def get_session_errors() -> tuple[type[Exception], ...]:
    """Exception types of ONNX Runtime for a model that it cannot run."""
    raised = _load_library().capi.onnxruntime_pybind11_state
    return tuple(one for one in vars(raised).values() if isinstance(one, type) and issubclass(one, Exception))


def _load_library() -> Any:
    """ONNX Runtime without its telemetry, which writes an id of the machine and looks up the address of its maker."""
    set_if_unset("ORT_DISABLE_TELEMETRY", "1")  # read at the first import
    import onnxruntime

    return onnxruntime

"""Builder of ONNX graphs whose weights stay in the files of another package."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[np.float32] | NDArray[np.int8] | NDArray[np.uint8] | NDArray[np.int64]

MICROSOFT: Final = "com.microsoft"
_OPSET: Final = 17
_IR_VERSION: Final = 8


class GraphBuilder:
    """Builds an ONNX graph; node outputs are named by operator and position."""

    def __init__(self, weights_file: str) -> None:
        """`weights_file` is the name that the graph gives as the place of its weights."""
        self._weights_file = weights_file
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: dict[str, TensorProto] = {}

    @property
    def external_weights(self) -> tuple[str, ...]:
        """Names of the weights that must be supplied when the graph is loaded."""
        return tuple(name for name, found in self._tensors.items() if found.data_location == TensorProto.EXTERNAL)

    def add_weight(self, name: str, like: Array) -> str:
        """Declare a weight of this type and shape that is supplied when the graph is loaded."""
        declared = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(like.dtype), dims=like.shape)
        declared.data_location = TensorProto.EXTERNAL
        declared.external_data.add(key="location", value=self._weights_file)
        self._tensors.setdefault(name, declared)
        return name

    def add_constant(self, values: Array) -> str:
        """Store a small constant in the graph; equal constants share one name."""
        stored = numpy_helper.from_array(values)
        same = next((name for name, found in self._tensors.items() if _is_equal(found, stored)), None)
        if same is not None:
            return same
        stored.name = f"constant.{len(self._tensors)}"
        self._tensors[stored.name] = stored
        return stored.name

    def add_int64(self, *numbers: int) -> str:
        """Store a list of whole numbers in the graph."""
        return self.add_constant(np.array(numbers, dtype=np.int64))

    def add_node(self, op: str, *inputs: str, domain: str = "", **settings: float | Sequence[int]) -> str:
        """Add a node with one output."""
        (made,) = self.add_multi_output_node(op, inputs, 1, domain=domain, **settings)
        return made

    def add_multi_output_node(
        self, op: str, inputs: Sequence[str], results: int, *, domain: str = "", **settings: float | Sequence[int]
    ) -> tuple[str, ...]:
        """Add a node with several outputs."""
        made = tuple(f"{op}.{len(self._nodes)}.{at}" for at in range(results))
        node = helper.make_node(op, list(inputs), list(made), domain=domain)
        node.attribute.extend(helper.make_attribute(name, value) for name, value in sorted(settings.items()))
        self._nodes.append(node)
        return made

    def to_bytes(self, inputs: Mapping[str, tuple[int, Sequence[int | str]]], output: str) -> bytes:
        """Serialise the model; an input is a type and its axes, where a named axis may have any length."""
        graph = helper.make_graph(
            self._nodes,
            "metier",
            [helper.make_tensor_value_info(name, kind, list(axes)) for name, (kind, axes) in inputs.items()],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
            list(self._tensors.values()),
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(MICROSOFT, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="metier")
        return bytes(model.SerializeToString(deterministic=True))


def _is_equal(one: TensorProto, other: TensorProto) -> bool:
    kinds = (one.data_type, tuple(one.dims)), (other.data_type, tuple(other.dims))
    return kinds[0] == kinds[1] and one.raw_data == other.raw_data and one.data_location == other.data_location

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from metier.routing.vectors._onnx import FLOAT, Array, GraphBuilder, Node, get_session_errors, open_session, read_model

KINDS = st.sampled_from([np.float32, np.int8, np.uint8, np.int64])


def drawn(**weights: Array) -> bytes:
    draw = GraphBuilder()
    for name, values in weights.items():
        draw.add_weight(name, values)
    made = draw.add_node("Add", "rows", *weights, axis=-1, epsilon=0.5)
    return draw.to_bytes({"rows": (1, ("any", 2))}, made)


@given(KINDS.flatmap(lambda kind: arrays(kind, array_shapes(max_dims=3, max_side=6))))
@example(np.arange(300, dtype=np.int64).reshape(150, 2))
def test_weights_come_back_as_they_were_written(values: Array) -> None:
    found = read_model(memoryview(drawn(权重=values))).weights["权重"]
    assert found.dtype == values.dtype
    np.testing.assert_array_equal(found, values)


def test_steps_come_back_with_what_goes_in_and_out() -> None:
    model = read_model(memoryview(drawn(scale=np.ones(2, dtype=np.float32))))
    assert model.nodes == (Node("Add", ("rows", "scale"), ("Add.0.0",)),)


def test_numbers_without_a_name_get_one_each() -> None:
    draw = GraphBuilder()
    names = [draw.add_constant(np.array([at])) for at in (1, 1, 2)]
    found = read_model(memoryview(draw.to_bytes({}, "rows"))).weights
    assert [found[name].tolist() for name in names] == [[1], [1], [2]]


def test_a_session_does_not_keep_what_it_was_made_from() -> None:
    draw = GraphBuilder()
    graph = draw.to_bytes({"rows": (FLOAT, ("any", 2))}, draw.add_node("Abs", "rows"))
    session = open_session(graph)
    assert not any(value is graph for value in vars(session).values())
    (found,) = session.run(None, {"rows": np.array([[-1, 2]], dtype=np.float32)})
    assert found.tolist() == [[1, 2]]


def test_a_graph_that_cannot_run_is_refused() -> None:
    draw = GraphBuilder()
    graph = draw.to_bytes({"rows": (FLOAT, ("any", 2))}, draw.add_node("NoSuchStep", "rows"))
    with pytest.raises(get_session_errors()):
        open_session(graph)


def test_weights_share_the_memory_of_the_file() -> None:
    data = bytearray(drawn(scale=np.ones(2, dtype=np.float32)))
    found = read_model(memoryview(data)).weights["scale"]
    place = data.index(np.ones(2, dtype=np.float32).tobytes())
    data[place : place + 4] = np.float32(7).tobytes()
    assert found.tolist() == [7, 1]


@given(st.binary(max_size=200))
def test_what_is_no_model_is_refused(junk: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_model(memoryview(b"\x3a\x02" + junk[:1] + b"\xff" + junk))


@given(st.data())
def test_a_model_that_was_cut_off_is_refused(data: st.DataObject) -> None:
    whole = drawn(scale=np.ones((40, 5), dtype=np.float32))
    with pytest.raises(ValueError, match=r"."):
        read_model(memoryview(whole[: data.draw(st.integers(0, 700))]))


def test_a_shape_that_does_not_fit_is_refused() -> None:
    shaped = drawn(scale=np.ones((3, 5), dtype=np.int8))
    wrong = shaped.replace(b"\x08\x03\x08\x05", b"\x08\x03\x08\x07")
    with pytest.raises(ValueError, match="15 numbers for the shape"):
        read_model(memoryview(wrong))

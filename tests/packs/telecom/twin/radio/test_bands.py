import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.packs.telecom.twin.radio import rerank, sum_over_cells
from metier.packs.telecom.twin.radio._bands import rank, sum_over_points

# Whole numbers, so that ties are common.
_LEVEL = st.integers(-4, 4)


@settings(deadline=None)
@given(data=st.data(), cells=st.integers(2, 6), points=st.integers(1, 12))
def test_ranking_anew_after_one_cell_is_ranking_all(data: st.DataObject, cells: int, points: int) -> None:
    table = data.draw(st.lists(_LEVEL, min_size=cells * points, max_size=cells * points))
    rsrp = np.array(table, np.float32).reshape(cells, points)
    offsets = np.array(data.draw(st.lists(_LEVEL, min_size=cells, max_size=cells)), np.float32)
    best, second = rank(rsrp, offsets)
    row = data.draw(st.integers(0, cells - 1))
    rsrp[row] = data.draw(st.lists(_LEVEL, min_size=points, max_size=points))
    offsets[row] = data.draw(_LEVEL)
    whole, short = rank(rsrp, offsets), rerank(rsrp, offsets, best, second, row)
    assert np.array_equal(whole[0], short[0])
    assert np.array_equal(whole[1], short[1])


def test_a_lone_cell_stays_the_best() -> None:
    rsrp = np.array([[-90, -120]], np.float32)
    offsets = np.zeros(1, np.float32)
    best, second = rank(rsrp, offsets)
    assert rerank(rsrp, offsets, best, second, 0)[0].tolist() == [0, 0]


def test_sums_over_cells_and_over_points_are_those_of_the_matrix() -> None:
    table = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert sum_over_cells(np.array([1, 2], np.float32), table).tolist() == [6, 9, 12]
    assert sum_over_points(table, np.array([1, 0, 2], np.float32)).tolist() == [4, 13]

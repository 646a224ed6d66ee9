import numpy as np
from threadpoolctl import threadpool_info


def test_numpy_was_imported_after_it_was_told_to_use_one_thread() -> None:
    assert np.ones((2, 2)).dot(np.ones(2)).tolist() == [2, 2]
    assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}

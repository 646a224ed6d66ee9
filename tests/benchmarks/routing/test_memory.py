from pathlib import Path

from benchmarks.routing._data import draw, load_sets
from benchmarks.routing._memory import NO_ROUTER, measure_memory, read_process_memory
from benchmarks.routing._ours import WORDS_ONLY
from tests.benchmarks.routing.test_data import write_set


def test_a_process_knows_what_it_holds() -> None:
    before = read_process_memory()
    assert 0 < before.rss_mb <= before.peak_mb


def test_each_router_has_a_process_of_its_own_and_one_has_none(tmp_path: Path) -> None:
    (labelled,) = load_sets(write_set(tmp_path))
    said: list[str] = []
    found = measure_memory([WORDS_ONLY], draw(labelled, 0, messages=2), say=said.append)
    assert list(found) == [NO_ROUTER, WORDS_ONLY]
    assert all(one.rss_mb > 0 for one in found.values())
    assert len(said) == 2

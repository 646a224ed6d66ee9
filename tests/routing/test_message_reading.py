"""One message while it is decided: processors are left to views at work, and NumPy keeps to one thread."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pytest

from metier.routing import Router, _message_input, _message_reading
from metier.routing.ranking import Floats, _native, count_free_processors
from tests.routing.support import DESK
from tests.routing.test_message_input import CountingView

_BACKGROUND = "It rained for days and the cellar had water again, so everybody took the stairs beside the kitchen. "


class FreeCountingView(CountingView):
    """View that keeps how many processors are free whenever it embeds several texts."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.free: list[int] = []

    def embed_all(self, messages: Sequence[str]) -> Mapping[str, Floats]:
        self.free.append(count_free_processors())
        return super().embed_all(messages)


@pytest.mark.parametrize(("views", "free"), [(1, 2), (2, 1)], ids=["alone", "beside another"])
def test_the_first_view_leaves_a_processor_to_another_at_work(
    views: int, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (_message_input, _native):
        monkeypatch.setattr(module, "count_processors", lambda: 2)
    first = FreeCountingView(name="first")
    router = Router(views=(first, CountingView(name="second"))[:views])
    router.route(f"{_BACKGROUND * 3}Could you generate a slide deck? {_BACKGROUND * 3}", catalog=DESK)
    assert first.free[0] == free
    assert count_free_processors() == 2


def test_sentences_are_compared_on_one_thread_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    is_limited: list[bool] = [False]
    found: list[bool] = []

    @contextmanager
    def limit() -> Iterator[None]:
        is_limited[0] = True
        yield
        is_limited[0] = False

    def score(*_: object) -> float:
        found.append(is_limited[0])
        return 0.0

    monkeypatch.setattr(_message_reading, "one_thread", limit)
    monkeypatch.setattr(_message_reading, "find_best_score", score)
    Router(views=(CountingView(name="first"),)).route(
        f"{_BACKGROUND * 2}The wind was cold. {_BACKGROUND}", catalog=DESK
    )
    assert found
    assert all(found)

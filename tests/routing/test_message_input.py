"""Several encoders read a message at the same time."""

from collections.abc import Callable

import pytest

from metier.errors import Unavailable
from metier.routing import Router, _message_input
from metier.routing.ranking import Floats
from tests.routing.support import DESK, ConceptView


class BesideView(ConceptView):
    """View that says when it begins, and when its vector is asked for."""

    def __init__(self, name: str, told: list[str], *, fails: bool = False) -> None:
        super().__init__(name=name)
        self._told, self._fails = told, fails

    def embed(self, message: str) -> Floats | None:
        self._told.append(f"{self.name} embeds")
        return super().embed(message)

    def begin(self, message: str) -> Callable[[], Floats | None]:
        self._told.append(f"{self.name} begins")

        def wait() -> Floats | None:
            self._told.append(f"{self.name} is waited for")
            if self._fails:
                raise Unavailable("the second view is gone", hint="")
            return super(BesideView, self).embed(message)

        return wait


@pytest.mark.parametrize(
    ("several", "told"),
    [
        (True, ["second begins", "first embeds", "second is waited for"]),
        (False, ["first embeds", "second embeds"]),
    ],
    ids=["two processors", "one processor"],
)
def test_a_second_view_begins_before_the_first_works_where_there_is_a_processor_for_it(
    several: bool, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_message_input, "_has_processors", lambda: several)
    found: list[str] = []
    router = Router(views=(BesideView("first", found), BesideView("second", found)))
    decision = router.route("generate a slide deck", catalog=DESK)
    assert found == told
    assert decision.skill == "pptx"


def test_a_view_that_fails_after_it_began_leaves_the_decision_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_message_input, "_has_processors", lambda: True)
    router = Router(views=(BesideView("first", []), BesideView("second", [], fails=True)))
    decision = router.route("generate a slide deck", catalog=DESK)
    assert "no vector from second: the second view is gone" in decision.notes
    assert decision.vectors

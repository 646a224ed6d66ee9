"""Several encoders read a message at the same time."""

from collections.abc import Callable, Mapping, Sequence

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
    monkeypatch.setattr(_message_input, "count_processors", lambda: 1 + several)
    found: list[str] = []
    router = Router(views=(BesideView("first", found), BesideView("second", found)))
    decision = router.route("generate a slide deck", catalog=DESK)
    assert found == told
    assert decision.skill == "pptx"


def test_a_view_that_fails_after_it_began_leaves_the_decision_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_message_input, "count_processors", lambda: 2)
    router = Router(views=(BesideView("first", []), BesideView("second", [], fails=True)))
    decision = router.route("generate a slide deck", catalog=DESK)
    assert "no vector from second: the second view is gone" in decision.notes
    assert decision.vectors


class BatchBesideView(BesideView):
    """View that embeds several messages at once."""

    def embed_all(self, messages: Sequence[str]) -> Mapping[str, Floats]:
        self._told.append(f"{self.name} embeds {len(messages)} at once")
        return dict(zip(messages, self.vectors(messages), strict=True))


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "generate a slide deck",
            ["second begins", "first embeds 1 at once", "second is waited for"],
        ),
        (
            "generate a slide deck, then write a research report",
            ["second begins", "first embeds 1 at once", "first embeds 2 at once", "second is waited for"],
        ),
    ],
    ids=["one request", "two requests"],
)
def test_the_first_view_reads_the_parts_of_a_message_before_a_second_is_waited_for(
    message: str, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_message_input, "count_processors", lambda: 2)
    found: list[str] = []
    Router(views=(BatchBesideView("first", found), BatchBesideView("second", found))).route(message, catalog=DESK)
    assert found == told


def test_a_view_that_cannot_read_the_skills_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_message_input, "count_processors", lambda: 2)
    found: list[str] = []
    second = BatchBesideView("second", found)
    monkeypatch.setattr(second, "fits", lambda _: False)
    Router(views=(BatchBesideView("first", found), second)).route("generate a slide deck", catalog=DESK)
    assert not any(said.startswith("second") for said in found)

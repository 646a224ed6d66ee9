"""Several encoders read a message at the same time."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
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
            ["second begins", "first embeds 3 at once", "second is waited for"],
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


_BACKGROUND = "It rained for days and the cellar had water again, so everybody took the stairs beside the kitchen. "
# A request, one about a quotation, two, one amid other text, and long text that asks for nothing.
_MESSAGES = {
    "one": "generate a slide deck",
    "quoted": "improve this line, then change it: 'Our plan includes unlimited projects for every team. Sign up now!'",
    "two": "generate a slide deck, then write a research report about the weekly numbers of the network",
    "amid": f"{_BACKGROUND * 3}Could you generate a slide deck? {_BACKGROUND * 3}",
    "no request": _BACKGROUND * 6,
    "a file": "make something of rec0412.txt, then send it",
}


class CountingView(ConceptView):
    """View that embeds one, several or beside others, and keeps every text that it is given."""

    def embed(self, message: str) -> Floats | None:
        self.embedded.append(message)
        (vector,) = self.vectors([message])
        return np.asarray(vector, dtype=np.float32)

    def begin(self, message: str) -> Callable[[], Floats | None]:
        vector = self.embed(message)
        return lambda: vector

    def embed_all(self, messages: Sequence[str]) -> Mapping[str, Floats]:
        self.embedded.extend(messages)
        return dict(zip(messages, self.vectors(messages), strict=True))


@pytest.mark.parametrize("message", _MESSAGES.values(), ids=_MESSAGES)
@pytest.mark.parametrize("processors", [1, 2])
def test_no_view_reads_a_text_of_one_message_twice(
    message: str, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_message_input, "count_processors", lambda: processors)
    views = (CountingView(name="first"), CountingView(name="second"))
    Router(views=views).route(message, catalog=DESK)
    for view in views:
        assert sorted(view.embedded) == sorted(set(view.embedded)), view.name
        assert view.embedded


def test_a_second_view_reads_a_message_once_with_and_without_its_quotation() -> None:
    views = (CountingView(name="first"), CountingView(name="second"))
    long = f"please improve this line of our brochure before Friday: '{_BACKGROUND.strip()}' and tell us what to change"
    Router(views=views).route(long, catalog=DESK)
    assert len(views[1].embedded) == 1
    assert "rained" not in views[1].embedded[0]


def test_sentences_around_a_request_are_read_only_where_it_is_not_sure_alone() -> None:
    unsure = CountingView(name="first")
    Router(views=(unsure,)).route(f"{_BACKGROUND * 3}Could you do that? {_BACKGROUND * 3}", catalog=DESK)
    assert any("do that?" in text and "rained" in text for text in unsure.embedded if len(text) < 400)
    sure = CountingView(name="first")
    decision = Router(views=(sure,)).route(
        f"{_BACKGROUND * 3}Please create a pitch deck. {_BACKGROUND * 3}", catalog=DESK
    )
    assert decision.skill == "pptx"
    assert not any("deck" in text and "rained" in text for text in sure.embedded if len(text) < 400)


def test_what_a_view_says_of_its_failure_is_told_where_it_cannot_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(CountingView):
        def embed(self, message: str) -> Floats | None:
            raise Unavailable("the second view is gone", hint="")

    monkeypatch.setattr(_message_input, "count_processors", lambda: 2)
    router = Router(views=(CountingView(name="first"), Broken(name="second")))
    decision = router.route("generate a slide deck", catalog=DESK)
    assert "no vector from second: the second view is gone" in decision.notes
    assert decision.skill == "pptx"

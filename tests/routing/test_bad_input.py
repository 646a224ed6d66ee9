"""Whatever a message, a catalog or an embedder is like, there is a decision and no exception."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing import Router
from metier.routing.ranking import Floats
from metier.skills import Catalog
from tests.routing.support import DESK, PPTX, ConceptView, DownView, catalog, skill

ROUTERS = {
    "words": Router(),
    "vectors": Router(views=(ConceptView(),)),
    "two views": Router(views=(ConceptView(), ConceptView(name="second"))),
    "down at sync": Router(views=(DownView(),)),
    "down at embed": Router(views=(DownView(at_sync=False),)),
}
CATALOGS = {
    "zero skills": catalog(),
    "one skill": catalog(PPTX),
    "a skill without texts": catalog(skill("a", title="")),
    "two skills without texts": catalog(skill("a", title=""), skill("b", title="")),
    "the desk": DESK,
}
MESSAGES = {
    "empty": "",
    "spaces": " \t\n\u3000",
    "long": "写周报" * 200,
    "long, no spaces": "x" * 500,
    "emoji": "😀🎉👍🏽",
    "NUL": "做\x00PPT\x00",
    "half a character": "做\ud800PPT\udfff",
    "mixed scripts": "做 PPT для مرحبا 한국어 ひらがな",
    "repeated": "ppt " * 100,
    "punctuation": "？！，。；" * 1000,
    "slashes": "/" * 1000,
    "lines": "写周报\n" * 100,
    "refusals": "不要PPT，" * 100,
    "right to left": "\u202eTPP做",
    "combining": "e" + "\u0301" * 300,
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
@pytest.mark.parametrize("skills", CATALOGS.values(), ids=CATALOGS)
def test_any_message_gets_a_decision(skills: Catalog, message: str) -> None:
    for name, router in ROUTERS.items():
        decision = router.route(message, catalog=skills, history=(message,), active="pptx")
        assert decision.message == message, name
        assert all(np.isfinite(candidate.score) for candidate in decision.candidates), name
        assert json.loads(json.dumps(decision.to_json())) == decision.to_json(), name
        assert decision.explain(), name


LONGEST = {
    "no spaces": "x" * 100_000,
    "one sentence": "写周报" * 34_000,
    "repeated": "ppt " * 25_000,
    "lines": "写周报\n" * 2000,
    "refusals": "不要PPT，" * 2000,
    "combining": "e" + "\u0301" * 5000,
}


@pytest.mark.parametrize("message", LONGEST.values(), ids=LONGEST)
def test_the_longest_message_gets_a_decision(message: str) -> None:
    for name in ("words", "two views"):
        decision = ROUTERS[name].route(message, catalog=DESK, history=(message,), active="pptx")
        assert all(np.isfinite(candidate.score) for candidate in decision.candidates), name
        assert decision.explain(), name


@given(message=st.text(st.characters(exclude_categories=()), max_size=200))
def test_any_characters_get_a_decision(message: str) -> None:
    for router in (ROUTERS["words"], ROUTERS["vectors"]):
        assert router.route(message, catalog=DESK).elapsed_ms >= 0


@pytest.mark.parametrize("message", ["", " \n", "😀🎉", "？！", "\x00", "\ud800"])
def test_a_message_without_words_is_empty(message: str) -> None:
    decision = ROUTERS["words"].route(message, catalog=DESK)
    assert (decision.verdict, decision.route, decision.notes) == ("none", "empty", ("the message has no words",))


@pytest.mark.parametrize(
    "message", ["做\x00P\x00PT", "做\ud800PPT", "做P\u200bPT"], ids=["NUL", "surrogate", "zero width"]
)
def test_what_cannot_be_seen_does_not_hide_a_word(message: str) -> None:
    assert ROUTERS["words"].route(message, catalog=DESK).skill == "pptx"


@pytest.mark.parametrize(
    "message", ["帮我算个八字\n" + "#" * 100_000, "#" * 100_000 + "\n帮我算个八字"], ids=["before", "after"]
)
def test_the_request_beside_a_long_paste_is_read(message: str) -> None:
    assert ROUTERS["words"].route(message, catalog=DESK).skill == "bazi"


@pytest.mark.parametrize("place", ["sync", "embed"])
def test_without_its_embedder_the_router_goes_by_words_and_says_so(place: str) -> None:
    decision = Router(views=(DownView(at_sync=place == "sync"),)).route("生成 PPT", catalog=DESK)
    assert (decision.verdict, decision.skill, decision.vectors) == ("auto", "pptx", False)
    assert decision.notes == (
        f"no vector{'s' if place == 'sync' else ''} from down: the embedder is down",
        "no vectors: decided by words alone",
    )


@dataclass(slots=True)
class OddView(ConceptView):
    """Right vectors for the skills, and this one for every message."""

    gives: Floats | None = None
    name: str = "odd"

    def embed(self, message: str) -> Floats | None:
        return self.gives


WIDTH = ConceptView().vectors([""]).shape[1]
NOT_ONE = "no vector from odd: what it gave is not one"


@pytest.mark.parametrize(
    ("gives", "noted"),
    [
        pytest.param(np.full(WIDTH, np.nan, dtype=np.float32), True, id="NaN"),
        pytest.param(np.full(WIDTH, np.inf, dtype=np.float32), True, id="infinity"),
        pytest.param(np.ones(WIDTH + 1, dtype=np.float32), True, id="too long"),
        pytest.param(np.ones((1, WIDTH), dtype=np.float32), True, id="a matrix"),
        pytest.param(np.ones(0, dtype=np.float32), True, id="nothing in it"),
        pytest.param(np.zeros(WIDTH, dtype=np.float32), False, id="zeros"),
        pytest.param(None, False, id="no use for this message"),
    ],
)
def test_a_vector_that_is_none_is_not_used(gives: Floats | None, noted: bool) -> None:
    decision = Router(views=(OddView(gives=gives),)).route("生成 PPT", catalog=DESK)
    assert (decision.skill, decision.vectors) == ("pptx", False)
    assert (NOT_ONE in decision.notes) is noted
    assert "no vectors: decided by words alone" in decision.notes


def test_a_vector_of_wider_numbers_is_used() -> None:
    wide = ConceptView().vectors(["ppt"])[0].astype(np.float64)
    assert Router(views=(OddView(gives=wide),)).route("horoscope", catalog=DESK).vectors


@pytest.mark.parametrize("name", ["words", "vectors"])
@pytest.mark.parametrize("message", ["今天天气怎么样", "what is the capital of France", "画折线图", "帮我写一首诗"])
def test_the_only_skill_does_not_take_every_message(name: str, message: str) -> None:
    assert ROUTERS[name].route(message, catalog=catalog(PPTX)).verdict == "none"
    assert ROUTERS[name].route("把大纲变成幻灯片", catalog=catalog(PPTX)).skill == "pptx"


def test_an_unknown_skill_in_use_is_no_skill_in_use() -> None:
    decision = ROUTERS["words"].route("继续", catalog=DESK, active="never-heard-of")
    assert (decision.route, decision.skill) == ("search", None)

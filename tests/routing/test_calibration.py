import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.routing._calibration import SIGNALS, mode_of, probability, shipped_heads, signals_of
from metier.routing._index import RoutingIndex
from metier.routing._ranking import Query, rank
from metier.routing._terms import terms
from metier.routing._texts import RoutingText, routing_text
from tests.routing.support import DESK, ConceptView, text

TEXTS = tuple(routing_text(skill) for skill in DESK)


def signals(message: str, texts: tuple[RoutingText, ...] = TEXTS, *, vectors: bool = True) -> dict[str, float]:
    view = ConceptView()
    index = RoutingIndex(texts, {view.name: view.sync(texts)} if vectors else {})
    query = Query(terms(message), {view.name: view.vectors([message])[0]} if vectors else {})
    return dict(zip(SIGNALS, signals_of(index, query, rank(index, query)).tolist(), strict=True))


def chance(message: str, texts: tuple[RoutingText, ...], *, vectors: bool) -> float:
    heads = shipped_heads()["use" if vectors else "lex"]
    return probability(heads(np.array(list(signals(message, texts, vectors=vectors).values()), dtype=np.float32)).right)


@pytest.mark.parametrize(
    ("views", "mode"), [({}, "lex"), ({"use": 1}, "use"), ({"use": 1, "mini": 1}, "use+mini")], ids=["0", "1", "2"]
)
def test_every_set_of_views_has_its_heads(views: dict[str, object], mode: str) -> None:
    assert mode_of(views) == mode
    assert mode in shipped_heads()


@pytest.mark.parametrize("mode", ["lex", "use", "use+mini"])
def test_the_shipped_heads_fit_the_signals(mode: str) -> None:
    heads = shipped_heads()[mode]
    assert len(heads.mean) == len(heads.deviation) == len(SIGNALS)
    assert (heads.deviation > 0).all()
    assert len(heads.right) == len(heads.meant) == 2 * 11 + len(SIGNALS) + 1


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "words"])
@pytest.mark.parametrize("count", [1, 2, 5, len(TEXTS)])
def test_a_clear_message_is_likelier_right_than_a_foreign_one_however_few_the_skills(count: int, vectors: bool) -> None:
    texts = TEXTS[-count:]
    assert texts[-1].skill == "weekly-report"
    assert chance("帮我写本周周报", texts, vectors=vectors) > 0.8
    assert chance("什么是量子纠缠", texts, vectors=vectors) < 0.6


def test_signals_without_vectors_say_nothing_of_meaning() -> None:
    found = signals("整理会议纪要", vectors=False)
    assert all(found[name] == 0 for name in ("nearest example", "views agree", "neighbours", "catalog accuracy"))


def test_a_foreign_message_has_no_known_words() -> None:
    assert signals("Жизнь")["no known words"] == 1
    assert signals("整理会议纪要")["no known words"] == 0


def test_a_refused_skill_is_no_rival() -> None:
    index = RoutingIndex(TEXTS, {})
    loud = Query(terms("周报 做一个季度汇报的PPT"), {})
    refusing = Query(loud.terms, {}, refused=frozenset({[one.skill for one in TEXTS].index("pptx")}))
    found = rank(index, refusing)
    assert TEXTS[int(found.order[0])].skill == "weekly-report"
    share = SIGNALS.index("share among all")
    assert signals_of(index, refusing, found)[share] > signals_of(index, loud, found)[share] + 1


def test_the_only_skill_that_is_not_refused_can_be_judged() -> None:
    many = (*TEXTS, *(text(f"more-{at}") for at in range(10)))
    view = ConceptView()
    index = RoutingIndex(many, {view.name: view.sync(many)})
    query = Query(terms("八字"), {view.name: view.vectors(["八字"])[0]}, refused=frozenset(range(1, len(many))))
    assert np.isfinite(signals_of(index, query, rank(index, query))).all()


@given(st.floats(allow_nan=False))
def test_log_odds_of_any_size_are_a_probability(odds: float) -> None:
    assert 0 <= probability(odds) <= 1


@given(st.lists(st.floats(-1e6, 1e6), min_size=len(SIGNALS), max_size=len(SIGNALS)))
def test_no_signal_can_break_the_heads(values: list[float]) -> None:
    odds = shipped_heads()["use"](np.array(values, dtype=np.float32))
    assert np.isfinite([odds.meant, odds.right]).all()

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.errors import InvalidInput
from metier.routing import HEADS_FILE, Thresholds
from metier.routing.ranking import (
    SIGNALS,
    Heads,
    Odds,
    Query,
    RoutingIndex,
    SkillVectors,
    compute_signals,
    get_mode,
    load_heads,
    load_shipped_heads,
    normalize_rows,
    rank,
    to_probability,
)
from metier.routing.text import RoutingText, build_routing_text
from metier.textsearch import extract_terms
from tests.routing.support import DESK, ConceptView, text

JsonTree = dict[str, dict[str, dict[str, object]]]
TEXTS = tuple(build_routing_text(skill) for skill in DESK)


def signals(message: str, texts: tuple[RoutingText, ...] = TEXTS, *, vectors: bool = True) -> dict[str, float]:
    view = ConceptView()
    index = RoutingIndex(texts, {view.name: view.sync(texts)} if vectors else {})
    query = Query(extract_terms(message), {view.name: view.vectors([message])[0]} if vectors else {})
    return dict(zip(SIGNALS, compute_signals(index, query, rank(index, query)).tolist(), strict=True))


def chance(message: str, texts: tuple[RoutingText, ...], *, vectors: bool) -> float:
    heads = load_shipped_heads()["use" if vectors else "lex"]
    return to_probability(
        heads(np.array(list(signals(message, texts, vectors=vectors).values()), dtype=np.float32)).right
    )


@pytest.mark.parametrize(
    ("views", "mode"), [({}, "lex"), ({"use": 1}, "use"), ({"use": 1, "mini": 1}, "use+mini")], ids=["0", "1", "2"]
)
def test_every_set_of_views_has_its_heads(views: dict[str, object], mode: str) -> None:
    assert get_mode(views) == mode
    assert mode in load_shipped_heads()


@pytest.mark.parametrize("mode", ["lex", "use", "use+mini"])
def test_the_shipped_heads_fit_the_signals(mode: str) -> None:
    heads = load_shipped_heads()[mode]
    assert len(heads.mean) == len(heads.deviation) == len(SIGNALS)
    assert (heads.deviation > 0).all()
    assert len(heads.right) == len(heads.meant) == len(heads.among) == 2 * 11 + len(SIGNALS) + 1


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
    loud = Query(extract_terms("周报 做一个季度汇报的PPT"), {})
    refusing = Query(loud.terms, {}, refused=frozenset({[one.skill for one in TEXTS].index("pptx")}))
    found = rank(index, refusing)
    assert TEXTS[int(found.order[0])].skill == "weekly-report"
    share = SIGNALS.index("share among all")
    assert compute_signals(index, refusing, found)[share] > compute_signals(index, loud, found)[share] + 1


def test_the_only_skill_that_is_not_refused_can_be_judged() -> None:
    many = (*TEXTS, *(text(f"more-{at}") for at in range(10)))
    view = ConceptView()
    index = RoutingIndex(many, {view.name: view.sync(many)})
    query = Query(extract_terms("八字"), {view.name: view.vectors(["八字"])[0]}, refused=frozenset(range(1, len(many))))
    assert np.isfinite(compute_signals(index, query, rank(index, query))).all()


@given(st.floats(allow_nan=False))
def test_log_odds_of_any_size_are_a_probability(odds: float) -> None:
    assert 0 <= to_probability(odds) <= 1


@given(st.lists(st.floats(-1e6, 1e6), min_size=len(SIGNALS), max_size=len(SIGNALS)))
def test_no_signal_can_break_the_heads(values: list[float]) -> None:
    odds = load_shipped_heads()["use"](np.array(values, dtype=np.float32))
    assert np.isfinite([odds.meant, odds.right, odds.among]).all()


def test_an_offset_leaves_it_open_whether_any_skill_is_meant() -> None:
    assert Odds(1.0, 2.0, 3.0).shift(0.5) == Odds(1.0, 2.5, 3.5)


# A message that has nothing to do with the skills

EVIDENCE = (
    "top score",
    "margin",
    "share among the best",
    "share among all",
    "cosine",
    "nearest example",
    "standing out",
    "words",
    "margin in words",
    "known words",
    "neighbours",
    "gap to the next example",
    "against the catalog",
)
VIEWS = {"lex": (), "use": ("one",), "use+mini": ("one", "two")}
modes = pytest.mark.parametrize("mode", VIEWS)


@modes
def test_the_less_speaks_for_a_skill_the_less_likely_any_is_meant(mode: str) -> None:
    heads, view = load_shipped_heads()[mode], ConceptView()
    index = RoutingIndex(TEXTS, {name: view.sync(TEXTS) for name in VIEWS[mode]})
    places = [SIGNALS.index(name) for name in EVIDENCE]
    for message in (example for one in TEXTS for example in one.examples):
        query = Query(extract_terms(message), {name: view.vectors([message])[0] for name in VIEWS[mode]})
        found = compute_signals(index, query, rank(index, query))
        chances = [to_probability(heads(found).meant)]
        for below in range(1, 9):
            found[places] = np.minimum(found, heads.mean - below * heads.deviation)[places]
            chances.append(to_probability(heads(found).meant))
        assert max(np.diff(chances)) < 1e-6
        assert chances[-1] < 0.05


def stranger(mode: str, skills: int, examples: int) -> Odds:
    """The odds of a message without a known word, at right angles to everything any skill says; what one skill says is
    alike."""
    chance = np.random.default_rng(skills)
    texts = [
        RoutingText(f"s{at}", "", f"{at}", tuple(f"say {at} {which}" for which in range(examples)), (f"{at}",), (), ())
        for at in range(skills)
    ]

    def items() -> SkillVectors:
        rows = chance.normal(size=32) + 0.5 * chance.normal(size=(examples + 1, 32))
        rows[:, 0] = 0
        found = normalize_rows(rows.astype(np.float32))
        return SkillVectors.of(found[1:], found[:1])

    vectors = {name: {one.skill: items() for one in texts} for name in VIEWS[mode]}
    index = RoutingIndex(texts, vectors)
    query = Query(extract_terms("Жизнь и судьба"), {name: np.eye(32, dtype=np.float32)[0] for name in VIEWS[mode]})
    return load_shipped_heads()[mode](compute_signals(index, query, rank(index, query)))


@modes
def test_no_skill_is_likely_right_where_none_is_likely_meant(mode: str) -> None:
    shipped = load_shipped_heads()[mode]
    signals = shipped.mean.astype(np.float32)
    bold = replace(shipped, meant=shipped.meant * 0, right=shipped.right * 0, among=shipped.among * 0)
    bold.meant[-1], bold.right[-1], bold.among[-1] = -4.0, 5.0, 6.0
    assert bold(signals) == Odds(-4.0, -2.5, -2.5)
    bold.meant[-1] = 4.0
    assert bold(signals) == Odds(4.0, 5.0, 5.5)


@modes
@pytest.mark.parametrize("examples", [1, 2, 5, 16])
@pytest.mark.parametrize("skills", [1, 2, 5, 12, 60])
def test_a_message_with_nothing_in_common_is_likely_for_nobody(mode: str, skills: int, examples: int) -> None:
    odds = stranger(mode, skills, examples)
    # By words alone a message in words that nobody wrote down may still be meant for somebody.
    assert to_probability(odds.meant) < (0.7 if mode == "lex" else 0.5)
    assert to_probability(odds.right) < 0.25
    assert to_probability(odds.among) < Thresholds().suggest


@modes
@pytest.mark.parametrize("skills", [1, 2, 5, 12, 60])
def test_it_is_not_worth_offering_three_skills_that_only_say_what_they_are_for(mode: str, skills: int) -> None:
    """By words alone such a message may well be meant for one of them, and nobody can say for which."""
    odds = stranger(mode, skills, 0)
    assert max(to_probability(odds.right), to_probability(odds.among)) < Thresholds().suggest


# Heads of one's own


def stored(**modes_of_it: Heads) -> JsonTree:
    parts = ("mean", "deviation", "meant", "right", "among")
    return {"modes": {name: {part: getattr(one, part).tolist() for part in parts} for name, one in modes_of_it.items()}}


def write(file: Path, content: object) -> Path:
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return file


def test_without_a_file_the_shipped_heads_are_used(tmp_path: Path) -> None:
    assert load_heads(tmp_path / HEADS_FILE) is load_shipped_heads()


def test_a_mode_that_the_file_does_not_have_keeps_the_shipped_heads(tmp_path: Path) -> None:
    shipped = load_shipped_heads()
    bolder = replace(shipped["lex"], right=shipped["lex"].right + 1)
    found = load_heads(write(tmp_path / HEADS_FILE, stored(lex=bolder)))
    assert found.keys() == shipped.keys()
    np.testing.assert_allclose(found["lex"].right, bolder.right)
    assert all(found[mode] is shipped[mode] for mode in ("use", "use+mini"))


LEX = stored(lex=load_shipped_heads()["lex"])


def spoiled(part: str, value: object) -> JsonTree:
    return {"modes": {"lex": {**LEX["modes"]["lex"], part: value}}}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="cut short"),
        pytest.param("[]", id="a list"),
        pytest.param("null", id="null"),
        pytest.param({}, id="no modes"),
        pytest.param({"modes": []}, id="modes are a list"),
        pytest.param({"modes": {"lex": 7}}, id="a mode is a number"),
        pytest.param({"modes": {"lex": {}}}, id="nothing in a mode"),
        pytest.param(spoiled("among", [1.0]), id="too few numbers"),
        pytest.param(spoiled("among", LEX["modes"]["lex"]["mean"]), id="the wrong number of numbers"),
        pytest.param(spoiled("mean", ["x"] * len(SIGNALS)), id="words"),
        pytest.param(spoiled("mean", [math.nan] * len(SIGNALS)), id="nan"),
        pytest.param(spoiled("deviation", [0.0] * len(SIGNALS)), id="deviations of nothing"),
    ],
)
def test_a_damaged_calibration_is_told_and_not_used(content: object, tmp_path: Path) -> None:
    file = write(tmp_path / HEADS_FILE, content)
    with pytest.raises(InvalidInput, match="cannot be read") as caught:
        load_heads(file)
    assert str(file) in caught.value.message
    assert caught.value.hint == "remove it; `metier route fit` makes it again"
    assert file.exists()


def test_a_calibration_that_is_not_text_is_told(tmp_path: Path) -> None:
    (tmp_path / HEADS_FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_heads(tmp_path / HEADS_FILE)

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import cycle, islice

import numpy as np
import pytest

from metier.routing import Router
from metier.routing._eligibility import RoutingConstraints
from metier.routing._index_cache import IndexCache
from metier.routing.ranking import SkillVectors
from metier.routing.text import RoutingText
from metier.skills import Catalog
from tests.routing.support import BAZI, DESK, PPTX, WEEKLY, ConceptView, DownView, catalog, skill


class Hands:
    """A clock that stands still until it is told to move on."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_the_same_catalog_is_read_once() -> None:
    view = ConceptView()
    router = Router(views=(view,))
    for message in ("生成 PPT", "写周报", "帮我算个八字"):
        router.route(message, catalog=DESK)
    assert len(view.synced) == 1


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda: Catalog.from_skills(DESK), id="loaded again"),
        pytest.param(lambda: catalog(*(replace(one, version="2", digest="new") for one in DESK)), id="another body"),
    ],
)
def test_a_catalog_with_the_same_routing_texts_is_not_read_again(change: Callable[[], Catalog]) -> None:
    view, shelf, clock = ConceptView(), IndexCache(), Hands()
    first = shelf.get_index(shelf.get_catalog_view(DESK, RoutingConstraints()), (view,), clock)
    again = shelf.get_index(shelf.get_catalog_view(change(), RoutingConstraints()), (view,), clock)
    assert again.index is first.index
    assert len(view.synced) == 1


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(catalog(PPTX, BAZI, WEEKLY), id="one more"),
        pytest.param(catalog(PPTX), id="one less"),
        pytest.param(catalog(PPTX, replace(BAZI, description="other")), id="another description, same digest"),
        pytest.param(catalog(PPTX, replace(BAZI, triggers=("other",))), id="another trigger, same digest"),
        pytest.param(catalog(replace(PPTX, priority=5), BAZI), id="another order"),
        pytest.param(catalog(PPTX, replace(BAZI, enabled=False)), id="one switched off"),
    ],
)
def test_a_catalog_that_offers_something_else_is_read_again(changed: Catalog) -> None:
    shelf, clock = IndexCache(), Hands()
    first = shelf.get_index(shelf.get_catalog_view(catalog(PPTX, BAZI), RoutingConstraints()), (), clock)
    assert shelf.get_index(shelf.get_catalog_view(changed, RoutingConstraints()), (), clock).index is not first.index


def test_the_terms_of_unchanged_skills_are_not_counted_again() -> None:
    shelf, clock = IndexCache(), Hands()
    first = shelf.get_index(shelf.get_catalog_view(catalog(PPTX, BAZI), RoutingConstraints()), (), clock).index
    second = shelf.get_index(shelf.get_catalog_view(catalog(PPTX, WEEKLY), RoutingConstraints()), (), clock).index
    kept = first.documents.keys() & second.documents.keys()
    assert len(kept) == 1
    assert all(first.documents[digest] is second.documents[digest] for digest in kept)


def test_two_hosts_in_turn_share_the_vectors_and_keep_their_indexes() -> None:
    view, shelf, clock = ConceptView(), IndexCache(), Hands()
    mixed = catalog(PPTX, BAZI, replace(WEEKLY, hosts=("writer",)))
    indexes = {
        host: {
            id(shelf.get_index(shelf.get_catalog_view(mixed, RoutingConstraints(host)), (view,), clock).index)
            for _ in range(3)
        }
        for _ in range(2)
        for host in ("et", "writer")
    }
    assert [len(found) for found in indexes.values()] == [1, 1]
    assert indexes["writer"] != indexes["et"]
    # All skills are asked for, offered or not: a store that drops what it is not asked for would embed it again.
    assert view.synced == [("bazi", "pptx", "weekly-report")]


def test_many_users_with_a_skill_of_their_own_in_turn_keep_their_indexes() -> None:
    view = ConceptView()
    router = Router(views=(view,))
    users = [f"u{at}" for at in range(8)]
    whole = catalog(BAZI, *(replace(skill(f"own-{user}"), owner=user) for user in users))
    for user in users * 3:
        router.route("八字", catalog=whole.narrow_to(user))
    assert len(view.synced) == len(users)


def test_only_the_last_few_are_kept() -> None:
    view = ConceptView()
    router = Router(views=(view,))
    catalogs = [catalog(BAZI, skill(f"s{at}")) for at in range(30)]
    for one in (*catalogs, *catalogs[-20:]):
        router.route("八字", catalog=one)
    assert len(view.synced) == 30
    router.route("八字", catalog=catalogs[0])
    assert len(view.synced) == 31


def test_indexes_of_catalogs_that_are_gone_are_dropped_but_for_the_newest() -> None:
    view = ConceptView()
    router = Router(views=(view,))
    for at in range(8):
        router.route("八字", catalog=catalog(BAZI, skill(f"s{at}")))
    for at, is_kept in ((7, True), (0, False)):
        before = len(view.synced)
        router.route("八字", catalog=catalog(BAZI, skill(f"s{at}")))
        assert (len(view.synced) == before) is is_kept, at


def test_vectors_that_could_not_be_had_are_asked_for_again_after_a_while() -> None:
    view, clock = DownView(), Hands()
    router = Router(views=(view,), clock=clock)
    note = "no vectors from down: the embedder is down"
    assert note in router.route("生成 PPT", catalog=DESK).notes
    view.at_sync = False
    clock.now_s = 29
    assert note in router.route("生成 PPT", catalog=DESK).notes
    clock.now_s = 30
    decision = router.route("生成 PPT", catalog=DESK)
    assert note not in decision.notes
    assert "no vector from down: the embedder is down" in decision.notes


def test_asking_again_in_vain_builds_nothing_new() -> None:
    view, clock, shelf = DownView(), Hands(), IndexCache()
    first = shelf.get_index(shelf.get_catalog_view(DESK, RoutingConstraints()), (view,), clock)
    clock.now_s = 31
    again = shelf.get_index(shelf.get_catalog_view(DESK, RoutingConstraints()), (view,), clock)
    assert again.index is first.index
    assert again.vectors.failed_at_s == 31


class OddView(ConceptView):
    """Gives what a view must not give."""

    def __init__(self, spoil: Callable[[dict[str, SkillVectors]], None]) -> None:
        super().__init__(name="odd")
        self.spoil = spoil

    def sync(self, texts: object) -> dict[str, SkillVectors]:
        found = dict(super().sync(texts))  # type: ignore[arg-type]
        self.spoil(found)
        return found


def _lose(found: dict[str, SkillVectors]) -> None:
    del found["bazi"]


def _nan(found: dict[str, SkillVectors]) -> None:
    found["bazi"] = SkillVectors(found["bazi"].items * np.float16("nan"), found["bazi"].examples)


def _short(found: dict[str, SkillVectors]) -> None:
    found["bazi"] = SkillVectors(found["bazi"].items[1:], found["bazi"].examples)


def _narrow(found: dict[str, SkillVectors]) -> None:
    found["bazi"] = SkillVectors(found["bazi"].items[:, 1:], found["bazi"].examples)


def _nan_sentence(found: dict[str, SkillVectors]) -> None:
    wrong = np.full((1, found["bazi"].items.shape[1]), np.nan, np.float16)
    found["bazi"] = replace(found["bazi"], sentences=wrong)


def _narrow_sentence(found: dict[str, SkillVectors]) -> None:
    found["bazi"] = replace(found["bazi"], sentences=found["bazi"].items[:1, 1:])


def _flat(found: dict[str, SkillVectors]) -> None:
    found["bazi"] = SkillVectors(found["bazi"].items[0], found["bazi"].examples)


def _miscount(found: dict[str, SkillVectors]) -> None:
    found["bazi"] = SkillVectors(found["bazi"].items, 1)


def _empty(found: dict[str, SkillVectors]) -> None:
    for name, vectors in found.items():
        found[name] = SkillVectors(vectors.items[:, :0], vectors.examples)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_lose, "there are none for skill 'bazi'"),
        (_nan, "those of skill 'bazi' are not numbers"),
        (_nan_sentence, "those of skill 'bazi' are not numbers"),
        (_narrow_sentence, "they are of different sizes"),
        (_short, "the wrong number of them for skill 'bazi'"),
        (_flat, "the wrong number of them for skill 'bazi'"),
        (_miscount, "the wrong number of them for skill 'bazi'"),
        (_narrow, "they are of different sizes"),
        (_empty, "they are of different sizes"),
    ],
)
def test_a_view_with_wrong_vectors_counts_as_down(spoil: Callable[[dict[str, SkillVectors]], None], said: str) -> None:
    decision = Router(views=(OddView(spoil),)).route("生成 PPT", catalog=DESK)
    assert (decision.skill, decision.vectors) == ("pptx", False)
    assert f"no vectors from odd: {said}" in decision.notes


def test_one_view_down_leaves_the_other() -> None:
    decision = Router(views=(DownView(), ConceptView())).route("生成 PPT", catalog=DESK)
    assert (decision.skill, decision.vectors) == ("pptx", True)
    assert decision.notes == ("no vectors from down: the embedder is down",)


def test_many_threads_and_changing_catalogs_do_not_get_into_each_others_way() -> None:
    router = Router(views=(ConceptView(),))
    catalogs = [catalog(*DESK, skill(f"extra-{at}", description="something else")) for at in range(3)]
    messages = {"生成 PPT": "pptx", "帮我算个八字": "bazi", "写周报": "weekly-report"}
    jobs = list(islice(zip(cycle(catalogs), cycle(messages), strict=False), 24))

    def run(job: tuple[Catalog, str]) -> bool:
        decision = router.route(job[1], catalog=job[0])
        known = {candidate.skill for candidate in decision.candidates} <= set(job[0].skills)
        return known and decision.skill == messages[job[1]]

    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(run, jobs))


def test_a_failure_while_building_leaves_the_shelf_usable() -> None:
    class Once(ConceptView):
        broken = True

        def sync(self, texts: object) -> dict[str, SkillVectors]:
            if self.broken:
                self.broken = False
                raise ValueError("a mistake in a view")
            return dict(super().sync(texts))  # type: ignore[arg-type]

    router = Router(views=(Once(),))
    with pytest.raises(ValueError, match="a mistake"):
        router.route("生成 PPT", catalog=DESK)
    assert router.route("生成 PPT", catalog=DESK).vectors


def test_a_view_that_is_no_use_for_a_catalog_is_left_out_without_a_word() -> None:
    class English(ConceptView):
        def fits(self, texts: Sequence[RoutingText]) -> bool:
            return all(text.skill != "bazi" for text in texts)

    main, booster = ConceptView(), English(name="booster")
    shelf, clock = IndexCache(), Hands()
    mixed = shelf.get_index(shelf.get_catalog_view(catalog(PPTX, BAZI), RoutingConstraints()), (main, booster), clock)
    plain = shelf.get_index(shelf.get_catalog_view(catalog(PPTX, WEEKLY), RoutingConstraints()), (main, booster), clock)
    assert (list(mixed.index.views), mixed.notes) == (["concepts"], ())
    assert list(plain.index.views) == ["concepts", "booster"]
    assert booster.synced == [("pptx", "weekly-report")]

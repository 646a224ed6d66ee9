"""Tarot, career, goals and reminders of the life pack."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from metier.language import Language
from metier.packs.life.career import (
    Criterion,
    describe_decision,
    describe_interests,
    describe_unread,
    find_flips,
    rank_options,
    read_criteria,
    read_items,
    read_options,
    read_scores,
    score_answers,
)
from metier.packs.life.coach import read_request
from metier.packs.life.conversation._tarot_tools import draw_cards, prepare_draw
from metier.packs.life.reminders import read_book, send_due
from metier.packs.life.tarot import (
    SPREADS,
    Commitment,
    Position,
    commit,
    draw_from,
    draw_spread,
    load_deck,
    match_spread,
    measure_draws,
    read_draw,
    shuffle_cards,
    verify,
)
from metier.store import Store
from metier.tools import ToolContext, ToolError, function_tool

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def test_the_deck_has_78_cards_with_own_texts_in_both_languages() -> None:
    deck = load_deck()
    assert len({card.id for card in deck}) == 78
    texts = [text for card in deck for side in (card.name, card.upright, card.reversed) for text in (side.zh, side.en)]
    assert all(texts)
    assert len({card.upright.zh for card in deck} | {card.reversed.zh for card in deck}) == 156


def test_the_shuffle_is_the_same_everywhere_and_for_ever() -> None:
    dealt = [f"{one.card.id}{'-r' if one.is_reversed else ''}" for one in shuffle_cards(bytes(32))[:6]]
    expected = ["pentacles-04-r", "pentacles-01-r", "pentacles-02", "wands-14-r", "major-21", "cups-11-r"]
    assert dealt == expected
    assert len({one.card.id for one in shuffle_cards(bytes(32))}) == 78


def test_a_small_sample_of_draws_is_even() -> None:
    """A sample; `metier bench life` draws 100,000 times."""
    fair = measure_draws(400, positions=3)
    assert fair.card_p > 0.001
    assert fair.reversal_p > 0.001


def test_a_draw_is_that_of_its_seed_and_a_changed_one_is_noticed() -> None:
    settled = commit("celtic")
    drawn = draw_from(settled, datetime(2026, 1, 1, tzinfo=UTC))
    assert len(drawn.cards) == 10
    kept = drawn.to_json()
    assert verify(kept)
    assert not verify({**kept, "cards": ["major-00", *["major-01"] * 9]})
    assert commit("three").seed != commit("three").seed


def test_every_spread_is_drawn_and_read_in_both_languages() -> None:
    for name in SPREADS:
        drawn = draw_from(Commitment("x", "00" * 16, name), "2026-01-01")
        for language in LANGUAGES:
            assert draw_spread(drawn, language).startswith("<svg")
            assert all(card.title(language) in read_draw(drawn, language) for card in drawn.cards)


def test_a_spread_is_taken_from_the_words() -> None:
    said = {"抽一张牌": "single", "draw one tarot card": "single", "凯尔特十字": "celtic", "用塔罗看看": "three"}
    assert {text: match_spread(text)[0].id for text in said} == said
    assert not match_spread("用塔罗看看")[1]


def test_the_place_of_a_card_shapes_its_reading() -> None:
    assert [match_spread(text)[0].id for text in ("过去现在未来各抽一张", "a past, present and future reading")] == [
        "time",
        "time",
    ]
    assert match_spread("看看我的未来")[0].id == "three"
    for spread in SPREADS.values():
        assert len(spread.positions) == len(spread.places)
    drawn = draw_from(Commitment("x", "00" * 16, "time"), "2026-01-01")
    same = {shown: draw_from(Commitment("x", "00" * 16, shown), "2026-01-01") for shown in ("three", "time")}
    assert same["three"].cards == same["time"].cards
    for language in LANGUAGES:
        texts = [read_draw(one, language).split("\n\n")[:3] for one in same.values()]
        assert all(card.text(language) in text for card, text in zip(drawn.cards, texts[1], strict=True))
        assert not set(texts[0]) & set(texts[1])  # the same cards say something else elsewhere
        turned = [[place.frame_card(language, is_reversed=way) for way in (False, True)] for place in _list_positions()]
        assert len({text for pair in turned for text in pair}) == 2 * len(turned)


def _list_positions() -> list[Position]:
    return [place for spread in SPREADS.values() for place in spread.positions]


def test_interests_are_counted_two_items_a_type_and_called_unvalidated() -> None:
    assert len(read_items()) == 12
    points = score_answers({item.id: 5 if item.type == "S" else 2 for item in read_items()})
    assert points["S"] == 10
    for language, word in zip(LANGUAGES, ("检验", "validated"), strict=True):
        told = describe_interests(points, language)
        assert str(told["code"]).startswith("S")
        assert word in str(told["summary"])


def test_the_weight_that_would_change_the_winner_really_does() -> None:
    options, criteria = ("A", "B"), (Criterion("pay", 3), Criterion("growth", 5), Criterion("calm", 2))
    scores = ((8.0, 6.0, 8.0), (5.0, 9.0, 4.0))
    assert rank_options(options, criteria, scores)[0][0] == "A"
    flips = find_flips(options, criteria, scores)
    assert {flip.criterion for flip in flips} == {"pay", "growth", "calm"}
    for flip in flips:
        moved = flip.at + (0.01 if flip.is_above else -0.01)
        changed = [Criterion(one.name, moved if one.name == flip.criterion else one.weight) for one in criteria]
        assert rank_options(options, changed, scores)[0][0] == "B", flip
    tied: Any = describe_decision(options, (Criterion("pay", 1),), ((5.0,), (5.0,)), "en")
    assert tied["winner"] is None


def test_options_weights_and_scores_are_read_from_plain_words() -> None:
    assert read_options("去大厂还是留在创业公司，帮我做个决策矩阵") == ("去大厂", "留在创业公司")
    assert read_options("Should I take the job in Berlin or stay in Leeds?") == (
        "take the job in Berlin",
        "stay in Leeds",
    )
    assert read_options("帮我做个选择") == ()
    criteria, is_read = read_criteria("收入:3，成长：5", "zh")
    assert (is_read, [one.weight for one in criteria]) == (True, [3.0, 5.0])
    assert read_criteria("随便", "zh")[1] is False
    assert read_scores("B 1 2\nA 3 4", ("A", "B"), 2) == ((3.0, 4.0), (1.0, 2.0))
    assert read_scores("不知道", ("A", "B"), 2) is None
    in_one_line = "决策矩阵：去大厂 8 7 留在创业公司 6 9"
    assert read_scores(in_one_line, ("去大厂", "留在创业公司"), 2) == ((8.0, 7.0), (6.0, 9.0))
    assert read_scores("去大厂 8 留在创业公司 6 9", ("去大厂", "留在创业公司"), 2) is None
    assert read_scores("stay on 8, stay 6", ("stay", "stay on"), 1) == ((6.0,), (8.0,))


def test_the_example_of_scores_is_understood() -> None:
    options = ("去大厂", "留在创业公司", "休息一年")
    told = describe_unread(options, 2, "zh")
    assert read_scores(told.rpartition("比如：")[2], options, 2) == ((8.0, 7.0), (7.0, 6.0), (6.0, 8.0))


def test_a_goal_is_the_user_s_own_words() -> None:
    found = read_request("我想每周跑步三次，帮我定个目标")
    assert (found.mode, found.goal, found.cadence) == ("goal", "每周跑步三次", "thrice")
    assert read_request("帮我定一个目标").goal == ""
    assert read_request("打卡").mode == "checkin"
    assert read_request("忘掉我说的话").mode == "forget"


def test_reminders_keep_the_zone_the_quiet_hours_and_the_cooldown() -> None:
    items = {"a": {"text": "walk", "at": "21:00"}, "b": {"text": "late", "at": "23:00"}}
    book = read_book({"zone": "Asia/Shanghai", "quiet": ["22:30", "08:00"], "items": items})
    at = datetime.fromisoformat
    assert [one.id for one in book.find_due(at("2026-11-16T21:05+08:00"))] == ["a"]
    assert [one.id for one in book.find_due(at("2026-11-16T13:05+00:00"))] == ["a"]
    assert book.find_due(at("2026-11-16T23:30+08:00")) == ()
    assert book.find_due(at("2026-11-17T03:00+08:00")) == ()
    assert [one.id for one in book.find_due(at("2026-11-17T08:30+08:00"))] == ["a", "b"]
    assert read_book({"items": items, "paused": "2026-11-16"}).find_due(at("2026-11-16T21:05+08:00")) == ()


async def test_a_second_run_sends_nothing(tmp_path: object) -> None:
    now = datetime.fromisoformat("2026-11-16T21:05+08:00")
    async with Store.open(f"sqlite:///{tmp_path}/x.sqlite3") as store:
        await store.profiles.set(
            "local", {"life_context": {"reminders": {"items": {"a": {"text": "walk", "at": "21:00"}}}}}
        )
        assert [one.text for one in await send_due(store, now)] == ["walk"]
        assert await send_due(store, now) == ()
        assert await send_due(store, now + timedelta(minutes=5)) == ()
        assert [one.id for one in await send_due(store, now + timedelta(days=1))] == ["a"]
        # Somebody without an account, such as `metier run --user ann`, is reminded too.
        items = {"items": {"b": {"text": "read", "at": "21:00"}}}
        await store.profiles.set("ann", {"life_context": {"reminders": items}})
        assert [(one.user, one.text) for one in await send_due(store, now)] == [("ann", "read")]


def test_the_same_deck_is_never_dealt_twice_with_other_cards(tmp_path: Path) -> None:
    """A retry, a resumed turn and a reload call the tool again with the same id."""
    pending = Commitment("abc", "11" * 16, "three").to_json()
    begun = ToolContext(tmp_path, user_data={"skill_data": {"tarot": {"pending": pending}}})
    first, retried = draw_cards(begun, "abc"), draw_cards(begun, "abc")
    assert first.data is not None
    assert retried.data is not None
    assert first.data["cards"] == retried.data["cards"]
    kept = first.keep["skill_data.tarot.draws"]
    later = draw_cards(ToolContext(tmp_path, user_data={"skill_data": {"tarot": {"draws": kept}}}), "abc", "en")
    assert later.data is not None
    assert (later.data["cards"], later.data["seed"]) == (first.data["cards"], "11" * 16)
    assert not later.keep
    with pytest.raises(ToolError, match="no deck"):
        draw_cards(ToolContext(tmp_path), "abc")
    assert "seed" not in function_tool(prepare_draw).spec.parameters["properties"]  # type: ignore[operator]

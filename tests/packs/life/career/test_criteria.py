"""Aspects and weights in plain words: denial is never praise, and what is not understood whole is not taken."""

from itertools import product

import pytest

from metier.packs.life.career import exceeds_scale, list_unread, read_criteria, read_single

DENIED = {
    "zh": (
        "@不是最重要的", "@没那么重要", "@并不是很重要", "@也不怎么重要", "@不重要", "@绝非最重要", "@谈不上重要",
        "最重要的不是@", "我不看重@", "@不是第一位", "@无所谓", "@一点都不重要", "@未必重要", "@哪里重要",
    ),
    "en": (
        "@ isn't the most important", "@ is not very important", "@ never matters", "@ doesn't matter",
        "@ is unimportant",
        "@ isn't my top priority", "I don't care about @", "the most important thing isn't @", "@ seldom matters",
        "@ is hardly important", "@ doesn’t come first", "@ is not at all important",
    ),
}  # fmt: skip
AFFIRMED = {
    "zh": ("@最重要", "@很重要", "但@也重要", "最看重的是@", "首先是@", "其次@", "没有什么比@更重要", "@才是最重要的"),
    "en": ("@ matters most", "@ is important", "but @ matters", "first @", "nothing is more important than @"),
}  # fmt: skip
NAMES = {"zh": ("收入", "成长"), "en": ("pay", "growth")}
CASES = [
    (form, other, is_first, language)
    for language in ("zh", "en")
    for form, other, is_first in product(DENIED[language], AFFIRMED[language], (True, False))
]


def _read(said: str) -> dict[str, float] | None:
    found, is_read = read_criteria(said, "zh")
    return {one.name: one.weight for one in found} if is_read else None


def test_a_denied_aspect_never_weighs_as_much_as_an_affirmed_one() -> None:
    taken = 0
    for denied, affirmed, is_first, language in CASES:
        low, high = NAMES[language]
        clauses = [denied.replace("@", low), affirmed.replace("@", high)]
        read = _read((", " if language == "en" else "，").join(clauses if is_first else clauses[::-1]))
        if read is not None:
            taken += 1
            assert set(read) == {low, high}, (clauses, read)
            assert read[low] < read[high], (clauses, read)
    assert taken > 0.7 * len(CASES)


@pytest.mark.parametrize(
    ("said", "weights"),
    [
        ("最重要的不是钱，是稳定", {"钱": 2, "稳定": 5}),
        ("最重要的是稳定，而不是钱", {"稳定": 5, "钱": 2}),
        ("收入不是第一位，健康才是", {"收入": 2, "健康": 5}),
        ("pay isn't the most important, growth is", {"pay": 2, "growth": 5}),
        ("不加班最重要，其次收入", {"不加班": 5, "收入": 4}),
        ("收入最重要，其次成长，通勤不太重要", {"收入": 5, "成长": 4, "通勤": 1}),
        ("收入60%，成长40%", {"收入": 6, "成长": 4}),
        ("收入占六成，成长占4成", {"收入": 6, "成长": 4}),
        ("收入百分之三十五，成长百分之六十五", {"收入": 3.5, "成长": 6.5}),
        ("收入占一半，成长占三成，稳定占两成", {"收入": 5, "成长": 3, "稳定": 2}),
        ("60% pay, 40% growth", {"pay": 6, "growth": 4}),
        ("收入:3 成长:5 离家近:2", {"收入": 3, "成长": 5, "离家近": 2}),
        ("收入>成长=稳定>生活", {"收入": 5, "成长": 4, "稳定": 4, "生活": 3}),
        ("a=b, c=b, c>d", {"a": 5, "b": 5, "c": 5, "d": 4}),
        ("the commute matters more than pay", {"commute": 5, "pay": 4}),
        ("成长不如收入重要，收入没有健康重要", {"健康": 5, "收入": 4, "成长": 3}),
        ("nothing is more important than family, pay second", {"family": 5, "pay": 4}),
        ("work-life balance and pay, pay first", {"work-life balance": 3, "pay": 5}),
    ],
)
def test_shares_comparisons_and_what_a_clause_leaves_unsaid_are_read(said: str, weights: dict[str, float]) -> None:
    assert _read(said) == weights


@pytest.mark.parametrize(
    "said",
    [
        "pay > growth, stability", "A>B, B>A", "A>B, A=B", "last year's bonus, first-class team", "收入5，成长",
        "收入最重要，成长5", "收入60%，成长4", "pay growth stability", "收入5成长3", "收入既重要又不重要，成长重要",
        "收入最重要，收入不重要", "not pay, growth", "growth is, pay isn't", "I do not know, help me",
        "收入 -3，成长 5",
    ],
)  # fmt: skip
def test_what_is_not_understood_whole_is_not_taken(said: str) -> None:
    assert _read(said) is None


@pytest.mark.parametrize(
    "more", ["如果加班", "看你", "不知道", "unless I move", "it depends", "what do you think", "7"]
)
@pytest.mark.parametrize(
    "said", ["收入最重要，其次成长", "收入:3，成长:5", "收入60%，成长40%", "A>B", "pay first, then growth"]
)
def test_a_clause_that_says_something_else_makes_the_whole_unread(said: str, more: str) -> None:
    assert _read(f"{said}，{more}") is None
    assert _read(f"{more}，{said}") is None


def test_numbers_beyond_the_scale_keep_their_order_and_proportion() -> None:
    assert _read("收入15，成长12，稳定1") == {"收入": 10, "成长": 8, "稳定": 0.67}
    assert exceeds_scale("收入15，成长12，稳定1")
    assert not exceeds_scale("收入10，成长2")


@pytest.mark.parametrize(
    "said", ["收入15，成长12，稳定1", "不加班最重要，其次收入", "first-class team, pay", "A>B>C>D>E>F>G"]
)
def test_weights_that_were_written_down_are_read_again_as_they_were(said: str) -> None:
    found, is_read = read_criteria(said, "en")
    again = read_criteria(", ".join(f"{one.name}:{one.weight:g}" for one in found), "en")
    assert (is_read, again) == (True, (found, True))


def test_what_matters_more_and_what_does_not_is_read() -> None:
    assert _read("更看重收入，稳定性无所谓") == {"收入": 4, "稳定性": 1}
    assert _read("i care more about growth, pay does not matter") == {"growth": 4, "pay": 1}


def test_a_single_aspect_keeps_its_weight_beside_the_common_ones() -> None:
    found, is_read = read_criteria("收入最重要", "zh")
    assert (is_read, [(one.name, one.weight) for one in found]) == (
        False,
        [("收入", 5.0), ("成长", 3.0), ("稳定", 3.0), ("生活", 3.0)],
    )
    single = read_single("收入最重要")
    assert single is not None
    assert single.name == "收入"
    assert read_single("随便") is None


def test_words_that_say_no_weight_are_named() -> None:
    assert list_unread("收入最重要，别的谁知道呢") == ("别的谁知道",)
    assert list_unread("收入最重要，稳定无所谓") == ()

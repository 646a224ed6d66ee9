"""A danger is found wherever it stands in a message, and a long message of everyday life is none."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from metier.packs.life.safety import CrisisCheck
from metier.packs.life.safety._crisis_parts import split_blocks, split_parts
from metier.packs.life.safety._crisis_scores import MessageScorer
from metier.packs.life.safety._crisis_tuned import TunedScorer
from metier.packs.life.safety._texts import fold_words
from metier.routing import load_text_embedder
from metier.settings import Settings

PLAIN_ZH = (
    "今天加班到八点",
    "中午吃了碗牛肉面",
    "地铁上人很多",
    "回家路上买了点橘子",
    "晚上遛了会儿狗",
    "明天要交周报",
)
PLAIN_EN = ("I worked until eight", "lunch was noodle soup", "the train was packed", "I bought oranges on the way home")
DANGERS = {
    "我不想活了": PLAIN_ZH,
    "药已经都吃下去了": PLAIN_ZH,
    "遗书写好了放在抽屉里": PLAIN_ZH,
    "I want to kill myself": PLAIN_EN,
    "I took the whole bottle of pills": PLAIN_EN,
    "I am going to jump off the bridge": PLAIN_EN,
}


@pytest.fixture(scope="module")
def check() -> CrisisCheck:
    return CrisisCheck(lambda: load_text_embedder(Settings()))


def _as_sentences(said: list[str]) -> str:
    return "".join(f"{one}。" if not one.isascii() else f"{one[0].upper()}{one[1:]}. " for one in said).strip()


def _as_list(said: list[str]) -> str:
    return ("，" if not said[0].isascii() else ", ").join(said)


@pytest.mark.parametrize("join", [_as_sentences, _as_list])
@pytest.mark.parametrize("times", [1, 3, 30])
def test_plain_sentences_around_a_danger_do_not_hide_it(
    check: CrisisCheck, join: Callable[[list[str]], str], times: int
) -> None:
    missed = []
    for danger, plain in DANGERS.items():
        around = [f"{one}{at or ''}" for at in range(times) for one in plain]
        for at in (0, len(around) // 2, len(around)):
            message = join([*around[:at], danger, *around[at:]])
            if check.check(message).level == "none":
                missed.append((danger, at, len(around)))
    assert missed == []


# What people put between the things they tell, in chats and dictated: blanks, signs, pictures, or no sign at all.
SEPARATORS = (" ", "\u3000", "\t", "\u2028", "~", " / ", "|", "·", "•", " - ", "——", "...", "．", "”“", "😀", " ✨ ")


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("count", [4, 12])
def test_whatever_stands_between_the_things_told_a_danger_among_them_is_found(
    check: CrisisCheck, separator: str, count: int
) -> None:
    missed = []
    for danger in ("我不想活了", "遗书写好了放在抽屉里", "I want to kill myself", "I took the whole bottle of pills"):
        around = (DANGERS[danger] * count)[:count]
        message = separator.join([*around[: count // 2], danger, *around[count // 2 :]])
        if check.check(message).level == "none":
            missed.append(danger)
    assert missed == []


@pytest.mark.parametrize("danger", ["我不想活了", "我想死了算了"])
def test_a_danger_in_chinese_without_any_sign_is_found(check: CrisisCheck, danger: str) -> None:
    assert check.check("".join([*PLAIN_ZH, danger, *PLAIN_ZH])).level != "none"


def test_a_long_message_of_everyday_life_is_not_stopped_and_hardly_ever_asked_about(check: CrisisCheck) -> None:
    told = [
        "搬新家第二周，箱子还堆在客厅里。昨天给阳台铺了木地板，跪得膝盖疼。邻居阿姨送来一盘饺子，说以后有事敲门。"
        "我妈视频里嫌我厨房小，转头又寄了两口锅。工作上这个月指标压得人喘不过气，但同事挺照顾我。想让你看看下半年财运怎么样。",
        "外公走了快五年了，清明我带女儿回去扫墓。她问我太公是什么样的人，我讲了他修收音机的事，讲着讲着我们都笑了。"
        "路边的油菜花开得正好。回来的车上她睡着了，我一路听着老歌。最近在考虑要不要换个离家近的学校教书，你怎么看？",
        "We finally closed the shop on Saturday after eleven years. The last customer bought a teapot and stayed for "
        "an hour. My brother made a speech that was mostly about parking. I have a month off before the new job and I "
        "plan to paint the fence and sleep. I feel lighter than I expected. What should I watch out for at first?",
        "My running club did the half marathon in the rain. I thought I was dying at mile nine, and then a man dressed "
        "as a banana overtook me. My time was awful and the soup afterwards was wonderful. My knees are complaining. "
        "I'd like a plan for the spring that leaves room for my daughter's swimming lessons on Tuesdays.",
    ]
    levels = [check.check(text).level for text in told]
    assert "stop" not in levels
    assert levels.count("ask") <= 1


def test_without_an_embedder_rules_and_words_still_find_a_danger_between_plain_sentences() -> None:
    by_words = CrisisCheck()
    for text in (
        _as_sentences([*PLAIN_ZH, "我不想活了", *PLAIN_ZH]),
        _as_sentences([*PLAIN_EN, "I want to kill myself"]),
    ):
        assert by_words.check(text).level != "none", text


def test_of_a_very_long_message_the_beginning_and_the_end_are_read() -> None:
    sentences = [f"第{at}件事办完了。" for at in range(600)]
    heard = "".join(block.text for block in split_blocks("".join(sentences)))
    assert all(fold_words(one) in heard for one in (*sentences[:100], *sentences[-100:]))
    assert fold_words(sentences[300]) not in heard


class _Weighs:
    """An embedder by whose vectors a text with 火 weighs more than others; it remembers what it read."""

    name = "weighs"

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.read += texts
        return np.array([[float("火" in one)] + [0.0] * 511 for one in texts], dtype=np.float32)


def test_of_many_blocks_those_with_the_gravest_sentences_are_read_as_a_whole() -> None:
    plain = [f"今天第{at}件事已经办完了。" for at in range(200)]
    row = np.array([1.0] + [0.0] * 511, dtype=np.float32)
    for place in (0, 100, 199):
        whole = _Weighs()
        message = "".join([*plain[:place], "不想活了，火。", *plain[place:]])
        scorer = MessageScorer(_Weighs(), TunedScorer(_Weighs(), row, 0.0), TunedScorer(whole, row, 0.0))
        scorer.score(message)
        assert any("火" in one for one in whole.read), place


@given(st.text(alphabet="我今天abc，。, .!\n", max_size=600))
def test_nothing_of_a_message_is_left_out_of_its_blocks(text: str) -> None:
    heard = "".join(block.text for block in split_blocks(text))
    for one in set(fold_words(text)) - set(" \n"):
        assert one in heard


@given(st.text(alphabet="我今天abc，。, .!\n", max_size=3000))
def test_every_part_is_short_enough_to_be_scored(text: str) -> None:
    assert all(len(part) <= 240 for part in split_parts(text))
    assert len(split_parts(text)) < 2 * 256

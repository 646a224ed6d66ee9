"""The same words over and over, and data, tell of no danger; what is said beside them is still heard."""

import base64
import random

import pytest

from metier.packs.life.safety import CrisisCheck
from metier.packs.life.safety._crisis_noise import drop_noise
from metier.routing import load_text_embedder
from metier.settings import Settings

SAID_AGAIN = ("呢", "再来一次", "继续", "算了", "我", "啊", "1", "no ", "ok ", "again ", "hello ", "下一步。", "😭")
DANGERS = ("我不想活了", "我今晚就要去死", "I want to kill myself", "I took the whole bottle of pills")


@pytest.fixture(scope="module")
def check() -> CrisisCheck:
    return CrisisCheck(lambda: load_text_embedder(Settings()))


def _make_data(count: int) -> dict[str, str]:
    """Kinds of text that nobody says: random characters, keys, numbers, code."""
    some = random.Random(11)
    numbers = "\n".join(",".join(str(some.randrange(1000)) for _ in range(6)) for _ in range(count))
    return {
        "hex": some.randbytes(count * 4).hex(),
        "base64": base64.b64encode(some.randbytes(count * 4)).decode(),
        "numbers": numbers,
        "characters": "".join(chr(some.randrange(0x4E00, 0x9FA5)) for _ in range(count * 4)),
        "letters": " ".join("".join(some.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(count)),
        "code": "def double(x):\n    return x * 2  # no side effect\n\n" * count,
    }


@pytest.mark.parametrize("times", [30, 500, 3000])
def test_the_same_words_over_and_over_are_no_danger(check: CrisisCheck, times: int) -> None:
    assert [one for one in SAID_AGAIN if check.check(one * times).level != "none"] == []


@pytest.mark.parametrize("count", [10, 60, 200])
def test_data_is_no_danger(check: CrisisCheck, count: int) -> None:
    assert [name for name, text in _make_data(count).items() if check.check(text).level != "none"] == []


@pytest.mark.parametrize("danger", DANGERS)
def test_a_danger_is_heard_over_and_over_and_beside_noise(check: CrisisCheck, danger: str) -> None:
    said = [f"{danger}。" * 40, *(f"{one * 500}\n{danger}" for one in SAID_AGAIN), f"{danger}\n{'呢' * 9000}"]
    said += [f"{text}\n{danger}" for text in _make_data(30).values()]
    assert [one[-60:] for one in said if check.check(one).level == "none"] == []


def test_words_written_together_are_no_data() -> None:
    assert drop_noise("iwanttokillmyselftonight2026") == "iwanttokillmyselftonight2026"
    assert drop_noise("3f9a8c1d77e0b2a4c6d8e0f1 then") == "  then"

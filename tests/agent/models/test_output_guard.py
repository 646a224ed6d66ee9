"""Output without end is noticed while it comes in; long output that says something is not."""

import random

import pytest

from metier.agent.models._output_guard import OutputGuard, is_monotonous


def read(guard: OutputGuard, *pieces: str) -> str:
    """What the guard lets pass until it says stop."""
    passed = ""
    for piece in pieces:
        passed += guard.admit(piece)
        if guard.reason:
            break
    return passed


ENDLESS = {
    "the same words": ["and so on, "] * 20_000,
    "the same words with a counter": [
        f"Then I look at cell {number} again and find the same. " for number in range(9_000)
    ],
    "the same lines in another order": random.Random(7).choices(
        ["The cell is weak.\n", "I look again.\n", "Let me check it.\n"], k=20_000
    ),
    "the same words in Chinese": [f"第 {number} 步，继续检查这个小区的覆盖情况。" for number in range(9_000)],
}


@pytest.mark.parametrize("pieces", ENDLESS.values(), ids=ENDLESS)
def test_output_that_goes_in_circles_is_stopped_early(pieces: list[str]) -> None:
    guard = OutputGuard()
    assert len(read(guard, *pieces)) < 10_000
    assert guard.reason == "loop"


def _words(seed: int, count: int) -> str:
    pick = random.Random(seed)
    return " ".join("".join(pick.choices("abcdefghijklmnoprstuvw", k=pick.randint(2, 9))) for _ in range(count))


NAMES = list(enumerate(_words(2, 900).split()))
LONG = {
    "prose": _words(1, 4_000),
    "a table of figures": "".join(
        f"| {name} | {n * 37 % 101} | -{n % 40 + 80}.{n % 7} |\n" for n, name in enumerate(_words(2, 900).split())
    ),
    "figures alone": "".join(f"{n * 37 % 1009},{n * 91 % 997},-{n % 40 + 80}.{n % 7}\n" for n in range(2_000)),
    "code": "".join(f"def {name}(x):\n    return x + {n}\n\n" for n, name in NAMES),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_output_that_says_something_passes(text: str) -> None:
    guard = OutputGuard()
    pieces = [text[at : at + 40] for at in range(0, len(text), 40)]
    assert read(guard, *pieces) == text
    assert guard.reason == ""


def test_output_is_cut_at_the_limit_exactly() -> None:
    guard = OutputGuard(100)
    assert read(guard, "a" * 60, "b" * 60, "c") == "a" * 60 + "b" * 40
    assert guard.reason == "length"


def test_a_reply_in_one_piece_is_cut_like_a_stream() -> None:
    guard = OutputGuard()
    assert len(read(guard, "One. " + "Two, three. " * 2_000)) < 40
    assert guard.reason == "loop"


def test_similar_items_of_a_list_are_not_a_loop_in_arguments() -> None:
    steps = [f'{{"id": "s{n}", "title": "look at the cell", "call": "find"}}, ' for n in range(500)]
    guard = OutputGuard(near=False)
    assert read(guard, *steps) == "".join(steps)
    assert is_monotonous("".join(steps))

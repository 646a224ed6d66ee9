from metier.context import TokenCounter


def test_a_text_is_counted_once() -> None:
    asked: list[str] = []

    def count(text: str) -> int:
        asked.append(text)
        return len(text)

    counter = TokenCounter(count)
    assert [counter("弱覆盖"), counter("弱覆盖"), counter("x")] == [3, 3, 1]
    assert asked == ["弱覆盖", "x"]


def test_nothing_costs_nothing() -> None:
    assert TokenCounter()("") == 0


def test_a_full_memory_is_emptied_and_goes_on() -> None:
    counter = TokenCounter(len, max_entries=2)
    assert [counter("x" * size) for size in (1, 2, 3, 1)] == [1, 2, 3, 1]
    assert len(counter._known) <= 2


def test_half_a_character_is_no_reason_to_fail() -> None:
    assert TokenCounter()("a\ud800") > 0

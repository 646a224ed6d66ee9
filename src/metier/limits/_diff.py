"""Differences between two texts in bounded time: `difflib` alone takes minutes for some texts of ten thousand lines."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from typing import Final

_MAX_PAIRS: Final = 250_000  # of lines that are compared between two anchors; more are told as replaced
_MAX_ALL_PAIRS: Final = 2_000_000


def diff_lines(old: Sequence[str], new: Sequence[str], before: str, after: str, *, context: int = 3) -> Iterator[str]:
    """Lines of a unified diff with its two header lines; nothing if the texts are equal.

    Lines that occur once in each text, in the same order, are anchors. Between two anchors `difflib` compares; what is
    too long for it is told as removed and added.
    """
    if old == new:
        return
    yield from (f"--- {before}", f"+++ {after}")
    matcher = _AnchoredMatcher(old, new)
    for group in matcher.get_grouped_opcodes(context):
        first, last = group[0], group[-1]
        yield f"@@ -{_write_range(first[1], last[2])} +{_write_range(first[3], last[4])} @@"
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from (f" {line}" for line in old[start:end])
                continue
            yield from (f"-{line}" for line in old[start:end])
            yield from (f"+{line}" for line in new[new_start:new_end])


class _AnchoredMatcher(SequenceMatcher[str]):
    """Finds the blocks that two texts share, between anchors; the rest of `SequenceMatcher` works on them."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__(None, old, new)
        self._texts = (old, new)

    def get_matching_blocks(self) -> list[Match]:
        old, new = self._texts
        joined: list[Match] = []
        for one in _find_blocks(old, new):
            last = joined[-1] if joined else None
            if last is not None and (last.a + last.size, last.b + last.size) == (one.a, one.b):
                joined[-1] = Match(last.a, last.b, last.size + one.size)
            elif one.size:
                joined.append(one)
        return [*joined, Match(len(old), len(new), 0)]


def _find_blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[Match]:
    shortest = min(len(old), len(new))
    head = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    tail = next((at for at in range(shortest - head) if old[-1 - at] != new[-1 - at]), shortest - head)
    yield Match(0, 0, head)
    start, new_start = head, head
    ends, left = (len(old) - tail, len(new) - tail), _MAX_ALL_PAIRS
    for at, new_at in (*_find_anchors(old, new, head, ends), ends):
        if 0 < (pairs := (at - start) * (new_at - new_start)) <= min(_MAX_PAIRS, left):
            left -= pairs
            inner = SequenceMatcher(None, old[start:at], new[new_start:new_at])
            yield from (Match(one.a + start, one.b + new_start, one.size) for one in inner.get_matching_blocks())
        if (at, new_at) != ends:
            yield Match(at, new_at, 1)
        start, new_start = at + 1, new_at + 1
    yield Match(*ends, tail)


def _find_anchors(old: Sequence[str], new: Sequence[str], head: int, ends: tuple[int, int]) -> list[tuple[int, int]]:
    """The longest run of pairs of lines that are the same, occur once in each text and keep their order."""
    counts, new_counts = Counter(old[head : ends[0]]), Counter(new[head : ends[1]])
    places = {new[at]: at for at in range(head, ends[1]) if new_counts[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(head, ends[0]) if counts[old[at]] == 1 and old[at] in places]
    piles: list[int] = []  # the smallest end of a run of each length, with the pair it belongs to
    tops: list[int] = []
    before: list[int | None] = []
    for number, (_, new_at) in enumerate(pairs):
        pile = bisect_left(piles, new_at)
        before.append(tops[pile - 1] if pile else None)
        piles[pile : pile + 1] = [new_at]
        tops[pile : pile + 1] = [number]
    run: list[tuple[int, int]] = []
    at: int | None = tops[-1] if tops else None
    while at is not None:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]


def _write_range(start: int, end: int) -> str:
    """Lines as a unified diff names them: the first and how many; an empty range begins at the line before."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"

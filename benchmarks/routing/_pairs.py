"""Measures routers on messages that ask for two skills."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from benchmarks.routing._contest import BenchRouter, SampleSize, one_thread
from benchmarks.routing._data import LabelledSet, draw, draw_pairs
from benchmarks.routing._measures import percent, share_error

_BOTH = 2
_THREE = 3


@dataclass(frozen=True, slots=True)
class PairRow:
    """Result of one router: how often both skills are its first two, or among three, in percent."""

    set: str
    router: str
    messages: int
    both: float
    among: float

    @property
    def both_error(self) -> float:
        """Standard error of `both`."""
        return share_error(self.both, self.messages)

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "both_error": round(self.both_error, 2)}


def measure_pairs(
    labelled: LabelledSet,
    routers: Sequence[BenchRouter],
    size: SampleSize,
    *,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[PairRow]:
    """Yield a row per router with names and ten examples, over all draws; nothing if the set has no pairs."""
    for router in routers:
        if not labelled.pairs or not router.accepts(chinese=labelled.chinese):
            continue
        found: list[tuple[bool, bool]] = []
        for number in range(size.draws):
            skills = draw(labelled, number, messages=size.messages, seed=size.seed).limit_skills("10")
            known = {skill.id for skill in skills}
            with one_thread():
                router.fit(skills)
                for message, meant in draw_pairs(labelled, number, messages=size.messages, seed=size.seed):
                    if known.issuperset(meant):
                        ranked = [skill for skill, _ in router.ask(message).ranked]
                        found.append((meant <= set(ranked[:_BOTH]), meant <= set(ranked[:_THREE])))
        both, among = (percent(sum(one[at] for one in found), len(found)) for at in (0, 1))
        say(f"{labelled.name}, two asks: {router.name}: {both:.1f} / {among:.1f} %")
        yield PairRow(labelled.name, router.name, len(found), round(both, 2), round(among, 2))

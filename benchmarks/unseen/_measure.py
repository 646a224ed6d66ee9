"""Measures Metier and its peers on every catalog: first choice, calibration, verdicts, and messages made harder."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Final

from benchmarks.routing import calibration_error, calibration_error_by_chance
from benchmarks.unseen._catalogs import Asked, TestCatalog
from metier.routing import Decision, Router, open_router
from metier.settings import load_settings
from metier.skills import Catalog
from metier.textsearch import has_cjk

if TYPE_CHECKING:
    from benchmarks.unseen._peers import PeerEncoders

PrintLine = Callable[[str], None]
# Sets that the shipped maps were learned from: what they show is not what a new catalog will show.
SEEN_FAMILIES: Final = frozenset(("clinc", "massive", "metatool"))
_HARDER: Final = 60
_MIN_COMPARED: Final = 2
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class CatalogRow:
    """Figures of one catalog, in percent; `harder` are accuracies on messages that were made harder.

    `by_chance` is the calibration error of a router whose probabilities hold exactly, over as many messages.

    `lead` is the distance to the best peer over the same messages, `lead_error` the standard error of that difference.
    """

    catalog: str
    family: str
    told: str
    seen: bool
    messages: int
    first: float
    calibration: float
    auto: float
    right_in_auto: float
    wrong_auto: float
    none: float
    removed_auto: float
    split: float
    harder: Mapping[str, float] = field(default_factory=dict)
    peers: Mapping[str, float] = field(default_factory=dict)
    lead: float | None = None
    lead_error: float | None = None
    by_chance: float | None = None

    def to_json(self) -> dict[str, object]:
        """Figures with one digit."""
        return {
            name: round(value, 1)
            if isinstance(value, float)
            else _round_all(value)
            if isinstance(value, dict)
            else value
            for name, value in asdict(self).items()
        }


def _round_all(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 1) for name, value in values.items()}


def measure(
    catalogs: Sequence[TestCatalog], cache: Path, *, peers: bool = True, say: PrintLine = lambda _: None
) -> Iterator[CatalogRow]:
    """Measure catalog after catalog; vectors are kept in the cache folder."""
    router = open_router(load_settings({"storage_dir": cache / "storage"}))
    encoders = _open_encoders(cache) if peers else None
    for catalog in catalogs:
        row = _measure_one(router, catalog, encoders)
        say(f"{catalog.title}: {row.to_json()}")
        yield row


def _open_encoders(cache: Path) -> "PeerEncoders":
    # Imported only for peers: an earlier checkout, measured without them, lacks what they need.
    from benchmarks.unseen._peers import PeerEncoders

    return PeerEncoders(cache)


def _measure_one(router: Router, catalog: TestCatalog, encoders: "PeerEncoders | None") -> CatalogRow:
    skills = Catalog.from_skills(list(catalog.skills))
    router.prepare(skills)

    def route(text: str) -> Decision:
        return router.route(text, catalog=skills)

    found = [(one, route(one.text)) for one in catalog.asked]
    right = [_is_first(one, decision) for one, decision in found]
    scores = [decision.candidates[0].score if decision.candidates else 0.0 for _, decision in found]
    autos = [decision.verdict == "auto" for _, decision in found]
    taken = [hit for hit, auto in zip(right, autos, strict=True) if auto]
    removed = [route(one.text).verdict == "auto" for one in catalog.removed]
    peers = {} if encoders is None else _ask_peers(catalog, encoders)
    return CatalogRow(
        catalog.name,
        catalog.family,
        catalog.told,
        catalog.family in SEEN_FAMILIES,
        len(found),
        _percent(right),
        calibration_error(scores, right),
        _percent(autos),
        _percent(taken),
        100 * (len(taken) - sum(taken)) / max(len(found), 1),
        _percent([decision.verdict == "none" for _, decision in found]),
        _percent(removed),
        _percent([len(decision.skills) > 1 for _, decision in found]),
        _measure_harder(route, catalog),
        {name: _percent(hits) for name, hits in peers.items()},
        *_compare_with_best(right, peers),
        calibration_error_by_chance(scores),
    )


def _is_first(one: Asked, decision: Decision) -> bool:
    return bool(decision.candidates) and decision.candidates[0].skill in one.meant


def _ask_peers(catalog: TestCatalog, encoders: "PeerEncoders") -> dict[str, list[bool]]:
    """Whether each peer is right, by message."""
    from benchmarks.unseen._peers import list_peers

    chinese = any(has_cjk(one.text) for one in catalog.asked)
    texts = [one.text for one in catalog.asked]
    found: dict[str, list[bool]] = {}
    for name, rank in list_peers(encoders, chinese=chinese).items():
        best = rank(catalog.skills, texts).argmax(axis=1)
        found[name] = [catalog.skills[int(at)].id in one.meant for at, one in zip(best, catalog.asked, strict=True)]
    return found


def _compare_with_best(right: Sequence[bool], peers: Mapping[str, Sequence[bool]]) -> tuple[float | None, float | None]:
    """Points ahead of the best peer, and the standard error of that over the same messages."""
    if not peers or len(right) < _MIN_COMPARED:
        return None, None
    best = max(peers.values(), key=sum)
    ahead = [float(ours) - float(theirs) for ours, theirs in zip(right, best, strict=True)]
    return 100 * fmean(ahead), 100 * stdev(ahead) / sqrt(len(ahead))


def _measure_harder(route: Callable[[str], Decision], catalog: TestCatalog) -> dict[str, float]:
    """Accuracy on a sample as it is, with two typos, and after or before other text."""
    chance = random.Random(catalog.title)  # noqa: S311 - repeatable
    sample = chance.sample(catalog.asked, min(_HARDER, len(catalog.asked)))
    chinese = any(has_cjk(one.text) for one in sample)
    filler = _FILLER_ZH if chinese else _FILLER_EN
    kinds: dict[str, Callable[[str], str]] = {
        "as it is": lambda text: text,
        "after 60 words": lambda text: f"{filler} {text}",
        "after 250 words": lambda text: f"{' '.join([filler] * 4)} {text}",
        "before 250 words": lambda text: f"{text}{'。' if chinese else '. '}{' '.join([filler] * 4)}",
        "amid 250 words": lambda text: (
            f"{' '.join([filler] * 2)} {text}{'。' if chinese else '. '}{' '.join([filler] * 2)}"
        ),
    }
    if not chinese:
        kinds["two typos"] = lambda text: _add_typos(text, 2, chance)
    return {
        name: _percent([_is_first(one, route(change(one.text))) for one in sample]) for name, change in kinds.items()
    }


_FILLER_EN: Final = (
    "The office was quiet this morning and most people came in late because of the rain. Somebody had left a window "
    "open in the corridor, so the plants were wet. We talked a little about the weekend, about the football match and "
    "the new bakery near the station. Later the lift was repaired and the coffee machine too."
)
_FILLER_ZH: Final = (
    "今天早上下雨，大家到得都比较晚，走廊的窗户没有关，花都淋湿了。我们聊了几句周末的事，说到车站旁边新开的面包店味道不错。"
    "后来电梯修好了，咖啡机也能用了，下午天气转晴，楼下的树叶落了一地。"
)


def _add_typos(text: str, count: int, chance: random.Random) -> str:
    """Swap, drop, double or replace a letter in so many words of four letters and more."""
    words = text.split(" ")
    able = [at for at, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    for at in chance.sample(able, min(count, len(able))):
        word, place = words[at], chance.randrange(1, len(words[at]) - 1)
        head, char, tail = word[:place], word[place], word[place + 1 :]
        words[at] = chance.choice(
            (
                head + tail[:1] + char + tail[1:],
                head + tail,
                head + char * 2 + tail,
                head + chance.choice(_LETTERS) + tail,
            )
        )
    return " ".join(words)


def _percent(hits: Sequence[bool]) -> float:
    return 100 * sum(hits) / len(hits) if hits else 0.0

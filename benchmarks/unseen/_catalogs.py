"""Catalogs for the left-out comparison: small draws from public sets, each told to the routers in one way."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeVar

from benchmarks.routing import LabelledSet, load_sets, name_to_words
from metier.errors import PathNotFound
from metier.skills import Skill, Source

_T = TypeVar("_T")
Told = Literal["names", "descriptions", "few", "many", "mixed"]
_SOURCE: Final = Source(Path("set"), Path("set"), "flat")
_MANY: Final = 10
_FEW: Final = 3
_MIXED: Final = (0, 0, 1, 3, 5, 10)
_REMOVED_SHARE: Final = 0.15
# Skills of a large set are drawn, so that one round stays within minutes.
_MAX_SKILLS: Final = 1_000
_FAMILIES: Mapping[str, str] = MappingProxyType({"massive": "massive", "hwu64": "massive"})


class Asked(NamedTuple):
    """Message and the skills it means; empty if the skill it means was taken out of the catalog."""

    text: str
    meant: frozenset[str]


@dataclass(frozen=True, slots=True)
class TestCatalog:
    """Skills as one router sees them, messages for them, and messages for skills that were taken out (`removed`).

    Catalogs of one `family` come from one source and are left out together. `several` are messages for more than one
    skill.
    """

    name: str
    family: str
    told: Told
    skills: tuple[Skill, ...]
    asked: tuple[Asked, ...]
    removed: tuple[Asked, ...] = ()
    several: tuple[Asked, ...] = ()

    @property
    def title(self) -> str:
        """Name of the set, number of skills, and what is known of them."""
        return f"{self.name}, {len(self.skills)}, {self.told}"


def load_catalogs(data: Path, *, messages: int = 150, seed: int = 0) -> tuple[TestCatalog, ...]:
    """Draw every catalog of the folder; the same seed gives the same catalogs."""
    described = sorted((data / "described").glob("*.json"))
    if not described:
        raise PathNotFound(f"no described catalogs in {str(data)!r}", hint="it should hold described/*.json")
    found = [_read_described(file, messages, seed) for file in described]
    with suppress(PathNotFound):  # described catalogs alone are enough
        for labelled in load_sets(data):
            found += _draw_labelled(labelled, messages, seed)
    return tuple(found)


def _read_described(file: Path, messages: int, seed: int) -> TestCatalog:
    chance = random.Random(f"{seed}/{file.stem}")  # noqa: S311 - repeatable draws
    content = json.loads(file.read_text("utf-8"))
    asked = [Asked(row["text"], frozenset(row["expect"])) for row in content["messages"]]
    single = _sample([one for one in asked if len(one.meant) == 1], messages, chance)
    several = _sample([one for one in asked if len(one.meant) > 1], messages // 3, chance)
    needed = {name for one in (*single, *several) for name in one.meant}
    names = [row["name"] for row in content["skills"]]
    others = _sample([name for name in names if name not in needed], max(_MAX_SKILLS - len(needed), 0), chance)
    kept = needed | set(others)
    skills = [
        Skill(row["name"], name_to_words(row["name"]), row["description"], _SOURCE, row["name"])
        for row in content["skills"]
        if row["name"] in kept
    ]
    return _take_out(
        TestCatalog(file.stem, file.stem, "descriptions", tuple(skills), tuple(single), (), tuple(several)), chance
    )


def _draw_labelled(labelled: LabelledSet, messages: int, seed: int) -> Iterator[TestCatalog]:
    for told in ("names", "descriptions", "few", "many", "mixed"):
        if told == "descriptions" and not labelled.descriptions:
            continue
        if told == "names" and labelled.descriptions:
            continue
        chance = random.Random(f"{seed}/{labelled.name}/{told}")  # noqa: S311 - repeatable draws
        by_intent: dict[str, list[str]] = {}
        for message, intent in labelled.train:
            by_intent.setdefault(intent, []).append(message)
        drawn = {intent: chance.sample(said, min(_MANY, len(said))) for intent, said in sorted(by_intent.items())}
        used = {message for said in drawn.values() for message in said}
        skills = tuple(_limit(_build_skill(intent, labelled, said), told, chance) for intent, said in drawn.items())
        rows = [Asked(text, frozenset((intent,))) for text, intent in labelled.test if text not in used]
        family = _FAMILIES.get(labelled.name.partition(" ")[0], labelled.family)
        pairs = _sample([Asked(text, both) for text, both in labelled.pairs], messages // 3, chance)
        catalog = TestCatalog(
            labelled.name, family, told, skills, tuple(_sample(rows, messages, chance)), (), tuple(pairs)
        )
        yield _take_out(catalog, chance)


def _build_skill(intent: str, labelled: LabelledSet, said: Sequence[str]) -> Skill:
    told = labelled.descriptions.get(intent, "")
    return Skill(intent, name_to_words(intent), told, _SOURCE, intent, examples=tuple(said))


def _limit(skill: Skill, told: Told, chance: random.Random) -> Skill:
    count = {"names": 0, "descriptions": 0, "few": _FEW, "many": _MANY, "mixed": chance.choice(_MIXED)}[told]
    return replace(skill, examples=skill.examples[:count])


def _take_out(catalog: TestCatalog, chance: random.Random) -> TestCatalog:
    """Take some skills out; messages for them are for a neighbour that is not there."""
    meant = sorted({name for one in catalog.asked for name in one.meant})
    out = set(_sample(meant, round(len(meant) * _REMOVED_SHARE), chance))
    return replace(
        catalog,
        skills=tuple(skill for skill in catalog.skills if skill.id not in out),
        asked=tuple(one for one in catalog.asked if not one.meant & out),
        removed=tuple(Asked(one.text, frozenset()) for one in catalog.asked if one.meant <= out),
        several=tuple(one for one in catalog.several if not one.meant & out),
    )


def _sample(items: Sequence[_T], count: int, chance: random.Random) -> list[_T]:
    return chance.sample(list(items), min(count, len(items)))

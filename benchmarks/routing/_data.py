"""Public labelled sets as test data: an intent is a skill, some of its messages are the skill's examples."""

import csv
import hashlib
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, TypeVar

from metier.errors import NotFound, PathNotFound
from metier.language import Language
from metier.skills import Skill, Source

LabelledRows: TypeAlias = Sequence[tuple[str, str]]
_T = TypeVar("_T")
Given = Literal["names", "descriptions", "5", "10"]

# Information about a skill that a router gets: name, description, number of examples.
GIVEN_TITLES: Mapping[Given, str] = MappingProxyType(
    {
        "names": "Name alone",
        "descriptions": "Name and description",
        "5": "Name and five examples",
        "10": "Name and ten examples",
    },
)
EXAMPLES: Final = 10
# Short Chinese descriptions of MASSIVE's intents, written by us from the intent names alone.
_ZH_INTENTS: Final = Path(__file__).with_name("data") / "massive-intents.zh.json"
_LANGUAGE_COLUMNS: Mapping[Language, str] = MappingProxyType({"zh": "zh_cn", "en": "en"})
_METATOOL_BESTS: Mapping[str, float] = MappingProxyType({"descriptions": 54.3, "10": 73.2})
_SOURCE: Final = Source(Path("set"), Path("set"), "flat")


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Messages with their intent: `train` for examples, `tuning` for thresholds, `test` to ask.

    The `outside` fields hold out-of-scope messages. `bests` are the best known accuracies in percent by skill
    information, `none_bests` the best known F1 of answering "none". An `only_asked` set reuses the messages of another
    and is not trained on. `pairs` are messages with two intents.
    """

    name: str
    train: LabelledRows
    test: LabelledRows
    tuning: LabelledRows = ()
    outside: Sequence[str] = ()
    tuning_outside: Sequence[str] = ()
    training_outside: Sequence[str] = ()
    descriptions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    bests: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    none_bests: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    chinese: bool = False
    family: str = ""
    only_asked: bool = False
    pairs: Sequence[tuple[str, frozenset[str]]] = ()

    @property
    def givens(self) -> tuple[Given, ...]:
        """Kinds of skill information this set supports."""
        return tuple(given for given in GIVEN_TITLES if given != "descriptions" or self.descriptions)


Reader: TypeAlias = Callable[[Path], LabelledSet]


@dataclass(frozen=True, slots=True)
class Draw:
    """Sample of a set: skills with ten examples each, and messages that are not among the examples."""

    skills: tuple[Skill, ...]
    asked: LabelledRows
    outside: Sequence[str] = ()
    tuning: LabelledRows = ()
    tuning_outside: Sequence[str] = ()

    def limit_skills(self, given: Given) -> tuple[Skill, ...]:
        """Skills reduced to the given information."""
        if given == "descriptions":
            return tuple(replace(skill, examples=()) for skill in self.skills)
        count = 0 if given == "names" else int(given)
        return tuple(replace(skill, description="", examples=skill.examples[:count]) for skill in self.skills)


def load_sets(data: Path, only: Sequence[str] = ()) -> tuple[LabelledSet, ...]:
    """Load the named sets, or all that are in the folder."""
    unknown = next((name for name in only if name not in _SETS), None)
    if unknown is not None:
        raise NotFound(f"no labelled set {unknown!r}", hint=f"sets: {', '.join(_SETS)}")
    found = [name for name in only or _SETS if (data / _get_folder(name)).is_dir()]
    missing = next((name for name in only if name not in found), None)
    if missing is not None or not found:
        what = "no labelled set" if missing is None else f"no set {missing!r}"
        names = ", ".join(dict.fromkeys(map(_get_folder, _SETS)))
        raise PathNotFound(f"{what} in {str(data)!r}", hint=f"it should hold one of: {names}")
    return tuple(_SETS[name](data / _get_folder(name)) for name in found)


def draw(labelled: LabelledSet, number: int, *, messages: int, seed: int = 0) -> Draw:
    """Draw a sample; the same number and seed give the same sample for every router and run.

    Out-of-scope messages keep the proportion of the set, also those for choosing thresholds.
    """
    chance = random.Random(f"{seed}/{labelled.name}/{number}")  # noqa: S311 - repeatable draws
    by_intent: dict[str, list[str]] = {}
    for message, intent in labelled.train:
        by_intent.setdefault(intent, []).append(message)
    drawn = {intent: chance.sample(said, min(EXAMPLES, len(said))) for intent, said in sorted(by_intent.items())}
    used = {message for said in drawn.values() for message in said}
    share = len(labelled.outside) / max(len(labelled.test), 1)
    return Draw(
        tuple(_build_skill(intent, labelled.descriptions.get(intent, ""), said) for intent, said in drawn.items()),
        _sample([pair for pair in labelled.test if pair[0] not in used], messages, chance),
        _sample(labelled.outside, round(messages * share), chance),
        _sample([pair for pair in labelled.tuning if pair[0] not in used], messages, chance),
        _sample(labelled.tuning_outside, round(messages * share), chance),
    )


def draw_pairs(
    labelled: LabelledSet, number: int, *, messages: int, seed: int = 0
) -> Sequence[tuple[str, frozenset[str]]]:
    """Draw messages with two intents."""
    chance = random.Random(f"{seed}/{labelled.name}/pairs/{number}")  # noqa: S311 - repeatable draws
    return _sample(labelled.pairs, messages, chance)


def _sample(items: Sequence[_T], count: int, chance: random.Random) -> Sequence[_T]:
    return chance.sample(items, min(count, len(items)))


def _build_skill(intent: str, description: str, said: Sequence[str]) -> Skill:
    return Skill(intent, name_to_words(intent), description, _SOURCE, intent, examples=tuple(said))


def name_to_words(name: str) -> str:
    """Convert an intent name to words: `play_music` and `PlayMusic` become "play music"."""
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-]+", " ", name).split()).lower()


def _get_folder(name: str) -> str:
    return name.partition(" ")[0]


# The files ------------------------------------------------------------------------------------------------------------


def _read_clinc(folder: Path) -> LabelledSet:
    parts = json.loads((folder / "data_full.json").read_text("utf-8"))
    inside = {part: [(message, intent) for message, intent in parts[part]] for part in ("train", "val", "test")}
    outside = {part: [message for message, _ in parts.get(part, [])] for part in ("oos_train", "oos_val", "oos_test")}
    return LabelledSet(
        "clinc150",
        inside["train"],
        inside["test"],
        inside["val"],
        outside["oos_test"],
        outside["oos_val"],
        outside["oos_train"],
        bests=MappingProxyType({"names": 68.4, "5": 89.2, "10": 92.1}),
        none_bests=MappingProxyType({"names": 66.2, "5": 78.9, "10": 81.6}),
        family="clinc",
    )


def _make_massive_reader(language: Language, bests: Mapping[str, float], *, asked: Language | None = None) -> Reader:
    """Reader of MASSIVE with examples in `language` and messages in `asked` or the same language."""
    said = asked or language

    def load(folder: Path) -> LabelledSet:
        lines = (folder / "massive_en_zh_train_dev.jsonl").read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        train = [(row[_LANGUAGE_COLUMNS[language]], row["intent"]) for row in rows if row["split"] == "train"]
        test = [(row[_LANGUAGE_COLUMNS[said]], row["intent"]) for row in rows if row["split"] == "dev"]
        told = json.loads(_ZH_INTENTS.read_text("utf-8")) if language == "zh" else {}
        return LabelledSet(
            f"massive {language}" if said == language else f"massive {said} to {language}",
            train,
            test,
            descriptions=told,
            bests=MappingProxyType(bests),
            chinese=said == "zh",
            family="massive",
            only_asked=said != language,
        )

    return load


def _read_hwu(folder: Path) -> LabelledSet:
    def read_part(name: str) -> LabelledRows:
        said, meant = ((folder / f"{name}.{end}").read_text("utf-8").splitlines() for end in ("seq.in", "label"))
        return list(zip(said, meant, strict=True))

    return LabelledSet("hwu64", read_part("train"), read_part("test"), family="massive")


def _read_metatool(folder: Path) -> LabelledSet:
    described = folder / "plugin_des.json"
    descriptions = json.loads(described.read_text("utf-8")) if described.is_file() else {}
    # The set has no train and test parts. One half is used for training, so only the other is asked.
    fresh = [row for row in read_metatool_rows(folder) if not is_for_learning(row[0])]
    golden = folder / "multi_tool_query_golden.json"
    pairs = json.loads(golden.read_text("utf-8")) if golden.is_file() else []
    return LabelledSet(
        "metatool",
        fresh,
        fresh,
        descriptions=descriptions,
        bests=_METATOOL_BESTS,
        family="metatool",
        pairs=[(row["query"], frozenset(row["tool"])) for row in pairs],
    )


def read_metatool_rows(folder: Path) -> LabelledRows:
    """Read every message of MetaTool with its tool."""
    with (folder / "all_clean_data.csv").open(encoding="utf-8", newline="") as file:
        return [(row["Query"], row["Tool"]) for row in csv.DictReader(file)]


def is_for_learning(message: str) -> bool:
    """Whether a message of a set without parts belongs to the training half."""
    return hashlib.sha256(message.encode()).digest()[0] % 2 == 0


_SETS: Mapping[str, Reader] = MappingProxyType(
    {
        "clinc150": _read_clinc,
        "massive zh": _make_massive_reader("zh", {"descriptions": 51.6, "5": 64.2, "10": 69.4}),
        "massive en": _make_massive_reader("en", {"5": 69.3, "10": 75.6}),
        "massive zh to en": _make_massive_reader("en", {"names": 44.0, "10": 62.5}, asked="zh"),
        "hwu64": _read_hwu,
        "metatool": _read_metatool,
    },
)

"""Rules of readings as data: when a rule fires, what it says in each language, and where it comes from."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from metier.json_values import JsonObject
from metier.language import BilingualText

ChartKind = Literal["bazi", "zodiac"]
Facts = Mapping[str, frozenset[str]]
# The bodies known before 1781, of which the older books speak.
CLASSICAL_BODIES: Final = frozenset({"sun", "moon", "mercury", "venus", "mars", "jupiter", "saturn"})
_FOLDER: Final = Path(__file__).with_name("rules")


@dataclass(frozen=True, slots=True)
class ReadingRule:
    """A rule fires if each fact in `when` is one of those named.

    `stance` are claims such as `strength:weak`: two sentences of one reading never make different claims on one axis.
    `school` says where schools disagree. `modern_source` is the source if a body is involved that the writers of
    `source` did not know.
    """

    id: str
    topic: str
    when: Mapping[str, frozenset[str]]
    text: BilingualText
    source: BilingualText
    stance: Mapping[str, str]
    school: BilingualText | None = None
    modern_source: BilingualText | None = None

    def source_for(self, bodies: Iterable[str] = ()) -> BilingualText:
        """The source of the rule when it speaks of these bodies."""
        if self.modern_source is None or CLASSICAL_BODIES.issuperset(bodies):
            return self.source
        return self.modern_source

    def fires(self, facts: Facts) -> bool:
        """Whether the chart has what the rule asks for."""
        return all(facts.get(name, frozenset()) & wanted for name, wanted in self.when.items())


@cache
def load_rules(kind: ChartKind) -> tuple[ReadingRule, ...]:
    """All rules for a kind of chart, in the order of the files."""
    found: list[ReadingRule] = []
    for path in sorted(_FOLDER.glob(f"{kind}_*.toml"), key=lambda one: _ORDER.index(one.stem)):
        found += [_read_rule(one) for one in tomllib.loads(path.read_text("utf-8"))["rules"]]
    return tuple(found)


_ORDER: Final = (
    "bazi_nature",
    "bazi_gods",
    "bazi_relations",
    "bazi_time",
    "zodiac_signs",
    "zodiac_houses",
)


def _read_rule(row: JsonObject) -> ReadingRule:
    when, stance = row["when"], row.get("stance", [])
    claims = [str(one).rpartition(":") for one in stance] if isinstance(stance, list) else []
    return ReadingRule(
        id=str(row["id"]),
        topic=str(row["topic"]),
        when={name: _read_values(value) for name, value in when.items()} if isinstance(when, Mapping) else {},
        text=BilingualText(str(row["zh"]), str(row["en"])),
        source=_read_text(row["source"]),
        stance={axis: claim for axis, _, claim in claims},
        school=_read_text(row["school"]) if "school" in row else None,
        modern_source=_read_text(row["modern_source"]) if "modern_source" in row else None,
    )


def _read_values(value: object) -> frozenset[str]:
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset({str(value)})


def _read_text(value: object) -> BilingualText:
    given = value if isinstance(value, Mapping) else {}
    return BilingualText(str(given["zh"]), str(given["en"]))

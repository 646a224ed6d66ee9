"""Our own hard messages: double requests, negation, near misses, follow-ups, in Chinese and English.

The dev half may guide changes; the test half is only reported.
"""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from benchmarks.routing._measures import percent
from benchmarks.routing._ours import ONE_VIEW, OURS
from metier.errors import PathNotFound
from metier.routing import Decision, open_router
from metier.settings import load_settings
from metier.skills import Catalog, SkillLibrary

Half = Literal["dev", "test"]


@dataclass(frozen=True, slots=True)
class OwnMessage:
    """Message, the skills it asks for in order (empty: no skill), and the active skill."""

    text: str
    kind: str
    skills: tuple[str, ...]
    active: str | None
    half: Half


@dataclass(frozen=True, slots=True)
class OwnRow:
    """Result for one kind of message.

    `right`: the chosen skills are exactly those asked for; `first`, `among`: the first skill asked for is ranked first,
    or among the first three.
    """

    half: Half
    kind: str
    messages: int
    right: int
    first: int
    among: int

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "right_percent": round(percent(self.right, self.messages), 1)}


def measure_own(skills: Path, half: Half) -> Iterator[OwnRow]:
    """Yield a row per kind of message of one half, with one view and the skills of this folder."""
    if not skills.is_dir():
        raise PathNotFound(f"no folder {str(skills)!r}", hint="it should hold the sixteen skills of tests/routing")
    catalog = SkillLibrary.from_folders(skills).catalog()
    asked = [message for message in read_own_messages() if message.half == half]
    unknown = sorted({skill for message in asked for skill in message.skills if skill not in catalog})
    if unknown:
        raise PathNotFound(f"no skill {unknown[0]!r} in {str(skills)!r}", hint="give the skills of tests/routing")
    decided = list(zip(asked, _route_all(catalog, asked), strict=True))
    for kind in dict.fromkeys(message.kind for message in asked):
        yield _build_row(half, kind, [(message, decision) for message, decision in decided if message.kind == kind])


def read_own_messages() -> tuple[OwnMessage, ...]:
    """Read all messages."""
    text = Path(__file__).with_name("data").joinpath("metier-messages.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return tuple(
        OwnMessage(row["text"], row["kind"], tuple(row["skills"]), row["active"], row["split"]) for row in rows
    )


def _route_all(catalog: Catalog, asked: list[OwnMessage]) -> list[Decision]:
    with tempfile.TemporaryDirectory() as temporary:
        router = open_router(load_settings({"storage_dir": Path(temporary), **OURS[ONE_VIEW]}))
        return [router.route(message.text, catalog=catalog, active=message.active) for message in asked]


def _build_row(half: Half, kind: str, decided: list[tuple[OwnMessage, Decision]]) -> OwnRow:
    right = sum(set(decision.skills) == set(message.skills) for message, decision in decided)
    meant = [(message.skills[0], _rank_three(decision)) for message, decision in decided if message.skills]
    first = sum(ranked[:1] == (skill,) for skill, ranked in meant)
    return OwnRow(half, kind, len(decided), right, first, sum(skill in ranked for skill, ranked in meant))


def _rank_three(decision: Decision) -> tuple[str, ...]:
    found = [candidate.skill for candidate in decision.candidates]
    return tuple(dict.fromkeys((*decision.skills, *found)))[:3]

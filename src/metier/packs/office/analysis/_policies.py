"""Laws and standards that a text cites, and whether they are in force, by a list with its date."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["KnownPolicy", "PolicyList", "find_cited_policies", "load_policies"]

_TITLE: Final = re.compile(
    r"《(?P<name>[^《》]{2,60})》|(?P<norm>GB(?:/T)?\s?\d{3,5}(?:\.\d+)?-\d{4})|"
    r"(?P<number>[\u4e00-\u9fff]{1,6}〔\d{4}〕\d+号)"
)


@dataclass(frozen=True, slots=True)
class KnownPolicy:
    """A law, regulation or standard in force, and what it replaced."""

    name: str
    aliases: tuple[str, ...]
    in_force: date
    replaces: tuple[str, ...]
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PolicyList:
    """All policies of the list and the day on which it was written down."""

    written: date
    policies: tuple[KnownPolicy, ...]


@cache
def load_policies() -> PolicyList:
    """Read the list once."""
    data = tomllib.loads(files("metier.packs.office.analysis").joinpath("policies.toml").read_text("utf-8"))
    entries = tuple(
        KnownPolicy(
            entry["name"],
            tuple(entry["aliases"]),
            entry["in_force"],
            tuple(entry["replaces"]),
            tuple(entry["topics"]),
        )
        for entry in data["policies"]
    )
    return PolicyList(data["written"], entries)


def find_cited_policies(text: str) -> Iterator[tuple[str, KnownPolicy | None, bool]]:
    """Titles and numbers that the text cites: the words, the policy in force, and whether it replaced them."""
    seen: set[str] = set()
    for match in _TITLE.finditer(text):
        cited = match["name"] or match["norm"] or match["number"]
        plain = cited.removeprefix("中华人民共和国").strip()
        if plain in seen:
            continue
        seen.add(plain)
        yield (cited, *_look_up(plain))


def _look_up(plain: str) -> tuple[KnownPolicy | None, bool]:
    squeezed = plain.replace(" ", "")
    for policy in load_policies().policies:
        if squeezed in {alias.replace(" ", "") for alias in policy.aliases} or plain == policy.name:
            return policy, False
        if any(squeezed == old.replace(" ", "") for old in policy.replaces):
            return policy, True
    return None, False

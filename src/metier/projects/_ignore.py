"""Rules of `.gitignore` files, matched name by name: no pattern can take long."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

_MAX_RULES = 1_000
_MAX_CHARS = 400


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of a `.gitignore`: `base` is the folder of the file, relative to the project."""

    base: tuple[str, ...]
    names: tuple[str, ...]
    is_negated: bool
    is_for_folders: bool
    is_anchored: bool

    def matches(self, path: Sequence[str], *, is_folder: bool) -> bool:
        """Whether the line names this path, given as names from the project on."""
        if (self.is_for_folders and not is_folder) or tuple(path[: len(self.base)]) != self.base:
            return False
        below = tuple(path[len(self.base) :])
        if not self.is_anchored:
            return bool(below) and fnmatchcase(below[-1], self.names[0])
        return _match_names(self.names, below)


def read_rules(text: str, base: Sequence[str]) -> tuple[IgnoreRule, ...]:
    """Rules of the text of a `.gitignore` in this folder."""
    lines = [line.rstrip() for line in text.splitlines()[:_MAX_RULES]]
    return tuple(_read_rule(line, tuple(base)) for line in lines if _is_rule(line))


def is_ignored(rules: Iterable[IgnoreRule], path: Sequence[str], *, is_folder: bool) -> bool:
    """Whether a path is ignored: the last rule that matches decides."""
    ignored = False
    for rule in rules:
        if rule.is_negated == ignored and rule.matches(path, is_folder=is_folder):
            ignored = not rule.is_negated
    return ignored


def _is_rule(line: str) -> bool:
    return bool(line.strip("!/ ")) and not line.startswith("#") and len(line) <= _MAX_CHARS


def _read_rule(line: str, base: tuple[str, ...]) -> IgnoreRule:
    is_negated = line.startswith("!")
    pattern = line.removeprefix("!").removeprefix("\\")
    is_for_folders = pattern.endswith("/")
    plain = pattern.rstrip("/")
    names = tuple(name for name in plain.split("/") if name)
    return IgnoreRule(base, names, is_negated, is_for_folders, is_anchored="/" in plain)


def _match_names(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Match names against patterns, `**` standing for any number of folders."""

    @cache
    def match(at: int, here: int) -> bool:
        if at == len(pattern):
            return here == len(path)
        if pattern[at] == "**":
            return match(at + 1, here) or (here < len(path) and match(at, here + 1))
        return here < len(path) and fnmatchcase(path[here], pattern[at]) and match(at + 1, here + 1)

    return match(0, 0)

"""Which attached files a message names: in full, with `@`, or by the name without its ending."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

NameForm = Literal["full", "mention", "stem"]

# Marks that `add_attachment` leaves out of a name, which people still write: “contract (1)” is kept as “contract 1”.
_LEFT_OUT: Final = "[()（）\\[\\]【】《》<>{}&+#·~,，、'’!！]{0,2}"
_CLOSES: Final = MappingProxyType({"(": ")", "（": "）", "[": "]", "【": "】"})
_MIN_STEM: Final = 2


@dataclass(frozen=True, slots=True)
class NamedFile:
    """An attached file that stands in a message from `start` to `end`; a `stem` may as well be a word like others."""

    name: str
    start: int
    end: int
    form: NameForm


def match_names(message: str, names: Iterable[str], *, stems: bool = False) -> tuple[NamedFile, ...]:
    """The files of these names that a message names, in the order of the message; the longest name wins.

    A name is no part of a longer one, and its case is of no account. With `stems` it may stand without its ending.
    """
    found: list[NamedFile] = []
    known = sorted({one for one in names if one}, key=lambda one: (-len(one), one))
    forms: tuple[NameForm, ...] = ("full", "mention", "stem") if stems else ("full", "mention")
    for form in forms:
        for name in known:
            pattern = _compile(name, form)
            for hit in pattern.finditer(message) if pattern is not None else ():
                end = _end_of(message, hit)
                if all(end <= one.start or hit.start() >= one.end for one in found):
                    found.append(NamedFile(name, hit.start(), end, form))
    return tuple(sorted(found, key=lambda one: one.start))


def replace_names(message: str, names: Iterable[str], write: Callable[[NamedFile], str], *, stems: bool = False) -> str:
    """The message with other words for each file that it names."""
    parts, at = list[str](), 0
    for one in match_names(message, names, stems=stems):
        parts += [message[at : one.start], write(one)]
        at = one.end
    return "".join([*parts, message[at:]])


def strip_ending(name: str) -> str:
    """The name of a file without its ending; a name without one is its own stem."""
    return name.rpartition(".")[0] or name


@lru_cache(maxsize=512)
def _compile(name: str, form: NameForm) -> re.Pattern[str] | None:
    stem, _, ending = name.rpartition(".")
    stem = stem or name
    loose = _LEFT_OUT.join(r"(?:\s+|(?=[（【《]))" if char == " " else re.escape(char) for char in stem)
    if form == "full":
        whole = rf"{loose}{_LEFT_OUT}\.{re.escape(ending)}" if stem != name else loose
        if stem == name and len(name) < _MIN_STEM:
            return None
        return re.compile(rf"(?<![A-Za-z0-9_.-]){whole}(?![A-Za-z0-9_-]|\.[A-Za-z0-9])", re.IGNORECASE)
    if form == "mention":
        return re.compile(rf"[@＠]{loose}(?![A-Za-z0-9]|\.[A-Za-z0-9])", re.IGNORECASE)
    if len(stem) < _MIN_STEM:
        return None
    return re.compile(rf"(?<![A-Za-z0-9.@]){loose}(?![A-Za-z0-9]|\.[A-Za-z0-9])", re.IGNORECASE)


def _end_of(message: str, hit: re.Match[str]) -> int:
    """The end of a name with the bracket that closes one in it: “contract (1)”."""
    end, text = hit.end(), hit[0]
    closing = next((_CLOSES[char] for char in reversed(text) if char in _CLOSES), "")
    is_open = bool(closing) and closing not in text[max(map(text.rfind, _CLOSES)) :]
    return end + 1 if is_open and message[end : end + 1] == closing else end

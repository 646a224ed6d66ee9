"""Names of files and pages in a call that nobody gave: neither the user nor a result nor the workspace has them."""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from metier.json_values import JsonObject

_NAME: Final = re.compile(r"https?://[^\s\"'<>，。；、）)\]]+|[\w-]+\.[A-Za-z][A-Za-z0-9]{0,4}\b")
_VALUE: Final = re.compile(r"https?://\S+|(?:[\w.-]+[/\\])*[\w-]+\.[A-Za-z][A-Za-z0-9]{0,4}")
_MAX_KNOWN: Final = 8


def find_invented_name(
    arguments: JsonObject, *, asked: str, results: Iterable[str], files: Collection[str], writes: bool
) -> tuple[str, list[str]] | None:
    """The first argument that is a name which nobody gave, and the names that were given; None if there is none.

    A call that reads must name what is there. A call that writes may choose a name, unless the user asked for another
    of the same kind that is not there yet. `asked` is what the user said, `files` what the workspace has.
    """
    wanted = list(dict.fromkeys(_NAME.findall(asked)))
    there = {one.casefold() for one in files}
    if writes:
        given = [one for one in wanted if one.casefold() not in there and not one.startswith("http")]
        kinds = {_get_suffix(one) for one in given}
        names = [one for one in _iter_names(arguments) if _get_suffix(one) in kinds]
        known = {*there, *(one.casefold() for one in wanted)}
    else:
        given = list(dict.fromkeys([*wanted, *files, *(name for text in results for name in _NAME.findall(text))]))
        names, known = list(_iter_names(arguments)), {one.casefold() for one in given}
    if not given:
        return None
    invented = next((one for one in names if not _is_known(one, known)), None)
    return None if invented is None else (invented, given[:_MAX_KNOWN])


def _get_suffix(name: str) -> str:
    return PurePosixPath(name.casefold()).suffix


def _iter_names(arguments: JsonObject) -> Iterator[str]:
    for value in arguments.values():
        if isinstance(value, str) and _VALUE.fullmatch(value.strip()):
            yield value.strip()


def _is_known(name: str, known: Collection[str]) -> bool:
    folded = name.casefold()
    return (
        folded in known or PurePosixPath(folded.replace("\\", "/")).name in known or any(folded in one for one in known)
    )

"""Search in the text files of a project: definitions first, then code, then tests."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from metier.packs.workspace.code._overview import is_test_file

HitKind = Literal["definition", "use", "test"]
MAX_HITS: Final = 200
_MAX_LINE_CHARS: Final = 200
_DEFINES: Final = (
    r"^\s*(?:(?:export|pub|public|private|static|async)\s+)*"
    r"(?:def|class|func|function|fn|const|let|var|type|interface|struct)\s+"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that holds the words searched for."""

    path: str
    line: int
    kind: HitKind
    text: str


def search(texts: Mapping[str, str], query: str) -> tuple[tuple[Hit, ...], int]:
    """The first hits in their order, and how many there are. Capital letters count if the query has some."""
    is_exact = query != query.lower()
    wanted = query if is_exact else query.lower()
    defines = re.compile(_DEFINES + re.escape(query) + r"\b", 0 if is_exact else re.IGNORECASE)
    hits: list[Hit] = []
    for path, text in texts.items():
        if wanted not in (text if is_exact else text.lower()):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if wanted in (line if is_exact else line.lower()):
                kind: HitKind = "definition" if defines.match(line) else "test" if is_test_file(path) else "use"
                hits.append(Hit(path, number, kind, line.strip()[:_MAX_LINE_CHARS]))
    order = {"definition": 0, "use": 1, "test": 2}
    hits.sort(key=lambda one: (order[one.kind], one.path, one.line))
    return tuple(hits[:MAX_HITS]), len(hits)

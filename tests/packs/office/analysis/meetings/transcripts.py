"""Transcripts with their truth: `|| + who|when|word of it` is a to-do, `|| = word of it` a decision, `?` either way."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis.meetings import Promise, read_minutes

HELD = date(2026, 3, 4)  # a Wednesday
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Planted:
    """A to-do or a decision that a line has; one that may be listed or not is not counted."""

    at: int
    kind: str
    word: str
    who: str = ""
    when: str = ""
    counts: bool = True


@dataclass(slots=True)
class Transcript:
    """Lines of one talk and what they hold."""

    name: str
    lines: list[str] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """What was found, missed and listed wrongly; and work whose day was lost."""

    right: int = 0
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    dayless: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + len(self.missed))

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + len(self.extra))


def read_transcripts(path: Path) -> list[Transcript]:
    """Transcripts of a file; each begins with `# name`."""
    found: list[Transcript] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            found.append(Transcript(line[2:]))
        elif line.strip():
            said, *marks = line.split(" || ")
            found[-1].planted += [_read_mark(mark, len(found[-1].lines)) for mark in marks]
            found[-1].lines.append(said.strip())
    return found


def _read_mark(mark: str, at: int) -> Planted:
    sign, _, rest = mark.strip().partition(" ")
    counts = not sign.endswith("?")
    if sign.startswith("="):
        return Planted(at, "decision", rest.strip(), counts=counts)
    who, when, word = rest.split("|")
    return Planted(at, "to-do", word, who.strip(), when, counts)


def tally(path: Path) -> dict[str, Tally]:
    """To-dos and decisions of all transcripts of a file, compared with what was planted."""
    tallies = {"to-do": Tally(), "decision": Tally()}
    for one in read_transcripts(path):
        pieces = tuple(TextPiece(f"p{at}", line) for at, line in enumerate(one.lines))
        draft = read_minutes(Reading("talk.docx", "docx", pieces), HELD)
        decided = [(finding.address, finding.line) for finding in draft.decisions]
        _compare(one, list(draft.promises), tallies["to-do"])
        _compare_decisions(one, decided, tallies["decision"])
    return tallies


def _compare(one: Transcript, promises: list[Promise], found: Tally) -> None:
    rest = list(promises)
    for planted in sorted((one for one in one.planted if one.kind == "to-do"), key=lambda one: not one.counts):
        match = next(_fitting(planted, rest), None)
        if match is not None:
            rest.remove(match)
        if not planted.counts:
            continue
        if match is None:
            found.missed.append(f"{one.name}: {one.lines[planted.at]}")
            continue
        found.right += 1
        if planted.when and not (planted.when in f"{match.said} {match.what} {match.line}" and _has_day(match)):
            found.dayless.append(f"{one.name}: {match.what} ({planted.when})")
    found.extra += [f"{one.name}: {promise.who} | {promise.what} | {promise.line}" for promise in rest]


def _has_day(promise: Promise) -> bool:
    return bool(promise.said) or promise.when is not None


def _fitting(planted: Planted, promises: list[Promise]) -> Iterator[Promise]:
    for promise in promises:
        is_near = abs(int(promise.address[1:]) - planted.at) <= _NEAR
        text = f"{promise.what} {promise.line}".lower()
        if promise.who == planted.who and is_near and planted.word.lower() in text:
            yield promise


def _compare_decisions(one: Transcript, decided: list[tuple[str, str]], found: Tally) -> None:
    rest = list(decided)
    for planted in (one for one in one.planted if one.kind == "decision"):
        match = next((line for line in rest if int(line[0][1:]) == planted.at), None)
        if match is not None:
            rest.remove(match)
        if planted.counts and match is None:
            found.missed.append(f"{one.name}: {one.lines[planted.at]}")
        found.right += planted.counts and match is not None
    found.extra += [f"{one.name}: {line}" for _, line in rest]

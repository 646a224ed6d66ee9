"""Sentences of a report, and the limits that they state."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from metier.patterns import compile_later
from metier.questions._results import Remark
from metier.questions.queries import NOUNS, concepts_of

_HEADED: Final = compile_later(r"\s*(?:[-*]|\d+\.)?\s*\*\*(?P<subject>[^*]{1,60})\*\*[^：:]{0,40}[：:]\s*(?P<text>.+)")
_HEADING: Final = compile_later(r"\s*(?:#.*|\*\*[^*]{1,60}(?<![。.!！])\*\*\s*(?:[（(][^）)]*[）)])?\s*)")
# **没有小区超过门限。** and "**Inner race damage**, condition …" say how it stands; "**Azimuth**: …" names a subject.
# So does a bold word behind a sentence, "49 changes. **Goal reached in part**: …", but not behind the number of a list.
_VERDICT: Final = compile_later(
    r"^\s*(?:[-*]\s+)?\*\*[^*]+(?:[。.!！]\*\*|\*\*[，,])|(?<=[^\d\s])[。.]\s*\*\*[^*]+\*\*|[：:]\s*\*\*[^*]+[。.!！]\*\*"
)
_MARKS: Final = compile_later(r"^\s*(?:[-*#>]+|\d+\.)\s*|\*\*")
# How a message was read, and what became of a question that was open: no part of a report.
_OWN_NOTE: Final = compile_later(
    r"(?i)^(?:按「.*」处理|read as: “|先按「|i take it for “|先把这个问题放一边|i put this question |问题「.*」已关闭"
    r"|the question “.*” is closed|「.*」先放下|i leave “)"
)
_LIMIT: Final = compile_later(
    r"(?P<name>[^，。；,;：:（()）的]{2,28}?)\s*(?P<side>超过|高于|低于|不小于|below|above|over|more than)\s*"
    r"(?P<limit>-?\d+(?:\.\d+)?)\s*(?P<unit>%|dBm|dB|°)"
)
_LOW: Final = ("低于", "below")


@dataclass(frozen=True, slots=True)
class StatedLimit:
    """A limit that a report states: of what, on which side of it the trouble lies, and the sentence."""

    name: str
    limit: float
    unit: str
    is_low: bool
    remark: Remark


def find_remarks(text: str) -> Iterator[Remark]:
    """Sentences of a text, one for each line; a line that begins with a bold word is about that."""
    for line in text.splitlines():
        if not line.strip() or "|" in line or is_own_note(line):
            continue
        headed, plain = _HEADED.fullmatch(line), _MARKS.sub("", line).strip()
        is_verdict = _VERDICT.search(line) is not None
        if headed:
            yield Remark(headed["text"].strip(), headed["subject"].strip(), plain, is_verdict)
        else:
            yield Remark(plain, line="" if _HEADING.fullmatch(line) else plain, is_verdict=is_verdict)


def is_own_note(line: str) -> bool:
    """Whether a line tells how a message was read, or that a question was put aside."""
    return _OWN_NOTE.search(line.strip()) is not None


def find_limit(text: str, remarks: Iterable[Remark]) -> StatedLimit | None:
    """The stated limit of what a text is about; None if the report states none, or several as well."""
    said = concepts_of(text) - NOUNS
    ranked = []
    for remark in remarks:
        for found in _LIMIT.finditer(remark.text):
            about = concepts_of(found["name"]) - NOUNS
            if about & said:
                made = StatedLimit(found["name"], float(found["limit"]), found["unit"], found["side"] in _LOW, remark)
                ranked.append((len(about & said) - len(about - said), made))
    best = max((score for score, _ in ranked), default=None)
    first = [one for score, one in ranked if score == best]
    return first[0] if first and len({(one.limit, one.unit) for one in first}) == 1 else None

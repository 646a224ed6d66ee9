"""Names of the parties to a contract in English, and names that are almost one of them."""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import ContractText
from metier.packs.office.analysis.contracts._names import measure_distance
from metier.packs.office.analysis.contracts._rules import ContractRule

__all__ = ["check_english_parties"]

_FORM: Final = (
    r"(?:Inc|Incorporated|LLC|L\.L\.C|LLP|Ltd|Limited|plc|PLC|Corp|Corporation|Company|Co|GmbH|AG|S\.?A|B\.?V|N\.?V"
    r"|Pty Ltd|Pte\.? Ltd)"
)
_NAME: Final = re.compile(
    rf"(?P<stem>[A-Z][\w&'-]*(?:\s+(?:[A-Z&][\w&'-]*|of|and|the)){{0,5}}?),?\s+(?P<form>{_FORM})\b\.?"
)
_HEAD_LINES: Final = 8
_MIN_STEM: Final = 6
_MAX_DISTANCE: Final = 2
_OTHER: Final = re.compile(
    r"\b(?:affiliate|subsidiary|parent|guarantor|formerly|successor|third party|bank)\b", re.IGNORECASE
)
_BEFORE_CHARS: Final = 40


def check_english_parties(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Organisations whose names differ from a party's in a few letters, or in their legal form alone."""
    first = contract.clauses[0].lines[0] if contract.clauses else None
    head = list(takewhile(lambda line: line is not first, contract.lines))[:_HEAD_LINES]
    parties = {match["stem"]: match for line in head for match in _NAME.finditer(line.text)}
    for line in contract.lines:
        for match in _NAME.finditer(line.text):
            party = next((one for one in parties.values() if _is_almost(match, one)), None)
            before = line.text[max(0, match.start() - _BEFORE_CHARS) : match.start()]
            if party is not None and not _OTHER.search(before):
                yield rule.build_finding(line, match[0], party[0], found=match[0], party=party[0])


def _is_almost(found: re.Match[str], party: re.Match[str]) -> bool:
    stem, other = found["stem"], party["stem"]
    if stem == other:
        return _plain(found["form"]) != _plain(party["form"])
    is_long = len(other) >= _MIN_STEM and stem.split()[0] == other.split()[0]
    return is_long and measure_distance(stem, other) <= _MAX_DISTANCE


def _plain(form: str) -> str:
    words = {"incorporated": "inc", "limited": "ltd", "corporation": "corp", "company": "co"}
    plain = form.replace(".", "").lower()
    return words.get(plain, plain)

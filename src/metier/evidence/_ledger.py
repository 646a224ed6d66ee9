"""Ledger of evidence: exact texts under numbers, each with the place it was read at."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue

PlaceKind = Literal["page", "slide", "row", "line", "url"]


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """Where a text was read: the source, and page, slide, row or line in it, or the address and time of a web page."""

    source: str
    kind: PlaceKind
    at: str
    title: str = ""
    time: str = ""

    def to_json(self) -> JsonObject:
        at: JsonValue = int(self.at) if self.at.isdecimal() else self.at
        timed: JsonObject = {"time": self.time} if self.time else {}
        return {"source": self.source, self.kind: at, "title": self.title, **timed}


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """Text as it stands in its source, under the number that a report cites it by."""

    id: int
    text: str
    place: EvidencePlace

    def to_json(self) -> JsonObject:
        return {"id": self.id, "text": self.text, "place": self.place.to_json()}


@dataclass(frozen=True, slots=True)
class EvidenceLedger:
    """Everything that was found, in order; numbers start at 1 and are never used again."""

    items: tuple[EvidenceItem, ...] = ()

    def add(self, text: str, place: EvidencePlace) -> tuple["EvidenceLedger", EvidenceItem]:
        """The ledger with this text, and its entry; the same text at the same place is entered once."""
        known = next((one for one in self.items if one.text == text and one.place == place), None)
        if known is not None:
            return self, known
        made = EvidenceItem(max((one.id for one in self.items), default=0) + 1, text, place)
        return EvidenceLedger((*self.items, made)), made

    def find(self, number: int) -> EvidenceItem | None:
        return next((one for one in self.items if one.id == number), None)

    def to_json(self) -> list[JsonValue]:
        return [one.to_json() for one in self.items]


def ledger_from_json(value: JsonValue) -> EvidenceLedger:
    """Read what `EvidenceLedger.to_json` wrote; `InvalidInput` names the entry that is no evidence."""
    if not isinstance(value, list):
        raise InvalidInput("a ledger is a list of evidence", hint="collect the evidence again")
    return EvidenceLedger(tuple(_read_evidence(one, at) for at, one in enumerate(value)))


def _read_evidence(value: JsonValue, at: int) -> EvidenceItem:
    place = value.get("place") if isinstance(value, Mapping) else None
    if isinstance(value, Mapping) and isinstance(place, Mapping):
        number, text, source = value.get("id"), value.get("text"), place.get("source")
        kind = next((one for one in get_args(PlaceKind) if one in place), None)
        if isinstance(number, int) and isinstance(text, str) and isinstance(source, str) and kind:
            title, time = (str(place.get(key) or "") for key in ("title", "time"))
            return EvidenceItem(
                number, text, EvidencePlace(source, cast("PlaceKind", kind), str(place[kind]), title, time)
            )
    raise InvalidInput(f"entry {at} of the ledger is no evidence", hint="collect the evidence again")

"""The steps of restating a request, and the names that are kept out of the rules' sight meanwhile."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.drafting.restate._names import protect_names
from metier.packs.office.drafting.restate._phrases import restate_phrases
from metier.packs.office.drafting.restate._plain import restate_plain
from metier.packs.office.drafting.restate._records import restate_records
from metier.packs.office.drafting.restate._signs import restate_lists
from metier.packs.office.drafting.restate._two_tables import restate_two_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Restated", "restate"]


@dataclass(frozen=True, slots=True)
class Restated:
    """A request in plainer words; `names` are words of the user that stand in it under another name."""

    text: str
    names: "Mapping[str, str]" = field(default_factory=dict)

    def put_back(self, plan: JsonObject) -> JsonObject:
        """A plan with the user's own words."""
        return {key: self._put_back(value) for key, value in plan.items()}

    def _put_back(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            for name, said in self.names.items():
                value = value.replace(name, said)
            return value
        if isinstance(value, list):
            return [self._put_back(one) for one in value]
        if isinstance(value, dict):
            return {key: self._put_back(one) for key, one in value.items()}
        return value


def restate(request: str) -> Restated:
    """The request with plain lists, counts and figures; equal to the request if there is nothing to restate."""
    text = request
    for step in (restate_plain, restate_phrases, restate_lists, restate_two_tables, restate_records):
        text = step(text)
    text, names = protect_names(text)
    return Restated(text, names)

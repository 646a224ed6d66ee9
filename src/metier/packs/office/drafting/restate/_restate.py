"""The steps of restating a request, and the names that are kept out of the rules' sight meanwhile."""

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.drafting._plan_texts import list_written, strip_mark
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.briefs import restate_brief
from metier.packs.office.drafting.restate._names import protect_names
from metier.packs.office.drafting.restate._order_last import restate_order_last
from metier.packs.office.drafting.restate._parallel import restate_parallel
from metier.packs.office.drafting.restate._phrases import restate_phrases
from metier.packs.office.drafting.restate._plain import restate_plain
from metier.packs.office.drafting.restate._priced import restate_priced
from metier.packs.office.drafting.restate._records import restate_records
from metier.packs.office.drafting.restate._said_pairs import restate_said_pairs
from metier.packs.office.drafting.restate._signs import restate_lists
from metier.packs.office.drafting.restate._spaced import restate_spaced
from metier.packs.office.drafting.restate._two_tables import restate_two_tables
from metier.packs.office.drafting.restate._typos import restate_typos

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Restated", "read_layout", "restate"]

_MAX_CHARS: Final = 1_000
_MAX_BRIEF_CHARS: Final = 4_000  # rows of data are long


@dataclass(frozen=True, slots=True)
class Restated:
    """A request in plainer words; `names` are words of the user that stand in it under another name."""

    text: str
    names: "Mapping[str, str]" = field(default_factory=dict)
    unread: str = ""  # a line of a brief that is not understood
    written: tuple[str, ...] = ()  # what the plan must have of it
    demands: tuple[str, ...] = ()  # clauses of it that are no talk

    def keeps_words(self, plan: JsonObject, request: str) -> bool:
        """Whether each text of a plan that stands in the plainer words stands in the user's own as well.

        The usual names of columns (数量, 单价) may stand for themselves.
        """
        if self.find_lost(plan):
            return False
        said, read = (_join(text) for text in (request, self.text))
        texts = [_join(strip_mark(one).strip(" ：:")) for one in list_written(self.put_back(plan))]
        usual = {_join(name) for topic in list_topics() for names in (topic.titles, *topic.columns) for name in names}
        return all(one in said or one not in read or one.isdecimal() or one in usual for one in texts if one)

    def find_lost(self, plan: JsonObject) -> str:
        """The first name or text of a field, point or row that a plan does not have; empty if it has all."""
        written = _bare(json.dumps(self.put_back(plan), ensure_ascii=False))
        lost = (one for one in self.written if _bare(json.dumps(one, ensure_ascii=False)[1:-1]) not in written)
        return next(lost, "")

    def keeps_demands(self, left_out: "Sequence[str]") -> bool:
        """Whether none of the parts that a plan leaves out stands in a field or point."""
        return not any(part.strip(" ,，.。") in demand for part in left_out for demand in self.demands)

    def put_back(self, plan: JsonObject) -> JsonObject:
        """A plan with the user's own words."""
        return {key: self._put_back(value) for key, value in plan.items()}

    def put_back_text(self, text: str) -> str:
        """A text with the user's own words."""
        for name, said in self.names.items():
            text = text.replace(name, said)
        return text

    def _put_back(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.put_back_text(value)
        if isinstance(value, list):
            return [self._put_back(one) for one in value]
        if isinstance(value, dict):
            return {key: self._put_back(one) for key, one in value.items()}
        return value


def _bare(text: str) -> str:
    return re.sub(r"[\s,，]", "", text).lower()


def _join(text: str) -> str:
    return "".join(text.split()).lower()


_STEPS: Final = (
    *(
        restate_typos,
        restate_spaced,
        restate_parallel,
        restate_said_pairs,
        restate_order_last,
        restate_plain,
        restate_phrases,
    ),
    *(restate_lists, restate_two_tables, restate_records),
)


def restate(request: str) -> Restated:
    """The request with plain lists, counts and figures; equal to the request if there is nothing to restate."""
    if len(request) > _MAX_CHARS:
        return Restated(request)
    brief = restate_brief(request)
    text, priced = restate_priced(brief.text)
    for step in _STEPS:
        text = step(text)
    text, names = protect_names(text)
    return Restated(text, {**names, **priced, **brief.names}, written=brief.written, demands=brief.demands)


def read_layout(request: str) -> Restated:
    """A laid-out request as one sentence, or the line of it that is not understood; another one as it is."""
    if len(request) > _MAX_BRIEF_CHARS:
        return Restated(request)
    brief = restate_brief(request)
    return Restated(brief.text, brief.names, brief.unread, brief.written, brief.demands)

"""Clauses that a plan did not need: the request without one of them becomes the same plan."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._asides import asks, holds_anyway, is_aside, is_spoken
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting._wording import is_manner
from metier.packs.office.drafting.comparison.omissions._explained import find_unexplained
from metier.packs.office.drafting.comparison.omissions._forms import FORMS, OF_PART
from metier.packs.office.drafting.remarks import holds_in, list_spans
from metier.packs.office.drafting.talk import THRESHOLD, is_demand, is_joined_order, is_statement, score_talk

__all__ = ["find_unused"]

_EDGES: Final = " \t,，。.;；:：!！?？\n"
# What a request refuses is compared with the plan by a check of its own.
_REFUSES: Final = re.compile(
    r"[\u4e00-\u9fff]{0,6}(?:不[要用必需能得许再]|无需|无须)|(?:先|请|也|可|千万)*(?:不|别|勿|甭|除了)|"
    r"(?:but |and |please )*(?:no|not|don['’]t|do not|never|without|except)\b",
    re.IGNORECASE,
)
# A told clause that adds something to the result: 也算出来, 从下周一开始.
_ADDS: Final = re.compile(
    r"[按照]着?(?:上[次回周月]|去年|以前|原来|老)|[也都再还][要得给]?[\u4e00-\u9fff]{0,2}[算列写标带加补填附画][上进出入来]|^从.{1,8}[开起]"
)
_PURPOSE: Final = re.compile(r"(?:[要急备]用|用[的得][上着]?|看的?)$")
# What it is for: 排值日用.
_FOR: Final = re.compile(r"(?![不别要得])[\u4e00-\u9fff]{2,6}用的?")
_PLACES: Final = frozenset({"set_selection", "set_selection_by_text"})
_MAX_DRAFTS: Final = 8


def find_unused(request: str, plan: JsonObject, draft: "Callable[[str], JsonObject | None]") -> str:
    """The first clause that may be a demand and without which `draft` makes the same plan; empty if there is none."""
    for start, end in islice(_list_doubtful(request, plan), _MAX_DRAFTS):
        again = draft(_leave_out(request, start, end))
        if again is not None and _list_content(again) == _list_content(plan):
            return request[start:end].strip(_EDGES)
    return ""


def _list_doubtful(request: str, plan: JsonObject) -> Iterator[tuple[int, int]]:
    """Clauses that are no talk and say more than the plan has; what leads to a list with a colon is none."""
    mask = RequestText(request).mask
    clauses = list(list_spans(request))
    first = next((start for start, _, clause in clauses if asks(clause)), len(mask))
    named = next(
        (start for start, _, clause in clauses if any(one.pattern.search(clause) for one in list_topics())), first
    )
    for start, end, clause in clauses if len(clauses) > 1 else ():
        is_head = mask[start:end].rstrip().endswith(":") or re.fullmatch(QUOTED, clause) is not None
        if not clause or is_head or _is_no_demand(clause, is_before=start < first):
            continue
        if not holds_in(clause, plan) and find_unexplained(clause, plan, is_first=start in (first, named)):
            yield start, end


def _is_no_demand(clause: str, *, is_before: bool) -> bool:
    """Whether a clause is known for talk or a refusal, or has a form whose demands were compared with the plan."""
    if holds_anyway(clause) or is_manner(clause) or _REFUSES.match(clause) or _FOR.fullmatch(clause):
        return True
    if score_talk(clause) > THRESHOLD:
        return not (is_joined_order(clause) or is_statement(clause) or _ADDS.search(clause))
    if is_aside(clause) or is_spoken(clause):
        return is_before or _PURPOSE.search(clause) is not None or not (is_demand(clause) or _ADDS.search(clause))
    return any(form.pattern.search(clause) for form in FORMS if form.kind not in OF_PART)


def _list_content(plan: JsonObject) -> list[JsonValue]:
    """What a plan writes, wherever it writes it."""
    actions = plan["actions"]
    blocks = [one for one in actions if isinstance(one, dict)] if isinstance(actions, list) else []
    return [{**one, "id": "", "anchor": ""} for one in blocks if one["op"] not in _PLACES]


def _leave_out(request: str, start: int, end: int) -> str:
    before, after = request[:start], request[end:]
    return f"{before}{after}".strip() if after.strip() else before.rstrip(_EDGES)

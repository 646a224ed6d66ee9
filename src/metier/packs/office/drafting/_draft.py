"""From a request in words to a plan, by rules; where the request is not clear, to one question."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.drafting._draft_call import ABOUT_NEW, Draft, DraftCall, is_new, is_order
from metier.packs.office.drafting._draft_composed import draft_composed
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.checks import find_lost_header, is_unsupported, list_texts
from metier.packs.office.drafting.columns import find_unwritten, hide_names, read_columns
from metier.packs.office.drafting.demands import leave_out
from metier.packs.office.drafting.dictation import find_misheard, strip_fillers, write_pauses
from metier.packs.office.drafting.letters import read_letter
from metier.packs.office.drafting.lists import strike_refused
from metier.packs.office.drafting.losses import find_condition, find_lost, find_misread
from metier.packs.office.drafting.restate import Restated, list_steps, list_written, open_dashes, read_layout, restate
from metier.packs.office.drafting.sequences import find_lost_step, list_sequence
from metier.packs.office.drafting.talk import is_demand, strike_talk
from metier.packs.office.plan import HostApp

if TYPE_CHECKING:
    from metier.packs.office._hosts import Selection

__all__ = ["Draft", "draft_plan"]

_MAX_LEFT_OUT: Final = 3
# 差额（公式）: it says how the column is filled and is no part of its name.
_FORMULA: Final = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{0,6})\s*[(（](?:(?P=name)[列栏]?)?(?:请|都|要|需)*(?:用|写|自动|按|以)?"
    r"(?:公式|formula|by formula|computed|自动计算)(?:来|自动)?(?:算出?|计算|求|得出)?[)）]",
    re.IGNORECASE,
)
_INSERTS: Final = frozenset(
    {
        "set_selection",
        "insert_text",
        "insert_before_text",
        "insert_after_text",
        "set_text_style",
        "set_paragraph_format",
    }
)
_COMPUTES: Final = frozenset({"set_cell_formula"})


def draft_plan(
    request: str,
    *,
    host: HostApp,
    language: Language,
    selection: "Selection | None" = None,
    reading: Reading | None = None,
) -> Draft:
    """Draft a plan for a request. Nothing is guessed: what is not understood becomes a question.

    `reading` is the document: a place that the request names is looked for in it, and orders that change what is there
    are only understood with it.
    """
    asked = DraftCall(host, language, selection, reading)
    if host == "et" and (bracket := _FORMULA.search(request)):
        drafted = draft_plan(
            _FORMULA.sub(r"\g<name>", request), host=host, language=language, selection=selection, reading=reading
        )
        has_formula = drafted.plan is not None and any(one["op"] in _COMPUTES for one in list_steps(drafted.plan))
        return drafted if has_formula else asked.ask(request, Unclear("not_understood", part=bracket[0]))
    draft = _draft_message(request, asked)
    return draft if draft.plan is not None else _draft_dictated(request, asked) or draft


def _draft_dictated(request: str, asked: DraftCall) -> Draft | None:
    """The draft of a message without its fillers, or with signs for its pauses, in the user's own words; else None."""
    plain = strip_fillers(request)
    for said in dict.fromkeys((plain, write_pauses(plain))):
        draft = _draft_message(said, asked) if said != request else Draft(None)
        if draft.plan is None or (said != plain and (not is_new(draft.plan) or is_order(draft.plan))):
            continue
        if Restated(said).keeps_words(draft.plan, request):
            return draft
    return None


def _draft_message(request: str, asked: DraftCall) -> Draft:
    """The draft of a message as it stands; a plan that loses something of it becomes a question."""
    draft = _draft_letter(request, asked)
    if draft.plan is None or (is_new(draft.plan) and not is_order(draft.plan)) or _inserts_several(draft.plan):
        composed = _draft_pieces(request, asked, draft)
        if composed is not None and composed.plan is not None:
            steps = list_steps(composed.plan)
            lost = find_misread(request, steps) or find_condition(composed.left_out)
            lost = lost or find_misheard(request, list_written(composed.plan))
            return asked.ask(request, Unclear("not_understood", part=lost)) if lost else composed
    steps = list_steps(draft.plan) if draft.plan is not None else []
    lost = find_lost(request, steps) or find_misread(request, steps) if steps else ""
    lost = lost or find_condition(draft.left_out)
    lost = lost or (find_misheard(request, list_written(draft.plan)) if draft.plan is not None else "")
    return asked.ask(request, Unclear("not_understood", part=lost)) if lost else draft


def _draft_pieces(request: str, asked: DraftCall, draft: Draft) -> Draft | None:
    """The draft of several pieces, of the whole message or of the order in it, if it says more than the other draft."""
    if _refuses(request):
        return None
    letter = read_letter(request)
    struck = strike_talk(letter.text, [])
    remarks = (*letter.left_out, *struck.left_out)
    for said, left_out in ((request, ()), (letter.text, letter.left_out), (struck.text, remarks)):
        if any(is_demand(one) or is_unsupported(one) for one in left_out):
            continue
        composed = draft_composed(said, asked, _draft_order, at_least=1 if draft.plan is None else 2)
        if composed.plan is not None and _says_more(composed, draft):
            return composed.leave_out(left_out)
    return None


def _inserts_several(plan: JsonObject) -> bool:
    """Whether a plan only inserts texts, several of them: pieces that stand at one place are composed as one."""
    ops = [str(one["op"]) for one in list_steps(plan)]
    return set(ops) <= _INSERTS and sum(one.startswith("insert_") for one in ops) > 1


def _says_more(composed: Draft, draft: Draft) -> bool:
    """Whether a draft has a text or a kind of thing that the other one lacks."""
    if composed.plan is None or draft.plan is None:
        return composed.plan is not None
    steps, others = list_steps(composed.plan), list_steps(draft.plan)
    known = "\n".join(list_texts(others))
    is_new_kind = {str(one["op"]) for one in steps} - {str(one["op"]) for one in others}
    return bool(is_new_kind) or any(one not in known for one in list_texts(steps))


def _draft_letter(request: str, asked: DraftCall) -> Draft:
    """The draft of the order in a letter, or else of the whole message."""
    letter = read_letter(request)
    if letter.text == request:
        return _draft_order(request, asked)
    draft = _draft_order(letter.text, asked)
    if draft.plan is not None and is_new(draft.plan):
        return draft.leave_out(letter.left_out)
    whole = _draft_order(request, asked)  # an order that changes what is there may be about who is named
    return whole if whole.plan is not None or draft.plan is not None else draft


def _draft_order(request: str, asked: DraftCall) -> Draft:
    """The draft of an order; columns that it names are those of the plan, or it is asked about them."""
    draft = _draft_listed(request, asked)
    columns = () if _refuses(request) else read_columns(request)
    if not columns or (draft.plan is not None and not is_new(draft.plan)):
        return draft
    unwritten = find_unwritten(columns, list_steps(draft.plan)) if draft.plan is not None else columns[0]
    if unwritten is None:
        return draft
    hidden = hide_names(request, columns)
    again = _draft_listed(hidden.text, asked) if all(one.names for one in columns) else draft
    if again.plan is not None:
        plan = hidden.put_back_plan(again.plan)
        if is_new(plan) and find_unwritten(columns, list_steps(plan)) is None:
            return again.put_back(plan, hidden)
    if draft.plan is None:
        return draft
    part = request[unwritten.start : unwritten.end].strip()
    return asked.ask(request, Unclear("not_understood", part=part))


def _refuses(request: str) -> bool:
    """Whether a request takes a name out of its list, or tries to."""
    try:
        return strike_refused(request) != request
    except Unclear:
        return True


def _draft_listed(request: str, asked: DraftCall) -> Draft:
    """The draft of a request whose items, said one after the other, are all written, or it is asked about them."""
    request = open_dashes(request)
    sequence = list_sequence(request)
    listed = _draft_said(sequence.text, asked) if sequence else Draft(None)
    if sequence and listed.plan is not None and is_new(listed.plan) and sequence.is_kept(listed.plan):
        return listed
    draft = _draft_said(request, asked)
    if draft.plan is None or not is_new(draft.plan) or not (lost := find_lost_step(request, draft.plan)):
        return draft
    return asked.ask(request, Unclear("not_understood", part=lost))


def _draft_said(request: str, asked: DraftCall) -> Draft:
    """The draft of a request as it stands, or else in plainer words."""
    draft = asked.draft_without_talk(request)
    if draft.plan is not None and not is_new(draft.plan):
        return draft
    laid_out = read_layout(request)
    is_asked = draft.code in ABOUT_NEW or bool(draft.left_out) or "\n" in request.strip()
    if laid_out.unread and is_asked:
        draft = asked.ask(request, Unclear("not_understood", part=laid_out.unread))
    elif laid_out.text != request:
        draft = _draft_laid_out(laid_out, request, asked, draft)
    if draft.plan is not None:
        return draft
    again = None if laid_out.unread else _draft_restated(restate(request), request, asked)
    if again is not None and again.plan is not None:
        return again
    rest, undone = _find_rest(request, draft, asked)
    return replace(draft, rest=rest, undone=undone)


def _draft_laid_out(laid_out: Restated, request: str, asked: DraftCall, draft: Draft) -> Draft:
    """The draft of a laid-out message from its one sentence; else as it stands if nothing is lost, or a question."""
    again = _draft_restated(laid_out, request, asked)
    if again is not None and again.plan is not None:
        return again
    restated = _draft_restated(restate(request), request, asked)
    if restated is not None and restated.plan is not None:
        return restated
    is_whole = draft.plan is not None and not (draft.left_out or laid_out.demands or laid_out.find_lost(draft.plan))
    if is_whole:
        return draft
    if draft.plan is None and (again is None or again.part not in request):
        return draft
    lost = "" if draft.plan is None else laid_out.find_lost(draft.plan)
    return again or asked.ask(request, Unclear("not_understood", part=lost or request.strip().splitlines()[0]))


def _draft_restated(restated: Restated, request: str, asked: DraftCall) -> Draft | None:
    """The draft of a request in plainer words, with the user's own words put back; None if it is not in these."""
    if restated.text == request:
        return None
    again = replace(asked, is_restated=True).draft_without_talk(restated.text)
    if again.plan is None:
        return replace(again, question=restated.put_back_text(again.question), part=restated.put_back_text(again.part))
    keeps = restated.keeps_words(again.plan, request) and restated.keeps_demands(again.left_out)
    if not keeps or find_lost_header(RequestText(request), list_steps(again.plan)):
        return None
    return replace(again, plan=restated.put_back(again.plan))


def _find_rest(request: str, draft: Draft, asked: DraftCall) -> tuple[str, tuple[str, ...]]:
    """The request without what it is asked about, a clause at a time, as soon as a plan can be made of it."""
    undone: list[str] = []
    while draft.part and len(undone) < _MAX_LEFT_OUT:
        undone.append(draft.part.strip(" ,，.。"))
        request = leave_out(request, undone[-1])
        if not request:
            break
        draft = asked.draft(request)
        if draft.plan is not None:
            return request, tuple(undone)
    return "", ()

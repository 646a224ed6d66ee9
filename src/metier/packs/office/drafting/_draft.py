"""From a request in words to a plan, by rules; where the request is not clear, to one question."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.drafting._asides import is_spoken
from metier.packs.office.drafting._blocks import name_block
from metier.packs.office.drafting._choice import fills_new_slide, is_new, may_be_pieces, says_more
from metier.packs.office.drafting._draft_call import ABOUT_NEW, DraftCall, list_known
from metier.packs.office.drafting._draft_composed import draft_composed
from metier.packs.office.drafting._plan_texts import list_steps, list_tables
from metier.packs.office.drafting._result import Draft
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.briefs import read_ticket
from metier.packs.office.drafting.columns import NamedColumns, find_unwritten, hide_names, read_columns, read_computed
from metier.packs.office.drafting.comparison import (
    find_condition,
    find_divided_cell,
    find_lost,
    find_lost_header,
    find_misread,
    is_unsupported,
    leave_out,
)
from metier.packs.office.drafting.dictation import (
    find_misheard,
    find_retraction,
    strip_emphasis,
    strip_fillers,
    take_back,
    write_pauses,
    write_run_ons,
)
from metier.packs.office.drafting.letters import read_letter
from metier.packs.office.drafting.lists import strike_refused
from metier.packs.office.drafting.remarks import Bare, strike_refusals
from metier.packs.office.drafting.restate import Restated, open_dashes, read_layout, restate, restate_typos
from metier.packs.office.drafting.rows import find_pasted
from metier.packs.office.drafting.sequences import find_lost_step, list_sequence
from metier.packs.office.drafting.tables import restate_table
from metier.packs.office.drafting.talk import is_demand, strike_talk
from metier.packs.office.orders import is_talk_beside
from metier.packs.office.plan import HostApp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metier.packs.office._hosts import Selection

__all__ = ["draft_plan"]

_MAX_LEFT_OUT: Final = 3
_MAX_REQUEST_CHARS: Final = 4_000
_MAX_RUN: Final = 40
_LONG_RUN: Final = re.compile(rf"([^\w\n])\1{{{_MAX_RUN},}}|\n{{{_MAX_RUN},}}")


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
    if len(request) > _MAX_REQUEST_CHARS:
        return asked.ask(request, Unclear("too_long", count=len(request), limit=_MAX_REQUEST_CHARS))
    ticket = read_ticket(_shorten_runs(request))
    said = strip_emphasis(take_back(ticket.text))
    draft = _draft_computed(said, asked)
    if draft.plan is not None and (untaken := find_retraction(said)):
        return asked.ask(request, Unclear("not_understood", part=untaken))
    if ticket.left_out and draft.plan is not None and not is_new(draft.plan):
        return asked.ask(request, Unclear("order_or_talk", part=ticket.left_out[0]))
    return _offer_rest(said, draft, asked).leave_out(ticket.left_out)


def _offer_rest(request: str, draft: Draft, asked: DraftCall) -> Draft:
    """The question whether to do the rest, only where there is a plan for the rest; else it asks for other words."""
    if draft.code != "unsupported" or draft.rest:
        return draft
    rest, undone = _find_rest(request, draft, asked)
    if rest:
        return replace(draft, rest=rest, undone=undone)
    return asked.ask(request, Unclear("unsupported_alone", part=draft.part))


def _draft_computed(request: str, asked: DraftCall) -> Draft:
    """The draft of a message whose names and formulas of computed columns are all in the plan."""
    computed = read_computed(request) if asked.host == "et" else None
    if computed is None:
        return _draft_spoken(request, asked)
    draft = _draft_spoken(computed.text, asked)
    is_computed = draft.plan is not None and computed.are_kept(list_steps(draft.plan))
    return draft if is_computed else asked.ask(request, Unclear("not_understood", part=computed.said))


def _draft_spoken(request: str, asked: DraftCall) -> Draft:
    """The draft of a message; else of one without its fillers or with signs for its pauses, in the user's own words."""
    whole = _draft_message(request, asked)
    if whole.plan is not None:
        return whole
    plain = strip_fillers(request)
    for said in dict.fromkeys((plain, write_pauses(plain), write_run_ons(plain))):
        draft = _draft_message(said, asked) if said != request else whole
        if draft.plan is None or (said != plain and (not is_new(draft.plan) or fills_new_slide(draft.plan))):
            continue
        if Restated(said).keeps_words(draft.plan, request):
            return draft
    return whole


def _draft_message(request: str, asked: DraftCall) -> Draft:
    """The draft of a message as one order or as several pieces, or the question for what it has lost."""
    draft = _draft_letter(request, asked)
    if may_be_pieces(draft):
        composed = _draft_pieces(request, asked, draft)
        if composed is not None and composed.plan is not None:
            lost = find_misread(request, list_steps(composed.plan)) or find_condition(composed.left_out)
            lost = lost or find_misheard(request, composed.plan)
            return asked.ask(request, Unclear("not_understood", part=lost)) if lost else composed
    steps = list_steps(draft.plan) if draft.plan is not None else []
    lost = find_lost(request, steps) or find_misread(request, steps) if steps else ""
    if not lost and (dropped := _find_dropped(draft)):
        return asked.ask(request, Unclear("order_or_talk", part=dropped))
    lost = lost or find_condition(draft.left_out)
    lost = lost or (find_misheard(request, draft.plan) if draft.plan is not None else "")
    return asked.ask(request, Unclear("not_understood", part=lost)) if lost else draft


def _find_dropped(draft: Draft) -> str:
    """A clause left out beside a change of what is there that no rule knows for talk: 学生免费, 发给王总."""
    if draft.plan is None or is_new(draft.plan):
        return ""
    return next((one for one in draft.left_out if not is_talk_beside(one) and not is_spoken(one)), "")


def _shorten_runs(request: str) -> str:
    """The request with long runs of blanks or of one sign as short ones: they say no more, and patterns walk them."""
    return _LONG_RUN.sub(lambda found: found[0][:_MAX_RUN], request)


def _draft_pieces(request: str, asked: DraftCall, draft: Draft) -> Draft | None:
    """The draft of several pieces, of the whole message or of the order in it, if it says more than the other draft."""
    if _refuses(request):
        return None
    letter = read_letter(request)
    struck = strike_talk(letter.text, [])
    remarks, tried = (*letter.left_out, *struck.left_out), set[Bare]()
    for said, left_out in ((request, ()), (letter.text, letter.left_out), (struck.text, remarks)):
        if any(is_demand(one) or is_unsupported(one) for one in left_out):
            continue
        for bare in (Bare(said), strike_refusals(said)):
            if bare in tried:
                continue  # most messages have no letter, no talk and nothing refused: all six are the same
            tried.add(bare)
            composed = draft_composed(bare.text, asked, _draft_order, at_least=1 if draft.plan is None else 2)
            if composed.plan is not None and bare.is_borne_out(composed.plan) and says_more(composed, draft):
                return composed.leave_out(left_out)
    return None


def _draft_letter(request: str, asked: DraftCall) -> Draft:
    """The draft of the order in a letter, or else of the whole message."""
    letter = read_letter(request)
    if letter.text == request:
        return _draft_order(request, asked)
    draft = _draft_order(letter.text, asked)
    if draft.plan is not None and is_new(draft.plan):
        table = _draft_table(request, asked) if draft.is_whole else None
        return table or draft.leave_out(letter.left_out)  # “Ref, Owner, …”: the first name of a list greets nobody
    whole = _draft_order(request, asked)  # an order that changes what is there may be about who is named
    return whole if whole.plan is not None or draft.plan is not None else draft


def _draft_order(request: str, asked: DraftCall) -> Draft:
    """The draft of an order; columns that it names are those of the plan, or it is asked about them."""
    draft = _draft_listed(request, asked)
    columns = () if _refuses(request) else read_columns(request)
    if not columns or (draft.plan is not None and not is_new(draft.plan)):
        return draft
    unwritten = find_unwritten(columns, list_steps(draft.plan)) if draft.plan is not None else columns[0]
    if unwritten is None or (draft.is_whole and draft.plan is not None and _has_lead(unwritten, draft.plan)):
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


def _has_lead(columns: NamedColumns, plan: JsonObject) -> bool:
    """Whether columns are those of a plan but for words before the first name: 有序号, “headed Room”."""
    return any(
        tuple(rows[0][1:]) == columns.names[1:] and columns.names[0].endswith(rows[0][0])
        for rows in list_tables(list_steps(plan))
        if rows and columns.names
    )


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
    if (table := _draft_table(request, asked)) is not None:
        return table
    laid_out = read_layout(request)
    is_asked = draft.code in ABOUT_NEW or bool(draft.left_out) or "\n" in request.strip()
    if laid_out.unread and is_asked:
        draft = asked.ask(request, Unclear("not_understood", part=laid_out.unread))
    elif laid_out.text != request and not _has_pasted_gaps(request, draft):
        draft = _draft_laid_out(laid_out, request, asked, draft)
    if draft.plan is not None:
        return draft
    again = None if laid_out.unread else _draft_restated(restate(request), request, asked)
    if again is not None and again.plan is not None:
        return again
    rest, undone = _find_rest(request, draft, asked)
    return replace(draft, rest=rest, undone=undone)


def _draft_table(request: str, asked: DraftCall) -> Draft | None:
    """The draft of a message that is about tables to its last word, or to the last word that is no talk."""
    if asked.host != "wps":
        return None
    for said, left_out in _list_without_talk(request, asked):
        table = restate_table(restate_typos(said))
        draft = Draft(None) if table is None else replace(asked, is_restated=True).draft(table.text)
        if table is None or draft.plan is None or not table.is_borne_out(draft.plan, request):
            continue
        plan = table.hidden.put_back_plan(draft.plan)
        headers = [tuple(rows[0]) for rows in list_tables(list_steps(plan)) if rows]
        first = [tuple(row[0] for row in rows[1:-1]) for rows in list_tables(list_steps(plan))]
        if (table.headers and headers != list(table.headers)) or (table.positions and first != [table.positions]):
            continue
        if table.kind:
            plan = name_block(plan, table.kind, table.title, asked.language)
        return replace(draft.put_back(plan, table.hidden), is_whole=True).leave_out((*left_out, *table.left_out))
    return None


def _list_without_talk(request: str, asked: DraftCall) -> "Iterator[tuple[str, Sequence[str]]]":
    yield request, ()
    struck = strike_talk(request, [] if asked.reading is None else list_known(asked.reading))
    if struck.left_out:
        yield struck.text, struck.left_out


def _has_pasted_gaps(request: str, draft: Draft) -> bool:
    """Whether a draft has all of a table that was pasted with empty cells: its lines are rows and no fields."""
    if draft.plan is None or draft.left_out:
        return False
    pasted = find_pasted(request)
    return pasted is not None and not all(all(row) for row in pasted.rows)


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
    steps = list_steps(again.plan)
    if not keeps or find_lost_header(RequestText(request), steps) or find_divided_cell(steps):
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

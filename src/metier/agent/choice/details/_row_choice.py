"""Words that choose among the rows of an open approval: the rows are shown, and the next plain yes is about them."""

import re
from typing import Final

from metier.agent.adapters import asks_no_more, is_hum, read_assent
from metier.agent.choice.details._proposals import choose_by_place
from metier.agent.turn import (
    CHOSEN,
    UNCLEAR,
    ChosenPreview,
    TurnState,
    choose_preview_rows,
    count_chosen_rows,
    count_preview_rows,
    cut_refusal,
    digest_question,
    is_half_answer,
    raises_doubt,
    sounds_like_approval,
    sounds_partial,
    wants_all_rows,
)
from metier.json_values import JsonObject, JsonValue
from metier.language import Sentences, join_names
from metier.patterns import compile_later
from metier.questions import (
    Answer,
    PlacedRows,
    find_places,
    is_detail_question,
    is_request,
    read_places,
    read_proposal_question,
    tables_in_preview,
)
from metier.store import EventDraft, Pause

# 第二条改成六个月 is a change of its own, and no word about the rows.
_ORDERS_CHANGE: Final = compile_later(
    r"[把将].|改[成为]|换成|替换|删|插入|添加|加上|\b(?:replace|delete|insert|add|rename|set|move|change .+ (?:to"
    r"|into))\b",
    re.IGNORECASE,
)
_MAX_NAMED: Final = 5
# A cell, a number of an order, a date: what rows are named by.
_CODE: Final = compile_later(r"(?<![A-Za-z\d-])[A-Za-z]{0,4}[-_]?\d[\d-]{2,}\d(?![\d-])")
_SENTENCES: Final = Sentences(
    {
        "rows_chosen": (
            "{count} of {total} rows {words}; the other {left} would not be done. A plain yes approves these only.",
            "{total} 行中选出 {count} 行，{words}；其余 {left} 行不会执行。回答「好的」只批准这些。",
        ),
        "rows_chosen_by_place": (
            "{count} of {total} rows; the other {left} would not be done. A plain yes approves these only.",
            "{total} 行中选出 {count} 行；其余 {left} 行不会执行。回答「好的」只批准这些。",
        ),
        "all_rows": (
            "All {total} rows are meant now, none is left out. A plain yes approves all of them.",
            "现在是全部 {total} 行，一行不少。回答「好的」批准全部。",
        ),
        "rows_unread": (
            "I did not understand which rows you mean; nothing was approved. Untick the rows you do not want in the "
            "table and approve, or name them as “except …”, “only …” or “the first 10”. A plain yes would approve "
            "{count} of {total} rows now.",
            "没有听懂要批准哪些行，什么都没有执行。可以在表里取消勾选不要的行再批准，或者用「除了……」「只要……」「前10条」来说。"
            "现在回答「好的」会批准 {total} 行中的 {count} 行。",
        ),
        "rows_absent": (
            "{names} is in none of the {total} rows, so nothing was approved. A plain yes would approve {count} of "
            "{total} rows now.",
            "{total} 行里都没有 {names}，所以什么都没有执行。现在回答「好的」会批准 {total} 行中的 {count} 行。",
        ),
        "in_doubt": (
            "I cannot tell whether that approves just what is shown; nothing was done. A plain yes approves {count} of "
            "{total} rows, “no” rejects them.",
            "看不出这是不是批准所显示的内容，所以什么都没有执行。回答「好的」会批准 {total} 行中的 {count} "
            "行，回答「不」则拒绝。",
        ),
        "in_doubt_whole": (
            "I cannot tell whether that approves just what is shown; nothing was done. A plain yes approves it, “no” "
            "rejects it.",
            "看不出这是不是批准所显示的内容，所以什么都没有执行。回答「好的」即批准，回答「不」则拒绝。",
        ),
        "no_rows": (
            "This step has no rows to choose from; nothing was done. Approve it or reject it as a whole.",
            "这一步没有可以挑选的行，什么都没有执行。请整体批准或拒绝。",
        ),
        "always_asked": (
            "Each time is asked about by itself, so nothing was approved yet. Is this one approved?",
            "每一次都会单独询问，不能预先批准，所以还没有执行。这一次批准吗？",
        ),
    }
)


async def mark_doubt(state: TurnState) -> None:
    """Note beside an open approval that something was said that neither answers it nor only asks.

    It may have been a limit or a doubt that no rule reads (前两处同意，后面的不同意; “yes, tomorrow”), so the next
    plain yes is asked about once. Rows that are chosen after it settle what it means.
    """
    pause = state.calls.pending_pause
    if pause is None or pause.payload.get("purpose") != "approve" or pause.payload.get(UNCLEAR):
        return
    said = cut_refusal(pause, state.request.message)
    if is_half_answer(said) and state.uses_builtin_model("converse"):
        return  # it was just told what a plain yes means
    is_settled = wants_all_rows(pause, said) or choose_preview_rows(pause, said) is not None
    if not is_settled and raises_doubt(said):
        await _change(state, pause, {UNCLEAR: True})


async def read_row_choice(state: TurnState) -> Answer | None:
    """The rows of an open approval that the message chooses; None if it chooses none.

    They are kept with the approval until other rows, or in so many words all of them, are chosen. A message that only
    seems to choose is told how; a language model may understand it.
    """
    pause, language = state.calls.pending_pause, state.request.language
    if pause is None or pause.payload.get("purpose") != "approve":
        return None
    total, said = count_preview_rows(pause), cut_refusal(pause, state.request.message)
    agrees = read_assent(said) == "yes" or (sounds_like_approval(said) and not sounds_partial(said))
    if pause.payload.get(UNCLEAR) and agrees:
        return await _ask_in_doubt(state, pause)
    if total and wants_all_rows(pause, said):
        await _choose(state, pause, None)
        return Answer(_SENTENCES.render("all_rows", language, total=total))
    chosen = choose_preview_rows(pause, said, language)
    if chosen is not None:
        return await _keep(state, pause, chosen)
    if asks_no_more(said):
        return Answer(_SENTENCES.render("always_asked", language))
    if (placed := read_places(said)) is not None:
        return await _choose_places(state, pause, placed)
    is_bid = sounds_like_approval(said) and not sounds_partial(said) and state.uses_builtin_model("converse")
    if is_bid or is_hum(said):
        return await _ask_in_doubt(state, pause)
    if not _seems_to_choose(said) or not state.uses_builtin_model("converse"):
        return None
    return tell_unread(state, pause) if total else Answer(_SENTENCES.render("no_rows", language))


def tell_unread(state: TurnState, pause: Pause) -> Answer:
    """What is said to words that may limit an approval and that no rule reads; the next plain yes is asked about."""
    count, total, language = count_chosen_rows(pause), count_preview_rows(pause), state.request.language
    if total and (absent := _list_absent(pause, state.request.message)):
        names = join_names(absent[:_MAX_NAMED], language)
        return Answer(_SENTENCES.render("rows_absent", language, names=names, count=count, total=total))
    code = "rows_unread" if total else "in_doubt_whole"
    return Answer(_SENTENCES.render(code, language, count=count, total=total))


def _list_absent(pause: Pause, message: str) -> list[str]:
    """Codes in a message that no row of the approval has, so that nothing they name could be approved."""
    rows = [row for table in tables_in_preview(pause.payload, "", "en") for row in table.rows]
    held = " ".join(str(cell) for row in rows for cell in row)
    return [code for code in dict.fromkeys(_CODE.findall(message)) if code not in held]


async def _ask_in_doubt(state: TurnState, pause: Pause) -> Answer:
    """Say what a plain yes would approve now; the next one counts, as it is known what it means."""
    total = count_preview_rows(pause)
    await _change(state, pause, {UNCLEAR: False})
    code = "in_doubt" if total else "in_doubt_whole"
    count = count_chosen_rows(pause)
    return Answer(_SENTENCES.render(code, state.request.language, count=count, total=total))


def _seems_to_choose(said: str) -> bool:
    """Whether a message speaks of some of the rows and asks nothing: 只要便宜的, "I don't like the third"."""
    is_question = is_detail_question(said) or read_proposal_question(said) is not None
    is_order = is_request(said) or _ORDERS_CHANGE.search(said) is not None
    names_row = not is_order and any(not one.is_part for one in find_places(said))
    return not is_question and (sounds_partial(said) or names_row)


async def _choose_places(state: TurnState, pause: Pause, placed: PlacedRows) -> Answer:
    """Keep the rows that places name, or ask what they mean."""
    language, found = state.request.language, await choose_by_place(state, pause, placed)
    if found is None:
        return Answer(_SENTENCES.render("no_rows", language))
    if found.is_all:
        await _choose(state, pause, None)
        return Answer(_SENTENCES.render("all_rows", language, total=count_preview_rows(pause)))
    if found.chosen is None:
        return Answer(found.told)
    return await _keep(state, pause, found.chosen)


async def _keep(state: TurnState, pause: Pause, chosen: ChosenPreview) -> Answer:
    """Keep the rows as what a plain yes would approve, and say so with the rows."""
    await _choose(state, pause, list(chosen.ids))
    left = chosen.total - len(chosen.ids)
    told = {"count": len(chosen.ids), "total": chosen.total, "left": left, "words": chosen.words}
    code = "rows_chosen" if chosen.words else "rows_chosen_by_place"
    return Answer(_SENTENCES.render(code, state.request.language, **told), tables=(chosen.table,))


async def _choose(state: TurnState, pause: Pause, rows: list[JsonValue] | None) -> None:
    """Store the chosen rows with the approval: what a plain yes means is clear."""
    await _change(state, pause, {CHOSEN: rows, UNCLEAR: False})


async def _change(state: TurnState, pause: Pause, changes: JsonObject) -> None:
    """Store what a yes means now and tell every reader, whose earlier view of the approval is out of date."""
    changed = await state.resources.store.pauses.amend(pause.id, changes)
    rows, is_in_doubt = changed.payload.get(CHOSEN), changed.payload.get(UNCLEAR) is True
    shown = digest_question(changed.payload)
    told: JsonObject = {"pause": pause.id, CHOSEN: rows, UNCLEAR: is_in_doubt, "shown": shown}
    state.queue_display_events(EventDraft("pause.changed", told))

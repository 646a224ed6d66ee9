"""Words that choose among the rows of an open approval: the rows are shown, and the next plain yes is about them."""

import re
from typing import Final

from metier.agent.adapters import asks_no_more, read_assent
from metier.agent.choice.details._proposals import choose_by_place
from metier.agent.turn import (
    CHOSEN,
    UNCLEAR,
    ChosenPreview,
    TurnState,
    choose_preview_rows,
    count_preview_rows,
    digest_question,
    read_control,
    sounds_like_approval,
    sounds_partial,
    wants_all_rows,
)
from metier.json_values import JsonObject, JsonValue
from metier.language import Sentences
from metier.names import is_command
from metier.patterns import compile_later
from metier.questions import (
    Answer,
    PlacedRows,
    asks_only,
    find_places,
    is_detail_question,
    is_request,
    read_places,
    read_proposal_question,
)
from metier.routing import read_small_talk
from metier.store import EventDraft, Pause
from metier.textsearch import fold

# 第二条改成六个月 is a change of its own, and no word about the rows.
_ORDERS_CHANGE: Final = compile_later(
    r"[把将].|改[成为]|换成|替换|删|插入|添加|加上|\b(?:replace|delete|insert|add|rename|set|move|change .+ (?:to"
    r"|into))\b",
    re.IGNORECASE,
)
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


# Words of doing or leaving what is proposed: 第二处可以不改吗 may be a wish, 第六行呢 is a question.
_DEED: Final = compile_later(
    r"改|写|批准|同意|动|留|删|执行|下发|跳过|\b(?:chang|writ|appl|approv|agree|leav|left|skip|delet|edit|fix|keep)\w*",
    re.IGNORECASE,
)


# A wish, a limit or an objection may be put as a question: 功率的先别下发行吗, "should we not touch power?".
_LIMIT: Final = compile_later(
    r"不(?!是什么)|别|先|等|留|缓|除|只|但|明[天早]|以后|之后|晚|周[一二三四五六日]|错"
    r"|n['’]t\b|\b(?:not|no|hold|wait|tomorrow|until|later|only|except|but|without|unless|instead|first|before|says?)\b",
    re.IGNORECASE,
)


async def mark_doubt(state: TurnState) -> None:
    """Note beside an open approval that something was said that neither answers it nor only asks.

    It may have been a limit or a doubt that no rule reads (前两处同意，后面的不同意; “yes, tomorrow”), so the next
    plain yes is asked about once. Rows that are chosen after it settle what it means.
    """
    pause, said = state.calls.pending_pause, state.request.message
    if pause is None or pause.payload.get("purpose") != "approve" or pause.payload.get(UNCLEAR) or is_command(said):
        return
    if read_small_talk(fold(said)) is not None:
        return
    is_partial = (
        _LIMIT.search(said) is not None
        or sounds_partial(said)
        or (bool(find_places(said)) and _DEED.search(said) is not None)
    )
    only_asks = asks_only(said) or is_detail_question(said) or read_proposal_question(said) is not None
    if read_control(said) is None and (is_partial or not only_asks):
        await state.resources.store.pauses.amend(pause.id, {UNCLEAR: True})


async def read_row_choice(state: TurnState) -> Answer | None:
    """The rows of an open approval that the message chooses; None if it chooses none.

    They are kept with the approval until other rows, or in so many words all of them, are chosen. A message that only
    seems to choose is told how; a language model may understand it.
    """
    pause, language, said = state.calls.pending_pause, state.request.language, state.request.message
    if pause is None or pause.payload.get("purpose") != "approve":
        return None
    total = count_preview_rows(pause)
    agrees = read_assent(said) == "yes" or (sounds_like_approval(said) and not sounds_partial(said))
    if pause.payload.get(UNCLEAR) and agrees:
        await state.resources.store.pauses.amend(pause.id, {UNCLEAR: False})  # the next plain yes counts
        code = "in_doubt" if total else "in_doubt_whole"
        return Answer(_SENTENCES.render(code, language, count=_count_chosen(pause, total), total=total))
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
    if sounds_like_approval(said) and not sounds_partial(said) and state.uses_builtin_model("converse"):
        code = "in_doubt" if total else "in_doubt_whole"
        await state.resources.store.pauses.amend(pause.id, {UNCLEAR: False})  # it is said what a yes means
        return Answer(_SENTENCES.render(code, language, count=_count_chosen(pause, total), total=total))
    if not _seems_to_choose(said) or not state.uses_builtin_model("converse"):
        return None
    if not total:
        return Answer(_SENTENCES.render("no_rows", language))
    return Answer(_SENTENCES.render("rows_unread", language, count=_count_chosen(pause, total), total=total))


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


def _count_chosen(pause: Pause, total: int) -> int:
    """How many rows a plain yes would approve now."""
    rows = pause.payload.get(CHOSEN)
    return len(rows) if isinstance(rows, list) else total


async def _choose(state: TurnState, pause: Pause, rows: list[JsonValue] | None) -> None:
    """Store the chosen rows with the approval and tell every reader, whose earlier view of it is out of date."""
    changed = await state.resources.store.pauses.amend(pause.id, {CHOSEN: rows, UNCLEAR: False})
    told: JsonObject = {"pause": pause.id, CHOSEN: rows, "shown": digest_question(changed.payload)}
    state.queue_display_events(EventDraft("pause.changed", told))

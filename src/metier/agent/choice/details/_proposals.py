"""Messages about the rows of an open approval: questions about them, and words that choose some by their place."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from metier.agent.choice.details._load_results import load_results
from metier.agent.turn import CHOSEN, ChosenPreview, TurnState, list_choosable
from metier.language import Language, Sentences, choose
from metier.questions import (
    Answer,
    PlacedRows,
    ProposedRows,
    answer_proposal,
    find_rows,
    link_findings,
    name_rows,
    number_rows,
    read_proposal_question,
    tables_in_preview,
)
from metier.store import Pause

_SENTENCES: Final = Sentences(
    {
        "by_number": ("({rows})", "即{rows}"),
        "which_place": (
            "That may mean {row}, or the place of that name, which is {place}; nothing was done. Which do you mean?",
            "这可以指表里的{row}，也可以指叫这个名字的位置，即{place}；什么都没有执行。你指的是哪一个？",
        ),
        "other_place": (
            "No change is proposed in the place of that name; nothing was done. Do you mean {row} of the table?",
            "叫这个名字的位置没有提议的改动，什么都没有执行。你指的是表里的{row}吗？",
        ),
        "by_preview": (
            "{sentence} The figures behind each row stand in its table; no finding is linked to single rows.",
            "{sentence}每一行的数值见表；没有逐行的说明。",
        ),
        "only": ("Only {rows}", "只要{rows}"),
        "all_but": ("All except {rows}", "除了{rows}"),
        "row_missing": (
            "There is no such row among the {count} that are proposed; nothing was done.",
            "提议的 {count} 行里没有这一行，什么都没有执行。",
        ),
        "none_left": (
            "That would leave no row; nothing was done. Say “no” to reject all of it.",
            "这样一行也不剩，什么都没有执行。要全部拒绝请说「不」。",
        ),
    }
)


class PlaceChoice(NamedTuple):
    """Rows that a message chooses by their place, or what is said instead; `is_all` if that is every row."""

    chosen: ChosenPreview | None = None
    told: str = ""
    is_all: bool = False


async def answer_about_proposal(state: TurnState) -> Answer | None:
    """Answer a question about the rows that an open approval shows; None for other messages.

    A language model words such answers itself.
    """
    pause = state.calls.pending_pause
    if pause is None or pause.payload.get("purpose") != "approve" or not state.uses_builtin_model("converse"):
        return None
    question = read_proposal_question(state.request.message)
    proposal = await _load_proposal(state, pause) if question is not None else None
    if question is None or proposal is None:
        return None
    kept = pause.payload.get(CHOSEN)
    ids = list_choosable(pause)
    chosen = [ids.index(str(one)) for one in kept if str(one) in ids] if isinstance(kept, list) else []
    told = answer_proposal(question, proposal, state.request.language, chosen)
    return _tell_preview(pause, state.request.language) if told is None and question.kind == "why" else told


def _tell_preview(pause: Pause, language: Language) -> Answer | None:
    """What the preview says of its rows, such as by what they were chosen, where no finding says why they are."""
    calls = pause.payload.get("calls")
    previews = [one.get("preview") for one in calls if isinstance(one, Mapping)] if isinstance(calls, list) else []
    sentences = [one.get("sentence") for one in previews if isinstance(one, Mapping)]
    told = " ".join(str(one[language]) for one in sentences if isinstance(one, Mapping) and one.get(language))
    return Answer(_SENTENCES.render("by_preview", language, sentence=told)) if told else None


async def choose_by_place(state: TurnState, pause: Pause, placed: PlacedRows) -> PlaceChoice | None:
    """The rows that places mean; None if the approval has no rows to choose from. What is in doubt is asked about."""
    ids, proposal = list_choosable(pause), await _load_proposal(state, pause)
    if proposal is None or len(ids) != len(proposal.table.rows):
        return None
    language, total = state.request.language, len(ids)
    found = find_rows(placed.places, proposal)
    if found.is_missing:
        return PlaceChoice(told=_SENTENCES.render("row_missing", language, count=total))
    if found.others or found.is_other_place:
        for rows in filter(None, (found.rows, found.others)):
            code = "all_but" if placed.is_left_out else "only"
            text = _SENTENCES.render(code, language, rows=_write_rows(rows, state))
            state.calls.offers.append({"text": text, "value": text})
        if not found.others:
            return PlaceChoice(told=_SENTENCES.render("other_place", language, row=name_rows(found.rows, language)))
        named = {"row": name_rows(found.rows, language), "place": name_rows(found.others, language)}
        return PlaceChoice(told=_SENTENCES.render("which_place", language, **named))
    rows = tuple(at for at in range(total) if (at in found.rows) != placed.is_left_out)
    if not rows:
        return PlaceChoice(told=_SENTENCES.render("none_left", language))
    if len(rows) == total:
        return PlaceChoice(is_all=True)
    listed = name_rows(rows, language)
    words = _SENTENCES.render("by_number", language, rows=listed) if listed else ""
    shown = number_rows(proposal.table, rows, language)
    return PlaceChoice(ChosenPreview(tuple(ids[at] for at in rows), total, shown, words))


async def _load_proposal(state: TurnState, pause: Pause) -> ProposedRows | None:
    language = state.request.language
    table = next(iter(tables_in_preview(pause.payload, "", language, names_first=False)), None)
    return None if table is None else link_findings(table, await load_results(state))


def _write_rows(rows: tuple[int, ...], state: TurnState) -> str:
    """Rows as words that choose them: 第 2 行, "rows 2 and 4"."""
    numbers = [str(at + 1) for at in rows]
    language = state.request.language
    return choose(
        language,
        en=f"row{'s' if len(numbers) > 1 else ''} {' and '.join(filter(None, (', '.join(numbers[:-1]), numbers[-1])))}",
        zh="、".join(f"第{one}行" for one in numbers),
    )

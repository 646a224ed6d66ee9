"""Messages beside a question which data are meant: wishes how to show them, files that have come since, file names."""

import re
from typing import Final

from metier.agent.adapters import match_text
from metier.agent.choice._attached_names import load_attached_names
from metier.agent.choice._joined import join_request
from metier.agent.choice.details import read_request
from metier.agent.turn import TurnState, abandon_open_work, get_choices, read_control, turn_events
from metier.attachments import match_names
from metier.language import Sentences
from metier.questions import is_view_wish, parse_question
from metier.store import Pause

_MAX_CHARS: Final = 600
_END: Final = " \t\n。.!！?？~，,;；"
_SAMPLE: Final = re.compile(r"示例|样例|\b(?:sample|example)s?\b", re.IGNORECASE)
_CHART: Final = re.compile(r"图|\b(?:chart|plot)s?\b", re.IGNORECASE)
_SAID: Final = Sentences(
    {
        "chart_later": (
            "This work chooses its charts by the data. Say “{wish}” again when they are there, and the chart is "
            "redrawn.",
            "这项工作按数据自己选图。数据出来以后再说一次「{wish}」，就换成那种图。",
        )
    }
)
_AROUND_NAME: Final = re.compile(
    r"^(?:就|那就|请|我要|我想|用|看|分析|选|是|the|use|take|please|it is|it's|analy[sz]e|[“\"「'])+\s*|[”\"」']"
    r"|\s*(?:吧|就行|这个|这份|please)$",
    re.IGNORECASE,
)


def asks_for_data(pause: Pause | None) -> bool:
    """Whether an open question asks which data or file is meant: it offers a sample."""
    if pause is None or pause.payload.get("purpose") != "ask":
        return False
    offered = [str(one.get("text", "")) for one in get_choices(pause)]
    return any(_SAMPLE.search(one) for one in offered)


def name_vague_offer(pause: Pause | None, said: str) -> str:
    """The only sample that a question offers if a message says just a part of it, such as 台账; empty otherwise."""
    texts = [str(one.get("text", "")) for one in get_choices(pause)] if pause is not None else []
    if not asks_for_data(pause) or len(texts) != 1 or match_text(said, texts) is None:
        return ""
    return texts[0]


async def complete_data_request(state: TurnState) -> str:
    """The request that asked for data together with what a message adds to it; empty for other messages.

    A wish how to show the data is kept with the request; a file that was attached since, or is named, answers the
    question. The question is closed: the request asks it again if it still has to.
    """
    pause, said = state.calls.pending_pause, state.request.message
    if pause is None or pause.turn is None or not asks_for_data(pause):
        return ""
    has_come = read_control(said) == "attached" and await has_attachments(state)
    if not (has_come or is_view_wish(said) or await _names_file(state, said)):
        return ""
    store = state.resources.store
    asked = read_request(await turn_events(store, await store.turns.get(pause.turn)))
    whole = asked if has_come else join_request(asked, said)
    if not asked or len(whole) > _MAX_CHARS:
        return ""
    await abandon_open_work(state)
    if _is_chart_wish(said) and not _draws_charts(state):
        state.queue_reply(_SAID.render("chart_later", state.request.language, wish=said.strip(_END)))
    return whole


def _is_chart_wish(said: str) -> bool:
    question = parse_question(said)
    return question is not None and question.kind == "chart"


def _draws_charts(state: TurnState) -> bool:
    """Whether the skill in use is called for charts; others choose theirs by the data."""
    skill = state.skill.active
    return skill is not None and any(_CHART.search(one) for one in skill.triggers)


async def has_attachments(state: TurnState) -> bool:
    """Whether the conversation has attached files."""
    return bool(await load_attached_names(state))


async def _names_file(state: TurnState, said: str) -> bool:
    """Whether a message is the name of an attached file, with or without its ending."""
    name = _AROUND_NAME.sub("", said.strip(_END)).strip(_END)
    found = match_names(name, await load_attached_names(state), stems=True)
    return len(found) == 1 and (found[0].start, found[0].end) == (0, len(name))

"""Minutes of a meeting from its transcript: participants, topics, decisions, promises; each with its source line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, Sentences, join_names
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._dates import find_document_date
from metier.packs.office.analysis._model import DocumentFinding, Proposal, Reading, body_pieces
from metier.packs.office.analysis.meetings._decisions import find_decisions
from metier.packs.office.analysis.meetings._promises import Promise, find_promises
from metier.packs.office.analysis.meetings._topics import find_topics
from metier.packs.office.analysis.meetings._transcript import list_attendees, list_speakers, read_transcript

__all__ = ["MinutesDraft", "propose_minutes", "read_minutes"]

BLOCK_ID: Final = "meeting-minutes"
_WORDS: Final = Sentences(
    {
        "title": ("Minutes", "会议纪要"),
        "basics": ("Meeting", "会议信息"),
        "subject": ("Subject: {name}", "主题：{name}"),
        "date": ("Date: {date}", "时间：{date}"),
        "date_assumed": (
            "Date: {date} (not stated in the transcript; the day of the request, used for relative dates)",
            "时间：{date}（文稿未写日期，按提出请求的日期推算）",
        ),
        "people": ("Participants: {names}", "参会人：{names}"),
        "nobody": ("Participants: not stated", "参会人：待定"),
        "topics": ("Topics", "议题"),
        "decisions": ("Decisions", "结论"),
        "todos": ("Action items", "待办"),
        "decided": ("Topics and decisions", "议题和结论"),
        "none": ("None found in the transcript.", "文稿中未找到。"),
        "what": ("What", "事项"),
        "who": ("Who", "责任人"),
        "when": ("When", "期限"),
        "line": ("Source line", "原文"),
        "where": ("Place", "位置"),
        "kind": ("Kind", "类别"),
        "open": ("to be settled", "待定"),
        "summary": (
            "Minutes of “{name}” ({date}): {topics} topics, {decisions} decisions, {todos} action items{open}. Each "
            "entry carries the line it was read from.",
            "已整理“{name}”（{date}）的会议纪要：{topics} 个议题、{decisions} 项结论、"
            "{todos} 项待办{open}。每一条都注明原文。",
        ),
        "without_date": (", {count} of them without a date", "，其中 {count} 项期限待定"),
        "todo_found": ("{who}: {what}; until {when}", "{who}：{what}；期限 {when}"),
        "no_meeting": (
            "“{name}” has no topics, decisions or action items that could be read; nothing was prepared.",
            "“{name}”里没有读到议题、结论或待办，因此没有准备改动。",
        ),
        "ask_meeting": (
            "Is this the transcript of a meeting? If so, say how topics and decisions are worded in it.",
            "这是会议记录吗？如果是，请告诉我其中的议题和决定是怎么写的。",
        ),
        "empty": (
            "The document has no text from which minutes could be made.", "文档里没有可以整理成纪要的文字。"
        ),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MinutesDraft:
    """What was read from a transcript."""

    name: str
    date: date
    is_date_stated: bool
    people: tuple[str, ...]
    topics: tuple[DocumentFinding, ...]
    decisions: tuple[DocumentFinding, ...]
    promises: tuple[Promise, ...]


def read_minutes(reading: Reading, today: date) -> MinutesDraft:
    """Read participants, topics, decisions and promises; relative dates count from the meeting's date."""
    pieces = list(body_pieces(reading))
    said = read_transcript(pieces)
    stated = find_document_date([piece.line for piece in pieces])
    people = tuple(dict.fromkeys((*list_attendees(said), *(name for name, _ in list_speakers(said)))))
    title = next((piece.line for piece in pieces), reading.name)
    return MinutesDraft(
        name=title[:60],
        date=stated or today,
        is_date_stated=stated is not None,
        people=people,
        topics=tuple(find_topics(said)),
        decisions=tuple(find_decisions(said)),
        promises=tuple(find_promises(said, stated or today, people)),
    )


def propose_minutes(reading: Reading, *, today: date, language: Language) -> Proposal:
    """Minutes as one block at the end of the document."""
    draft = read_minutes(reading, today)
    if not reading.pieces:
        return Proposal("meeting-minutes", "wps", _WORDS.render("empty", language))
    if not (draft.topics or draft.decisions or draft.promises):
        summary = _WORDS.render("no_meeting", language, name=draft.name)
        return Proposal("meeting-minutes", "wps", summary, question=_WORDS.render("ask_meeting", language))
    undated = sum(1 for promise in draft.promises if promise.when is None)
    summary = _WORDS.render(
        "summary",
        language,
        name=draft.name,
        date=draft.date.isoformat(),
        topics=len(draft.topics),
        decisions=len(draft.decisions),
        todos=len(draft.promises),
        open=_WORDS.render("without_date", language, count=undated) if undated else "",
    )
    todos = _todo_rows(draft.promises, language)
    columns = [_WORDS.render(code, language) for code in ("what", "who", "when", "line")]
    return Proposal(
        "meeting-minutes",
        "wps",
        summary,
        (_minutes_block(draft, columns, todos, language),),
        _tables(draft, columns, todos, language),
        tuple(finding.to_json(language) for finding in (*draft.topics, *draft.decisions, *_todo_findings(draft))),
    )


def _todo_rows(promises: Sequence[Promise], language: Language) -> list[list[str]]:
    still_open = _WORDS.render("open", language)
    return [
        [
            promise.what,
            promise.who or still_open,
            promise.when.isoformat() if promise.when else still_open,
            promise.line,
        ]
        for promise in promises
    ]


def _todo_findings(draft: MinutesDraft) -> list[DocumentFinding]:
    found = []
    for promise in draft.promises:
        sentences = [
            _WORDS.render(
                "todo_found",
                language,
                who=promise.who or _WORDS.render("open", language),
                what=promise.what,
                when=promise.when.isoformat() if promise.when else _WORDS.render("open", language),
            )
            for language in ("zh", "en")
        ]
        values = {"who": promise.who, "what": promise.what, "when": promise.when.isoformat() if promise.when else ""}
        found.append(
            DocumentFinding(
                "todo", promise.address, promise.line, BilingualText(sentences[0], sentences[1]), "low", values=values
            )
        )
    return found


def _minutes_block(draft: MinutesDraft, columns: list[str], todos: list[list[str]], language: Language) -> JsonObject:
    actions = PlanActions(language)
    word = {code: _WORDS.render(code, language) for code in ("title", "basics", "topics", "decisions", "todos", "none")}
    date_code = "date" if draft.is_date_stated else "date_assumed"
    people = (
        _WORDS.render("people", language, names=join_names(draft.people, language))
        if draft.people
        else _WORDS.render("nobody", language)
    )
    inside = [
        actions.text(word["title"], level=1),
        actions.text(
            "\n".join(
                (
                    _WORDS.render("subject", language, name=draft.name),
                    _WORDS.render(date_code, language, date=draft.date.isoformat()),
                    people,
                )
            )
        ),
    ]
    for code, findings in (("topics", draft.topics), ("decisions", draft.decisions)):
        lines = [f"{number}. {finding.message.text(language)}" for number, finding in enumerate(findings, 1)]
        inside += [actions.text(word[code], level=2), actions.text("\n".join(lines) or word["none"])]
    inside.append(actions.text(word["todos"], level=2))
    inside.append(actions.table(word["todos"], columns, todos) if todos else actions.text(word["none"]))
    return actions.block(BLOCK_ID, word["title"], inside)


def _tables(
    draft: MinutesDraft, columns: list[str], todos: list[list[str]], language: Language
) -> tuple[JsonObject, ...]:
    places = {promise.line: promise.address for promise in draft.promises}
    where = _WORDS.render("where", language)
    found = [
        [_WORDS.render(code, language), finding.message.text(language), finding.line, finding.address]
        for code, findings in (("topics", draft.topics), ("decisions", draft.decisions))
        for finding in findings
    ]
    kind = [_WORDS.render(code, language) for code in ("kind", "what", "line", "where")]
    tables = [
        table_json(_WORDS.render("todos", language), [*columns, where], [[*row, places[row[3]]] for row in todos]),
        table_json(_WORDS.render("decided", language), kind, found),
    ]
    return tuple(table for table in tables if table["rows"])

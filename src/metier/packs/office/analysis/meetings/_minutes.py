"""Minutes of a meeting from its transcript: participants, topics, decisions, promises; each with its source line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath
from typing import Final

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, Sentences, join_names
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._dates import find_date, find_document_date, find_full_date
from metier.packs.office.analysis._model import DocumentFinding, Proposal, Reading, body_pieces
from metier.packs.office.analysis.meetings._decisions import find_decisions, find_likely
from metier.packs.office.analysis.meetings._model import Promise
from metier.packs.office.analysis.meetings._promises import find_promises
from metier.packs.office.analysis.meetings._topics import find_topics
from metier.packs.office.analysis.meetings._transcript import (
    Utterance,
    list_attendees,
    list_hosts,
    list_speakers,
    read_transcript,
)
from metier.packs.office.analysis.meetings.records import read_source_lines
from metier.packs.office.analysis.meetings.roles import judge_lines

__all__ = ["MinutesDraft", "propose_minutes", "read_minutes"]

BLOCK_ID: Final = "meeting-minutes"
_OPENING: Final = 12
_MAX_TITLE: Final = 60
_ENDS_SENTENCE: Final = re.compile(r"[。！？!?.]\s*$")
_SUBJECT: Final = re.compile(r"^(?:会议)?(?:主题|名称|标题)\s*[:：]\s*(?P<name>\S.*)$")
_HEADER: Final = re.compile(
    r"^(?:会议|开会)?(?:时间|日期|地点|主持人?|记录人?|参会人?员?|出席人?员?|参加人?员?|与会人?员?|列席人?员?|"
    r"缺席人?员?|召集人|议程|议题)\s*[:：]"
    r"|^(?:date|time|place|location|attendees|participants|present|chair|agenda)\s*:"
    r"|^\d{4}\s*[年/.-]\s*\d{1,2}\s*[月/.-]\s*\d{1,2}\s*日?",
    re.IGNORECASE,
)
_WORDS: Final = Sentences(
    {
        "title": ("Minutes", "会议纪要"),
        "basics": ("Meeting", "会议信息"),
        "subject": ("Subject: {name}", "主题：{name}"),
        "date": ("Date: {date}", "时间：{date}"),
        "date_unknown": ("Date: to be settled (not stated in the transcript)", "时间：待定（文稿未写日期）"),
        "unknown": ("date not stated", "日期未写明"),
        "from_unknown": ("{said} (date of the meeting unknown)", "{said}（会议日期未知）"),
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
        "likely": ("To be confirmed", "待确认"),
        "likely_note": (
            "May be decisions or action items; please check:",
            "可能是结论或待办，请核对：",
        ),
        "likely_count": (
            " {count} further lines may be decisions or action items and are listed to be confirmed.",
            "另有 {count} 句可能是结论或待办，列在“待确认”中。",
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
    date: date | None
    people: tuple[str, ...]
    topics: tuple[DocumentFinding, ...]
    decisions: tuple[DocumentFinding, ...]
    promises: tuple[Promise, ...]
    likely: tuple[DocumentFinding, ...] = ()


def read_minutes(reading: Reading, held: date | None = None) -> MinutesDraft:
    """Read participants, topics, decisions and promises; relative dates count from the meeting's date.

    `held` is the day of the meeting where it is known from elsewhere; what the transcript says of it goes first.
    """
    pieces = list(body_pieces(reading))
    said = read_transcript(pieces)
    stated = find_document_date([one.line for one in said if not one.speaker]) or held
    stated = stated or next((one.day for one in said if one.day), None)  # a chat has the day of each message
    speakers = (name for name, _ in list_speakers(said))
    people = tuple(dict.fromkeys((*list_attendees(said), *speakers, *list_hosts(said))))
    judged = judge_lines(said)
    decisions = tuple(find_decisions(said, judged))
    promises = tuple(find_promises(said, stated, people, judged))
    topics = tuple(find_topics(said))
    opened = {one.address for one in topics}
    likely = find_likely(said, judged, [one.address for one in decisions], promises)
    return MinutesDraft(
        name=_find_subject(pieces, said, reading.name)[:60],
        date=stated,
        people=people,
        topics=topics,
        decisions=decisions,
        promises=promises,
        likely=tuple(one for one in likely if one.address not in opened),
    )


def _find_subject(pieces: Sequence[TextPiece], said: Sequence[Utterance], file_name: str) -> str:
    """What the meeting is about: the line that says so, else the title, else the name of the file."""
    sources = read_source_lines(pieces)
    lines = [one.text for one in sources]
    if named := next((match["name"] for line in lines[:_OPENING] if (match := _SUBJECT.match(line))), ""):
        return named.strip()
    spoken = {one.line for one in said if one.speaker}
    first = next((one for one in sources if not _HEADER.match(one.text)), None)
    if first is None or first.name or first.line in spoken or _ENDS_SENTENCE.search(first.text):
        return PurePath(file_name).stem
    return first.text.lstrip("# ") if len(first.text) <= _MAX_TITLE else PurePath(file_name).stem


def propose_minutes(reading: Reading, *, message: str = "", language: Language) -> Proposal:
    """Minutes as one block at the end of the document; the day of the meeting may stand in the message."""
    draft = read_minutes(reading, find_full_date(message))
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
        date=draft.date.isoformat() if draft.date else _WORDS.render("unknown", language),
        topics=len(draft.topics),
        decisions=len(draft.decisions),
        todos=len(draft.promises),
        open=_WORDS.render("without_date", language, count=undated) if undated else "",
    ) + (_WORDS.render("likely_count", language, count=len(draft.likely)) if draft.likely else "")
    todos = _todo_rows(draft.promises, language)
    columns = [_WORDS.render(code, language) for code in ("what", "who", "when", "line")]
    return Proposal(
        "meeting-minutes",
        "wps",
        summary,
        (_minutes_block(draft, columns, todos, language),),
        _tables(draft, columns, todos, language),
        tuple(
            finding.to_json(language)
            for finding in (*draft.topics, *draft.decisions, *_todo_findings(draft), *draft.likely)
        ),
    )


def _todo_rows(promises: Sequence[Promise], language: Language) -> list[list[str]]:
    still_open = _WORDS.render("open", language)
    return [
        [
            promise.what,
            promise.who or still_open,
            _word_day(promise, language),
            promise.line,
        ]
        for promise in promises
    ]


def _word_day(promise: Promise, language: Language) -> str:
    """The day, else the words that said it, else that it is open; a day is never guessed."""
    if promise.when is not None:
        return promise.when.isoformat()
    if not promise.said:
        return _WORDS.render("open", language)
    is_counted = find_date(promise.said, date(2000, 1, 3)) is not None
    return _WORDS.render("from_unknown", language, said=promise.said) if is_counted else promise.said


def _todo_findings(draft: MinutesDraft) -> list[DocumentFinding]:
    found = []
    for promise in draft.promises:
        sentences = [
            _WORDS.render(
                "todo_found",
                language,
                who=promise.who or _WORDS.render("open", language),
                what=promise.what,
                when=_word_day(promise, language),
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
    codes = ("title", "basics", "topics", "decisions", "todos", "none", "likely", "likely_note")
    word = {code: _WORDS.render(code, language) for code in codes}
    when = (
        _WORDS.render("date", language, date=draft.date.isoformat())
        if draft.date
        else _WORDS.render("date_unknown", language)
    )
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
                    when,
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
    if draft.likely:
        lines = [word["likely_note"], *(f"{number}. {one.line}" for number, one in enumerate(draft.likely, 1))]
        inside += [actions.text(word["likely"], level=2), actions.text("\n".join(lines))]
    return actions.block(BLOCK_ID, word["title"], inside)


def _tables(
    draft: MinutesDraft, columns: list[str], todos: list[list[str]], language: Language
) -> tuple[JsonObject, ...]:
    places = {promise.line: promise.address for promise in draft.promises}
    where = _WORDS.render("where", language)
    found = [
        [_WORDS.render(code, language), finding.message.text(language), finding.line, finding.address]
        for code, findings in (("topics", draft.topics), ("decisions", draft.decisions), ("likely", draft.likely))
        for finding in findings
    ]
    kind = [_WORDS.render(code, language) for code in ("kind", "what", "line", "where")]
    tables = [
        table_json(_WORDS.render("todos", language), [*columns, where], [[*row, places[row[3]]] for row in todos]),
        table_json(_WORDS.render("decided", language), kind, found),
    ]
    return tuple(table for table in tables if table["rows"])

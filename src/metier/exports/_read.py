"""Stored events of a conversation as a document: what was asked, answered and shown, without the machinery."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from math import inf
from typing import Final, TypeAlias

from metier.event_text import count_decimals, render_calls
from metier.exports._blocks import (
    Block,
    DrawingBlock,
    ExportDocument,
    HeadingBlock,
    ImageBlock,
    ListBlock,
    TableBlock,
    TextBlock,
    TextRun,
    Tone,
)
from metier.exports._charts import draw_chart
from metier.exports._maps import draw_maps
from metier.exports._markdown_text import clean_text, parse_markdown
from metier.exports._sentences import SENTENCES
from metier.exports._spoken_hints import drop_spoken_hints
from metier.json_values import JsonObject, JsonValue, list_items, list_objects
from metier.language import Language, choose, join_names, language_of
from metier.names import leave_command
from metier.store import Conversation, Event

# Reads a picture of the conversation's workspace; None if it is not there or too large.
ReadImage: TypeAlias = Callable[[str], bytes | None]

MAX_ROWS: Final = 200
MAX_COLUMNS: Final = 12
MAX_BLOCKS: Final = 2_000
MAX_HEADING_CHARS: Final = 500
_MAX_DECIMALS: Final = 4
_MIN_PLAIN: Final = 0.1
_MAX_PLAIN: Final = 1e12
_MAX_CELL_CHARS: Final = 300
_MAX_TEXT_CHARS: Final = 100_000
_PICTURES: Final = frozenset({"image/png", "image/jpeg"})


def build_document(
    conversation: Conversation,
    events: Sequence[Event],
    now: datetime,
    *,
    facts: Sequence[tuple[str, str]] = (),
    language: Language | None = None,
    read_image: ReadImage | None = None,
) -> ExportDocument:
    """Build the document of a conversation, or of the turn whose events are given."""
    titles = {
        f"/{one.data.get('skill')}": str(one.data.get("title")) for one in events if one.kind == "skill.activated"
    }
    said = [_name_skill(one.data, titles) for one in events if one.kind == "turn.started"]
    tongue = language or _find_language(events, conversation.title or "")
    title = conversation.title or (said[0][:80] if said else SENTENCES.render("untitled", tongue))
    made = SENTENCES.render(
        "made", tongue, day=f"{now:%Y-%m-%d %H:%M} UTC", began=f"{conversation.created_at:%Y-%m-%d %H:%M} UTC"
    )
    blocks: list[Block] = [TextBlock((TextRun(made),), "note")]
    if facts:
        blocks.append(ListBlock(tuple((TextRun(clean_text(f"{name}: {value}")),) for name, value in facts)))
    if attached := _list_attached(events):
        blocks.append(_make_text(SENTENCES.render("attached", tongue, names=join_names(attached, tongue)), "note"))
    for _, turn in groupby((one for one in events if one.turn), key=lambda one: one.turn):
        blocks += _Turn(tuple(turn), tongue, read_image, titles).list_blocks()
    blocks = [
        _limit_block(one, tongue)
        for one in blocks
        if len(said) > 1 or not isinstance(one, HeadingBlock) or one.text != title
    ]
    if len(blocks) > MAX_BLOCKS:
        cut = SENTENCES.render("cut", tongue, blocks=MAX_BLOCKS)
        blocks = [*blocks[:MAX_BLOCKS], TextBlock((TextRun(cut),), "note")]
    return ExportDocument(clean_text(" ".join(title.split())), tongue, tuple(blocks))


@dataclass(frozen=True, slots=True)
class _Turn:
    """One message and what came of it; the words come before the tables and charts they speak of."""

    events: tuple[Event, ...]
    language: Language
    read_image: ReadImage | None
    titles: Mapping[str, str]  # of skills, by the command that calls them
    questions: dict[str, JsonObject] = field(default_factory=dict)

    def list_blocks(self) -> Iterator[Block]:
        yield from self._list_words()
        shown = [*self._list_drawings(), *self._list_tables(), *self._list_files()]
        if shown:
            yield HeadingBlock(self._say("exhibits"), 3)
            yield from shown

    def _list_words(self) -> Iterator[Block]:
        asked = {str(one.data.get("text")) for one in self.events if one.kind == "pause.opened"}
        for event in self.events:
            data = event.data
            if event.kind == "turn.started":
                message = _name_skill(data, self.titles)
                yield HeadingBlock(clean_text(" ".join(message.split()))[:200], 2)
                if len(message) > 200:
                    yield _make_text(message, "user")
            elif event.kind == "text.done" and str(data.get("text")) not in asked:
                said = drop_spoken_hints(str(data.get("text", ""))[:_MAX_TEXT_CHARS])
                yield from parse_markdown(said, base_level=3)
            elif event.kind == "pause.opened":
                self.questions[str(data.get("pause"))] = data
                if data.get("text"):
                    yield _make_text(self._say("question", text=str(data["text"])), "question")
                for text in render_calls(data):  # what an approver was shown
                    yield from parse_markdown(text[:_MAX_TEXT_CHARS], base_level=4)
            elif event.kind == "pause.answered" and not data.get("cancelled"):
                yield _make_text(self._say("reply", text=self._describe_answer(data)), "question")
            elif event.kind in ("error", "turn.failed"):
                text = self._say("stopped") if data.get("code") == "stopped" else str(data.get("message", ""))
                yield _make_text(text, "note")

    def _describe_answer(self, data: JsonObject) -> str:
        """The answer as the user saw it: the words of the option, the labels of the form."""
        answer, question = data.get("answer"), self.questions.get(str(data.get("pause")), {})
        for choice in list_objects(question.get("choices")):
            if choice.get("value") == answer and type(choice.get("value")) is type(answer):
                return str(choice.get("text"))
        if isinstance(answer, bool):
            return self._say("yes" if answer else "no")
        if isinstance(answer, Mapping) and answer.get("decision") in ("approve", "reject"):
            return self._describe_decision(answer, question)
        if isinstance(answer, Mapping):
            form = question.get("form")
            fields = list_objects(form.get("fields")) if isinstance(form, Mapping) else []
            named = {str(one.get("name")): one for one in fields}
            told = (_describe_field(named.get(name, {}), name, value, self.language) for name, value in answer.items())
            return choose(self.language, zh="；", en="; ").join(told)
        return self._say("put_away") if answer is None else str(answer)

    def _describe_decision(self, answer: JsonObject, question: JsonObject) -> str:
        """The decision about calls, with the number of rows if the only call showed rows."""
        if answer["decision"] == "reject":
            return self._say("rejected")
        shown = [one.get("preview") for one in list_objects(question.get("calls"))]
        rows = [list_items(one.get("rows")) for one in shown if isinstance(one, Mapping)]
        if len(shown) != 1 or not rows or not rows[0]:
            return self._say("approved")
        chosen = answer.get("rows")
        count = len(chosen) if isinstance(chosen, list) else len(rows[0])
        return self._say("approved_rows", count=count, total=len(rows[0]))

    def _list_tables(self) -> Iterator[Block]:
        pages: dict[str, list[JsonObject]] = {}
        for event in self.events:
            if event.kind == "table":
                pages.setdefault(str(event.data.get("table")), []).append(event.data)
        # Tables that the words name come first, in that order: they are what the report is about.
        for parts in sorted(pages.values(), key=lambda one: self._find_mention(str(one[0].get("title") or ""))):
            first = next((one for one in parts if one.get("columns") is not None), parts[0])
            rows = [row for one in parts for row in list_items(one.get("rows"))]
            yield self._make_table(str(first.get("title") or ""), first.get("columns"), rows, first.get("total"))

    def _find_mention(self, title: str) -> float:
        """Where the words of the turn name a table by its title; infinite if they do not."""
        words = "\n".join(str(one.data.get("text", "")) for one in self.events if one.kind == "text.done").casefold()
        place = words.find(title.casefold()) if title else -1
        return place if place >= 0 else inf

    def _list_drawings(self) -> Iterator[Block]:
        mapped = {one.data.get("call") for one in self.events if one.kind == "map"}
        for event in self.events:
            spec = event.data.get("spec")
            if event.kind == "map" and isinstance(spec, Mapping):
                note = clean_text(str(spec.get("note") or ""))
                for name, picture in draw_maps(spec, self.language):
                    yield DrawingBlock(clean_text(name), picture, note)
            if event.kind != "chart" or not isinstance(spec, Mapping):
                continue
            if spec.get("kind") == "heatmap" and event.data.get("call") in mapped:
                continue  # the map of the same call shows it, with sites and thresholds
            title, drawing = str(spec.get("title") or self._say("chart")), draw_chart(spec)
            if drawing is not None:
                yield DrawingBlock(clean_text(title), drawing, clean_text(str(spec.get("note") or "")))
            else:
                yield self._make_table(title, spec.get("columns"), list_items(spec.get("rows")), None)

    def _list_files(self) -> Iterator[Block]:
        for event in self.events:
            data = event.data
            title = clean_text(str(data.get("title") or data.get("path") or ""))
            if event.kind == "image" and data.get("media_type") in _PICTURES and self.read_image is not None:
                content = self.read_image(str(data.get("path")))
                if content:
                    yield ImageBlock(title, content, str(data["media_type"]))
                    continue
            if event.kind in ("file", "image"):
                yield _make_text(f"{self._say('file', name=title)} {self._say('files_note')}", "note")

    def _make_table(self, title: str, columns: JsonValue, rows: Sequence[JsonValue], total: JsonValue) -> TableBlock:
        described = list_objects(columns)
        shown = [list_items(row)[:MAX_COLUMNS] for row in rows[:MAX_ROWS]]
        count = total if isinstance(total, int) else len(rows)
        notes = []
        if count > len(shown):
            notes.append(self._say("rows", shown=len(shown), total=count))
        if len(described) > MAX_COLUMNS:
            notes.append(self._say("columns", shown=MAX_COLUMNS, total=len(described)))
        kept = described[:MAX_COLUMNS]
        digits = [_count_decimals(row[at] for row in shown if at < len(row)) for at in range(len(kept))]
        return TableBlock(
            clean_text(title) or self._say("table"),
            tuple(_render_head(one) for one in kept),
            tuple(
                tuple(self._render_cell(row[at] if at < len(row) else None, digits[at]) for at in range(len(kept)))
                for row in shown
            ),
            tuple(one.get("type") == "number" for one in kept),
            " ".join(notes),
        )

    def _render_cell(self, value: JsonValue, decimals: int) -> str:
        if value is None:
            return "–"
        if isinstance(value, bool):
            return self._say("yes" if value else "no")
        if isinstance(value, int | float):
            return _render_number(value, decimals)
        text = str(value) if isinstance(value, str) else ", ".join(map(str, value))
        cut = clean_text(" ".join(text.split()))
        return cut if len(cut) <= _MAX_CELL_CHARS else f"{cut[:_MAX_CELL_CHARS]}…"

    def _say(self, code: str, /, **values: object) -> str:
        return SENTENCES.render(code, self.language, **values)


def _name_skill(started: JsonObject, titles: Mapping[str, str]) -> str:
    """What the user said; a skill that was called by its id has its title."""
    said = str(started.get("message", ""))
    first, gap, rest = said.partition(" ")
    return f"{titles[first]}{gap}{rest}" if first in titles else said


def _find_language(events: Sequence[Event], title: str) -> Language:
    """Language of the user's messages; if they are only commands, of what was answered."""
    said = [str(one.data.get("message", "")) for one in events if one.kind == "turn.started"]
    words = " ".join(map(leave_command, said)).strip()
    told = " ".join(str(one.data.get("text", ""))[:1000] for one in events if one.kind in ("text.done", "pause.opened"))
    return language_of(words or told or title)


def _list_attached(events: Sequence[Event]) -> list[str]:
    """Names of the files that the user attached and did not remove."""
    names = {}
    for event in events:
        if event.kind == "attachment.added":
            names[event.data.get("path")] = str(event.data.get("name"))
        elif event.kind == "attachment.removed":
            names.pop(event.data.get("path"), None)
    return list(names.values())


def _limit_block(block: Block, language: Language) -> Block:
    """Cut what a text holds as the tables of tools are cut; the cut is told."""
    if isinstance(block, HeadingBlock):
        return HeadingBlock(block.text[:MAX_HEADING_CHARS], block.level)
    if isinstance(block, ListBlock) and len(block.items) > MAX_ROWS:
        note = (TextRun(SENTENCES.render("rows", language, shown=MAX_ROWS, total=len(block.items))),)
        return ListBlock((*block.items[:MAX_ROWS], note), block.is_numbered)
    if not isinstance(block, TableBlock) or (len(block.rows) <= MAX_ROWS and len(block.heads) <= MAX_COLUMNS):
        return block
    notes = [block.note] if block.note else []
    if len(block.rows) > MAX_ROWS:
        notes.append(SENTENCES.render("rows", language, shown=MAX_ROWS, total=len(block.rows)))
    if len(block.heads) > MAX_COLUMNS:
        notes.append(SENTENCES.render("columns", language, shown=MAX_COLUMNS, total=len(block.heads)))
    rows = tuple(row[:MAX_COLUMNS] for row in block.rows[:MAX_ROWS])
    return TableBlock(block.title, block.heads[:MAX_COLUMNS], rows, block.numeric[:MAX_COLUMNS], " ".join(notes))


def _count_decimals(values: Iterable[JsonValue]) -> int:
    """Digits after the point of a column, at most four; numbers that these do not tell do not count."""
    plain = (value for value in values if isinstance(value, float) and _is_plain(value))
    return min(_MAX_DECIMALS, count_decimals(plain))


def _render_number(value: float, decimals: int) -> str:
    """A number with the digits of its column, or with four digits if they would not tell it."""
    return f"{value + 0.0:.{decimals}f}" if isinstance(value, int) or _is_plain(value) else f"{value:.4g}"


def _is_plain(value: float) -> bool:
    return abs(value) < _MAX_PLAIN and (abs(value) >= _MIN_PLAIN or round(value, _MAX_DECIMALS) == value)


def _make_text(text: str, tone: Tone) -> TextBlock:
    return TextBlock((TextRun(clean_text(text)[:_MAX_TEXT_CHARS]),), tone)


def _describe_field(described: JsonObject, name: str, value: JsonValue, language: Language) -> str:
    """A field as the form showed it; of several values, each by its label."""
    labels = [(one.get("value"), str(one.get("label"))) for one in list_objects(described.get("options"))]
    values = list_items(value) if isinstance(value, list | tuple) else [value]
    shown = [next((label for known, label in labels if known == one), str(one)) for one in values]
    return f"{described.get('title') or name}{choose(language, zh='：', en=': ')}{join_names(shown, language)}"


def _render_head(column: JsonObject) -> str:
    title, unit = str(column.get("title") or column.get("key")), str(column.get("unit") or "")
    return clean_text(f"{title} ({unit})" if unit and unit not in title else title)

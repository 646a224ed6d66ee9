"""One reading of a request: its draft, or the question for what is not clear in it."""

import re
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.drafting._blocks import DraftBlock, build_plan
from metier.packs.office.drafting._choice import fills_new_slide, is_new, prefer_content
from metier.packs.office.drafting._plan_texts import list_texts
from metier.packs.office.drafting._result import Draft
from metier.packs.office.drafting._slots import DraftPlace, TableSize, take_place, take_size
from metier.packs.office.drafting._unclear import DraftNote, Unclear
from metier.packs.office.drafting._wording import drop_asides, list_asides, reword
from metier.packs.office.drafting.comparison import (
    check_demands,
    check_fields,
    check_fit,
    check_leftovers,
    check_support,
    find_unused,
    loses_content,
)
from metier.packs.office.drafting.content import draft_sheet, draft_slides, draft_writer
from metier.packs.office.drafting.lists import check_refused, strike_refused
from metier.packs.office.drafting.remarks import strike_remarks
from metier.packs.office.drafting.talk import strike_talk
from metier.packs.office.orders import read_orders
from metier.packs.office.plan import PLAN_VERSION, HostApp, load_plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metier.packs.office._hosts import Selection
    from metier.packs.office._pieces import TextPiece

__all__ = ["ABOUT_NEW", "DraftCall", "check_anchor", "list_known", "settle_place"]

_MAX_NAMES: Final = 12
_SIGNS: Final = ' \n\t,，。.;；:：!！?？“”"「」《》'
_ABOUT_PART: Final = frozenset({"unsupported", "unsupported_alone", "not_understood"})
# Questions of an order that was understood but for one thing.
_PRECISE: Final = frozenset(
    {"no_picture", "which_year", "day_or_month", "too_many_points", "one_filter", "has_formulas", "no_split"}
    | {"no_password", "only_sheets", "renumber"}
)
# Questions for something new; with a document in hand a change of what it has may be meant.
ABOUT_NEW: Final = frozenset({"no_object", "no_slide", "not_understood", "unsupported", "no_columns"})
# A request that says what is to be in a new table, chart or text; others are about what the document has.
_GIVES_CONTENT: Final = re.compile(
    r"列为|列是|表头(?:为|是|写|:|：)|\d+\s*(?:[行列]|x|×)|[一二两三四五六七八九十]\s*[行列](?!合计)|甘特|"
    r"大纲|提纲|模板|模版|纪要|周报|月报|"
    r"报价|横幅|艺术字|占位|清单|登记|附录|待办|预算|幻灯片|要点|总结|议程|时间线|\b(?:columns?|rows?|"
    r"gantt|outline|template|minutes|"
    r"report|quotation|banner|word ?art|placeholder|checklist|list|register|appendix|budget|slide|points?|"
    r"summary|agenda|"
    r"timeline)\b|(?:插入|画|做|建|生成|新建|加|\b(?:insert|make|create|add|draw)\b).{0,30}(?:表|图|table|chart)",
    re.IGNORECASE,
)
_KINDS: "Final[Mapping[HostApp, Literal['docx', 'xlsx', 'pptx']]]" = MappingProxyType(
    {"wps": "docx", "et": "xlsx", "wpp": "pptx"}
)


@dataclass(frozen=True, slots=True)
class DraftCall:
    """What a request is drafted for."""

    host: HostApp
    language: Language
    selection: "Selection | None"
    reading: Reading | None
    is_restated: bool = False  # something new is meant, and no text may be copied out of the words of the request

    def list_pieces(self) -> "Sequence[TextPiece]":
        """Pieces of the document; none where it is not known or has no text of its own."""
        return () if self.reading is None else self.reading.pieces

    def draft_without_talk(self, request: str) -> Draft:
        """The draft of a request, or else of what is left of it without talk; the question of the first if both ask."""
        draft = self.draft(request)
        if draft.plan is not None:
            return draft
        struck = strike_talk(request, [] if self.reading is None else list_known(self.reading))
        again = self.draft(struck.text) if struck.left_out else draft
        again = again if again.plan is not None else self._draft_without_remarks(struck.text)
        return draft if again.plan is None else again.leave_out(struck.left_out)

    def _draft_without_remarks(self, request: str) -> Draft:
        """The draft of a request without what may be remarks, if the plan bears each of them out."""
        bare = strike_remarks(request)
        draft = self.draft(bare.text) if bare.remarks else Draft(None)
        adds = draft.plan is not None and is_new(draft.plan)
        return draft if draft.plan is not None and adds and bare.is_borne_out(draft.plan) else Draft(None)

    def draft(self, request: str) -> Draft:
        """Draft a plan; a clause that may be a demand and without which the plan is the same becomes the question."""
        draft = self._draft_once(request)
        if draft.plan is None or not is_new(draft.plan) or fills_new_slide(draft.plan):
            return draft
        unused = find_unused(request, draft.plan, lambda without: self._draft_once(without).plan)
        return self.ask(request, Unclear("unsupported", part=unused)) if unused else draft

    def _draft_once(self, request: str) -> Draft:
        try:
            if self.is_restated:
                return _draft_content(request, self)
            return _draft(request, self)
        except Unclear as unclear:
            return self.ask(request, unclear)

    def ask(self, request: str, unclear: Unclear) -> Draft:
        """The question for what is not clear; it always quotes something."""
        note = unclear.note
        if note.code in _ABOUT_PART and not str(note.values["part"]).strip(_SIGNS):
            note = DraftNote(note.code, {**note.values, "part": request.strip()[:80]})
        if self.reading is not None and note.code in ABOUT_NEW and not _GIVES_CONTENT.search(request):
            known = _list_contents(self.reading)
            note = DraftNote("what_where", {"part": request.strip()[:80], "known": known}) if known else note
        part = str(note.values["part"]) if note.code in _ABOUT_PART else ""
        return Draft(None, note.text(self.language), (), note.code, part=part)


def list_known(reading: Reading) -> list[str]:
    """Texts of the document, whole; a clause that has one of them is about the document."""
    cells = [str(cell.value) for sheet in reading.sheets for cell in sheet.cells if isinstance(cell.value, str)]
    slides = [line for slide in reading.slides for line in (slide.title, *slide.texts)]
    texts = (one.strip() for one in (*(piece.line for piece in reading.pieces), *cells, *slides))
    return [one for one in texts if len(one) > 1]


def _list_contents(reading: Reading) -> tuple[str, ...]:
    """What a document has, by names that a user can say: headings, columns, slides."""
    heads = [one.line.strip() for one in reading.pieces if one.level]
    slides = [f"{one.number} {one.title.strip()}" for one in reading.slides]
    first = [
        re.fullmatch(r"[A-Z]+1", cell.address) and str(cell.value)
        for sheet in reading.sheets[:1]
        for cell in sheet.cells[:60]
    ]
    return tuple(one for one in (*heads, *slides, *(name for name in first if name)) if one)[:_MAX_NAMES]


def _draft(request: str, asked: DraftCall) -> Draft:
    if not request.strip():
        raise Unclear("no_object")
    host, language, reading = asked.host, asked.language, asked.reading
    document = reading or Reading("", _KINDS[host])
    order = read_orders(request, document, language=language)
    if order.actions and all(one["op"] == "add_slide" for one in order.actions):
        if (struck := strike_refused(request)) != request:
            order = read_orders(struck, document, language=language)
        check_fields(order.actions or ())
        check_refused(RequestText(request), order.actions or ())
        check_demands(RequestText(request), order.actions or ())
    if order.actions and not loses_content(request, order.actions):
        plan = _plan_of(order.actions, host)
        return prefer_content(Draft(plan), _try_content(request, asked)) if fills_new_slide(plan) else Draft(plan)
    note = order.note if reading is not None else None
    if note is not None and (note.code in _PRECISE or _is_about_lines(request, reading)):
        return Draft(None, note.text(language), (), note.code)
    try:
        return _draft_content(request, asked)
    except Unclear as unclear:
        if note is None or unclear.note.code not in ABOUT_NEW:
            raise
        return Draft(None, note.text(language), (), note.code)  # the order was nearer to what is meant


_ADDS_LINE: Final = re.compile(
    r"(?:加|插入|插|添加|新增|增加|补)(?:上|入)?(?:一|1)?(?:个)?[行列](?!.{0,12}表格?$)|"
    r"\b(?:add|insert|append) (?:a|one|another) (?:new |blank |empty )*(?:row|column)\b",
    re.IGNORECASE,
)


# A column may be the last thing that is said of a new table: 做一张预算表：…；最后加一列差额.
_MAKES_TABLE: Final = re.compile(
    r"(?:插入|插|做|画|建|新建|生成|制作|加|来|列)(?:上|入)?[一1](?:个|张|份)[^,，。;；\n]{0,12}表(?![头里中内])|"
    r"\b(?:insert|make|create|add|draw|build|set up) (?:me )?an? (?:[\w-]+ ){0,4}(?:table|budget|quotation|sheet)\b",
    re.IGNORECASE,
)


def _is_about_lines(request: str, reading: Reading | None) -> bool:
    """Whether a request adds a row or a column to a table that is there: it must not become a new table."""
    if reading is None or not _ADDS_LINE.search(request) or _MAKES_TABLE.search(request):
        return False
    return bool(reading.sheets) or any(re.match(r"t\d+\.", one.address) for one in reading.pieces)


def _try_content(request: str, asked: DraftCall) -> Draft:
    """The draft of the rules for new content; no plan where they ask."""
    with suppress(Unclear):
        return _draft_content(request, asked)
    return Draft(None)


def _plan_of(actions: "Sequence[JsonObject]", host: HostApp) -> JsonObject:
    return {"schema_version": PLAN_VERSION, "host_app": host, "meta": {}, "actions": list[JsonValue](actions)}


def _draft_content(request: str, asked: DraftCall) -> Draft:
    said, request = RequestText(request.strip()), strike_refused(request.strip())
    text = RequestText(reword(request))
    place = take_place(text)
    if place.kind == "anchor" and asked.host == "wpp":
        text, place = RequestText(reword(request)), DraftPlace("cursor")  # underneath “…” says what stands below it
    check_anchor(place, asked.list_pieces())
    blocks = _draft_blocks(text, take_size(text), asked)
    actions = [action for block in blocks for action in block.actions]
    about = check_leftovers(text, list_texts(actions))
    check_fit(RequestText(drop_asides(request)), actions, place, text.raw)
    place = settle_place(place, blocks, asked.selection)
    check_support(RequestText(request), actions, place)
    check_refused(said, actions)
    check_demands(said, actions)
    plan = build_plan(_distinct(blocks), asked.host, place, asked.language)
    loaded = load_plan(plan, host=asked.host)
    if loaded.problems:
        raise Unclear("not_understood", part=said.raw[:80])
    draft = Draft(plan, "", tuple(reason for block in blocks for reason in block.reasons))
    return draft.leave_out([*list_asides(request), *about])


def _draft_blocks(text: RequestText, size: TableSize, asked: DraftCall) -> list[DraftBlock]:
    match asked.host:
        case "wps":
            return draft_writer(text, size, asked.language, has_selection=asked.selection is not None)
        case "et":
            return draft_sheet(text, size, asked.language)
        case "wpp":
            return draft_slides(text, asked.language)


def settle_place(place: DraftPlace, blocks: "Sequence[DraftBlock]", selection: "Selection | None") -> DraftPlace:
    """Where blocks go if nothing was said and there is no cursor: a banner to the top, all else to the end."""
    if place.kind != "cursor" or selection is not None:
        return place
    return DraftPlace("start" if any(block.id.startswith("banner") for block in blocks) else "end")


def check_anchor(place: DraftPlace, pieces: "Sequence[TextPiece]") -> None:
    """Raise `Unclear` if the text beside which something is to stand is not in the document exactly once."""
    if place.kind != "anchor" or not pieces:
        return
    lines = [piece.line for piece in pieces]
    for anchor in filter(None, (place.since, place.anchor)):
        count = sum(anchor in line for line in lines)
        if count != 1:
            raise Unclear("many_anchors" if count else "no_anchor", anchor=anchor, count=count)
        lines = lines[next(at for at, line in enumerate(lines) if anchor in line) :]


def _distinct(blocks: list[DraftBlock]) -> list[DraftBlock]:
    """Two blocks of one request must not share a name."""
    seen: dict[str, int] = {}
    for block in blocks:
        seen[block.id] = seen.get(block.id, 0) + 1
        if seen[block.id] > 1:
            block.name = f"{block.name} {seen[block.id]}"
    return blocks

"""What a write would change, as rows that a person ticks; found by a dry run on a copy."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from metier.language import BilingualText, Language, shorten_text
from metier.packs.office.conversation._documents import ConversationDocument
from metier.packs.office.conversation._problems import DocumentProblem
from metier.packs.office.conversation._texts import MODES, TEXTS
from metier.tools import Preview, PreviewColumn, PreviewRow, PreviewTotal, show_as

if TYPE_CHECKING:
    from metier.json_values import JsonValue
    from metier.packs.office._hosts import Change, Execution, SkippedAction

ROWS: Final = "rows"
_NO_FAILURE: Final = frozenset({"not_chosen", "already_there"})
# A change is shown whole if it can be; many long ones share what one message may hold.
_MAX_CHARS: Final = 8_000
_MIN_CHARS: Final = 400
_MAX_CHARS_IN_ALL: Final = 200_000
_COLUMNS: Final = (
    PreviewColumn("place", BilingualText("位置", "Place")),
    PreviewColumn("what", BilingualText("改动", "Change")),
    PreviewColumn("before", BilingualText("原文", "Before"), role="old"),
    PreviewColumn("after", BilingualText("改为", "After"), role="new"),
)
_PARAGRAPH: Final = re.compile(r"p(\d+)h?")
_CELL: Final = re.compile(r"t(\d+)\.r(\d+)\.c(\d+)")
_NOTE: Final = re.compile(r"(header|footer|fn)\d*(?:\..*)?$")
_SLIDE: Final = re.compile(r"s(\d+)(?:\..*)?")
_LINK: Final = re.compile(r'=HYPERLINK\("(?:[^"\n]|"")*",\s*"((?:[^"\n]|"")*)"\)')


class ChosenChange(BaseModel):
    """A change that the approver ticked."""

    model_config = ConfigDict(extra="forbid")

    id: str


ChosenChanges = Annotated[
    list[ChosenChange] | None,
    Field(
        max_length=2000,
        description="由批准人选择，请留空 · chosen by the approver, leave out",
        json_schema_extra=show_as("选择的改动", "Chosen changes", hidden=True),
    ),
]


def build_preview(
    document: ConversationDocument, execution: "Execution", mode: str, labels: Mapping[str, str], language: Language
) -> Preview:
    """The question before a write: every change with its place, its text before and after."""
    name, count = document.name, len(execution.changes)
    if execution.unchanged or not count:
        reasons = "; ".join(dict.fromkeys(one.reason.text(language) for one in execution.skipped[:3]))
        raise DocumentProblem("nothing_to_write", name=name, reasons=reasons)
    most = min(_MAX_CHARS, max(_MIN_CHARS, _MAX_CHARS_IN_ALL // count))
    skipped = len(list_failed(execution))
    kept = ("附件保持原样，", "the attachment stays as it was, and ") if document.is_attached else ("", "")
    totals = [PreviewTotal(BilingualText("不能执行", "Not carried out"), skipped)] if skipped else []
    totals += [PreviewTotal(BilingualText("提示", "Note"), one.to_json()) for one in execution.warnings]
    return Preview(
        BilingualText(
            f"将在「{name}」写入 {count} 处改动（{MODES[mode].zh}）；{kept[0]}可以撤销。",
            f"{count} {'change' if count == 1 else 'changes'} would be written to {name!r} ({MODES[mode].en}); "
            f"{kept[1]}this can be undone.",
        ),
        _COLUMNS,
        tuple(_build_row(one, labels, most) for one in execution.changes),
        tuple(totals),
        chosen_as=ROWS,
    )


def list_failed(execution: "Execution") -> "tuple[SkippedAction, ...]":
    """Actions that were not carried out, without those that were not ticked and those that had been written before."""
    return tuple(one for one in execution.skipped if one.code not in _NO_FAILURE)


def describe_place(address: str, language: Language, labels: Mapping[str, str] | None = None) -> str:
    """An address in words: paragraph 12 with its number, a cell, a slide; `Sheet1!B4` says itself where it is."""
    if hit := _PARAGRAPH.fullmatch(address):
        place = TEXTS.render("place_paragraph", language, number=hit[1])
    elif hit := _CELL.fullmatch(address):
        place = TEXTS.render("place_cell", language, table=hit[1], row=hit[2], column=hit[3])
    elif hits := [one for part in address.split(",") if (one := _SLIDE.fullmatch(part))]:
        place = TEXTS.render("place_slide", language, number=_join_numbers([int(one[1]) for one in hits]))
    elif hit := _NOTE.match(address):
        place = TEXTS.render(f"place_{hit[1]}", language)
    else:
        place = address if address not in ("", "end") else TEXTS.render(f"place_{address or 'all'}", language)
    label = (labels or {}).get(address, "")
    return f"{place} · {label}" if label else place


def select_ids(rows: Sequence[ChosenChange] | None) -> frozenset[str] | None:
    """Ids of the changes that were ticked; None for all."""
    return None if rows is None else frozenset(one.id for one in rows)


def label_pieces(path: Path) -> Mapping[str, str]:
    """Automatic number of each piece of a docx (第五条), for people to find a place; empty for other files."""
    if path.suffix != ".docx":
        return {}
    from metier.packs.office.writer import read_document

    return {one.address: one.number for one in read_document(path).pieces if one.number}


def _join_numbers(numbers: Sequence[int]) -> str:
    """`1–6` for numbers in a row, else `1, 4, 5`."""
    if len(numbers) > 1 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))


def _name_links(text: str) -> str:
    """A text with the words of its links, as the sheet shows them, in place of their formulas."""
    return _LINK.sub(lambda found: found[1].replace('""', '"'), text)


def _describe_places(change: "Change", language: Language, labels: Mapping[str, str]) -> str:
    """Where a change is made; one that covers several paragraphs says how many."""
    place = describe_place(change.address, language, labels)
    if change.places == 1:
        return place
    code = "places" if change.address else "places_all"
    return TEXTS.render(code, language, place=place, count=change.places)


def _build_row(change: "Change", labels: Mapping[str, str], most: int) -> PreviewRow:
    place: JsonValue = {
        "zh": _describe_places(change, "zh", labels),
        "en": _describe_places(change, "en", labels),
    }
    values: dict[str, JsonValue] = {
        "place": place,
        "what": change.title.to_json(),
        "before": shorten_text(_name_links(change.before), most),
        "after": shorten_text(_name_links(change.after), most),
    }
    return PreviewRow(change.id, values)

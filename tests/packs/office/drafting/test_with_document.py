"""An order for something new is understood with the document in hand, whatever the document says already."""

from collections.abc import Mapping
from pathlib import Path

import docx
import pytest

from metier.language import Language
from metier.packs.office._hosts import Selection
from metier.packs.office._pieces import TextPiece
from metier.packs.office._readings import read_office_file
from metier.packs.office.analysis import Reading, SheetCell, SheetCells, SlideText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp
from metier.packs.office.planbench import SETS, PlanCase, load_cases

# Words that orders for new content use, and that documents have too.
_WORDS = ("项目说明", "二、项目进展", "图片说明", "会议议程", "预算合计", "Background", "Objectives", "Chart of costs")
_CASES = [case for name in SETS for case in load_cases(name)]


@pytest.mark.parametrize("host", ["wps", "et", "wpp"])
def test_a_document_in_hand_changes_no_plan_for_something_new(host: HostApp) -> None:
    reading = _write_reading(host)
    lost = [case.request for case in _CASES if case.host == host and _loses_plan(case, reading)]
    assert lost == []


def _loses_plan(case: PlanCase, reading: Reading) -> bool:
    selection = Selection("t1.r1.c1") if case.selected else None
    alone = _draft(case, selection, None)
    return alone is not None and alone != _draft(case, selection, reading)


def _draft(case: PlanCase, selection: Selection | None, reading: Reading | None) -> Mapping[str, object] | None:
    return draft_plan(case.request, host=case.host, language=case.language, selection=selection, reading=reading).plan


def _write_reading(host: HostApp) -> Reading:
    match host:
        case "wps":
            return Reading("a.docx", "docx", tuple(TextPiece(f"p{at}", text) for at, text in enumerate(_WORDS, 1)))
        case "et":
            cells = tuple(SheetCell(f"{'AB'[at % 2]}{1 + at // 2}", text) for at, text in enumerate(_WORDS))
            return Reading("a.xlsx", "xlsx", sheets=(SheetCells("台账", cells),))
        case "wpp":
            slides = tuple(SlideText(at, text, ("第一点", "第二点")) for at, text in enumerate(_WORDS, 1))
            return Reading("a.pptx", "pptx", slides=slides)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_order_about_a_part_of_an_empty_document_is_asked_about(language: Language, tmp_path: Path) -> None:
    docx.Document().save(str(tmp_path / "empty.docx"))
    message = {"zh": "最后那句太俗了，删掉吧", "en": "The last sentence is too much, delete it."}[language]
    draft = draft_plan(message, host="wps", language=language, reading=read_office_file(tmp_path / "empty.docx"))
    assert draft.plan is None
    assert draft.question

"""Cells and rows of a table that stands on a slide."""

import copy
import re
from typing import Final

from pptx.oxml.ns import qn
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide
from pptx.table import Table
from pptx.text.text import TextFrame

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._read import list_tables, read_rows
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides.steps._texts import write_line

_ROW_ID: Final = "{http://schemas.microsoft.com/office/drawing/2014/main}rowId"
_MAX_ID: Final = 4_294_967_294
_MERGES: Final = ("rowSpan", "gridSpan", "vMerge", "hMerge")


def edit_slide_table(session: SlideSession, action: OfficeAction) -> None:
    """One cell gets another text, or a row is added or goes; the look of the row above stays."""
    slide = session.slide(action)
    shape = _find(session, action, slide)
    match action.text("change"):
        case "set_cell":
            _set_cell(session, action, slide, shape)
        case "insert_row":
            _insert_row(session, action, slide, shape)
        case _:
            _delete_row(session, action, slide, shape)


def _find(session: SlideSession, action: OfficeAction, slide: Slide) -> GraphicFrame:
    tables = list_tables(slide)
    number = action.whole("table_index", 1)
    if number > len(tables):
        known = [one.name for one in slide.shapes]
        raise session.fail("no_shape", "table_index", number=session.deck.number_of(slide), name="table", known=known)
    return tables[number - 1]


def _set_cell(session: SlideSession, action: OfficeAction, slide: Slide, shape: GraphicFrame) -> None:
    table, row, col = shape.table, action.whole("row"), action.whole("col", 1)
    if not 1 <= row <= len(table.rows) or col > len(table.columns):
        raise session.fail("no_match", "row", text=f"{row}, {col}")
    frame, text = table.cell(row - 1, col - 1).text_frame, action.text("text")
    if frame.text == text:
        return
    if (expected := action.text("expected")) and expected != frame.text:
        raise session.fail("no_match", "expected", text=expected)
    if _offer(session, action, slide, shape, (frame.text, text)):
        _write(frame, text)


def _insert_row(session: SlideSession, action: OfficeAction, slide: Slide, shape: GraphicFrame) -> None:
    table, values = shape.table, _values(action)
    at = action.whole("row") or len(table.rows) + 1
    rows = [list(one) for one in read_rows(table)]
    if not 2 <= at <= len(rows) + 1 or len(values) > len(table.columns):
        raise session.fail("no_match", "row", text=str(at))
    values += [""] * (len(table.columns) - len(values))
    if values in rows:
        return
    if at <= len(rows) and _is_merged(table, at, above_only=True):
        raise session.fail("merged_table", "row")
    if not _offer(session, action, slide, shape, ("", "\t".join(values))):
        return
    above = table._tbl.tr_lst[at - 2]
    made = copy.deepcopy(above)
    for cell in made.tc_lst:
        for name in _MERGES:
            cell.attrib.pop(name, None)
    above.addnext(made)
    known = [int(one.get("val") or 0) for one in table._tbl.iter(_ROW_ID)]
    for one in made.iter(_ROW_ID):
        one.set("val", str(max(known, default=0) % _MAX_ID + 1))
    for column, value in enumerate(values):
        _write(table.cell(at - 1, column).text_frame, value)
    shape.height = sum(row.height for row in table.rows)


def _values(action: OfficeAction) -> list[str]:
    given = action.fields.get("values")
    return [str(one) for one in given] if isinstance(given, list) else []


def _delete_row(session: SlideSession, action: OfficeAction, slide: Slide, shape: GraphicFrame) -> None:
    table, row = shape.table, action.whole("row")
    rows = ["\t".join(one) for one in read_rows(table)]
    expected = action.text("expected")
    if expected and expected not in rows:
        return  # it is gone already
    row = rows.index(expected) + 1 if expected else row
    if not 1 <= row <= len(rows) or len(rows) == 1:
        raise session.fail("no_match", "row", text=str(row))
    if _is_merged(table, row):
        raise session.fail("merged_table", "row")
    if _offer(session, action, slide, shape, (rows[row - 1], "")):
        table._tbl.remove(table._tbl.tr_lst[row - 1])
        shape.height = sum(one.height for one in table.rows)


def _is_merged(table: Table, row: int, *, above_only: bool = False) -> bool:
    """Whether a cell of a row is merged with one above it or, unless `above_only`, below it."""
    cells = table._tbl.tr_lst[row - 1].tc_lst
    return any((cell.rowSpan > 1 and not above_only) or cell.vMerge for cell in cells)


def _offer(
    session: SlideSession, action: OfficeAction, slide: Slide, shape: GraphicFrame, change: tuple[str, str]
) -> bool:
    title = say("table", number=session.deck.number_of(slide))
    return session.offer(action, session.address(slide, shape.name), title, change)


def _write(frame: TextFrame, text: str) -> None:
    """The text of a cell in the look of what stood there."""
    for paragraph in frame.paragraphs[1:]:
        paragraph._p.getparent().remove(paragraph._p)
    first = frame.paragraphs[0]
    if first.runs:
        write_line(first, re.compile(r".+", re.DOTALL), text)
        return
    end = first._p.find(qn("a:endParaRPr"))
    run = first.add_run()
    run.text = text
    if end is not None and (own := run._r.get_or_add_rPr()) is not None:
        for name, value in end.attrib.items():
            own.set(name, value)

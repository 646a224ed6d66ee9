"""Tables on slides: columns as wide as their texts need, rows that go on on further slides."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lxml import etree
from pptx.oxml.ns import qn
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._measure import EMU_PER_POINT, text_height, text_width
from metier.packs.office.slides._place import Box, is_mark
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides._text import split_paragraphs, style_runs, write_paragraphs

_STYLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "medium style 2 - accent 1": "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}",
        "medium style 2": "{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}",
        "medium style 2 - accent 2": "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}",
        "medium style 2 - accent 3": "{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}",
        "medium style 2 - accent 4": "{00A15C55-8517-42AA-B614-E9B94910E393}",
        "medium style 2 - accent 5": "{7DF18680-E054-41AD-8BC1-D1AEF772440D}",
        "medium style 2 - accent 6": "{93296810-A885-4BE3-A3E7-6D5BEEA58F35}",
        "table grid": "{5940675A-B579-460E-94D1-54222C63F5DA}",
        "no style": "{2D5ABB26-0587-4C30-8999-92F81FD0307C}",
    }
)
_CELL_MARGIN: Final = 183_000
_ROW_MARGIN: Final = 91_440
_SIZES: Final = (16.0, 14.0, 12.0, 11.0, 10.0)


def add_table(session: SlideSession, action: OfficeAction) -> None:
    """Table at a free place; rows that do not fit go to further slides under the same head."""
    slide = session.slide(action)
    rows = [["" if one is None else str(one) for one in row] for row in action.table("data")]
    height = max(action.whole("rows", 2), len(rows))
    width = max([action.whole("cols", 2), *(len(row) for row in rows)])
    full = [[*row, *([""] * (width - len(row)))] for row in rows] + [[""] * width] * (height - len(rows))
    style = _style(session, action, "style")
    title = say("table", number=session.deck.number_of(slide))
    after = "\n".join("\t".join(row) for row in full)
    if session.offer(action, session.address(slide), title, ("", after)):
        _place_table(session, slide, action, full, style)


def _style(session: SlideSession, action: OfficeAction, name: str) -> str:
    text = action.text(name).strip()
    if not text:
        return ""
    found = _STYLES.get(text.lower(), text if text.startswith("{") else None)
    if found is None:
        raise session.fail("bad_style", name, name=text, known=sorted(_STYLES))
    return found


def _place_table(session: SlideSession, slide: Slide, action: OfficeAction, rows: list[list[str]], style: str) -> None:
    deck_width, deck_height = session.size
    asked = action.size("width")
    width = min(session.deck.emu(asked) if asked else deck_width * 5 // 6, deck_width - 360_000)
    left, top = action.size("left"), action.size("top")
    start = Box(
        session.deck.emu(left) if left is not None and left > 1 else (deck_width - width) // 2,
        session.deck.emu(1.0 if top is None else top),
        width,
        0,
    )
    for size in _SIZES:
        widths = _column_widths(rows, width, size)
        heights = [_row_height(row, widths, size) for row in rows]
        wanted = Box(start.left, start.top, width, sum(heights))
        box = session.place(slide, wanted, "table", least=1.0) if sum(heights) < deck_height else None
        if box is not None:
            _write_table(session, slide, box, (rows, widths, heights), (size, style))
            return
    _split_table(session, slide, start, rows, style)


def _split_table(session: SlideSession, slide: Slide, start: Box, rows: list[list[str]], style: str) -> None:
    """As many rows as fit here, the others on the next slides."""
    size = 12.0
    widths = _column_widths(rows, start.width, size)
    heights = [_row_height(row, widths, size) for row in rows]
    head, body = rows[:1], rows[1:]
    while body:
        count = len(body)
        box = None
        while count and box is None:
            tall = heights[0] + sum(heights[len(rows) - len(body) : len(rows) - len(body) + count])
            wanted = Box(start.left, start.top, start.width, tall)
            box = session.place(slide, wanted, "table", least=1.0)
            count = count if box is not None else count - 1
        if box is None or not count:
            if not _has_room(session, slide):
                slide = session.next_slide(slide)
                continue
            count, box = 1, Box(start.left, start.top, start.width, heights[0] * 2)
        at = len(rows) - len(body)
        part = head + body[:count]
        _write_table(session, slide, box, (part, widths, [heights[0], *heights[at : at + count]]), (size, style))
        body = body[count:]
        if body:
            slide = session.next_slide(slide)


def _has_room(session: SlideSession, slide: Slide) -> bool:
    """Whether the slide holds nothing but a title, so that a further slide would not have more room."""
    return sum(1 for one in slide.shapes if not one.is_placeholder and not is_mark(one)) == 0


def _column_widths(rows: list[list[str]], width: int, size: float) -> list[int]:
    """Widths by the longest text of each column, none too narrow or too wide."""
    columns = range(len(rows[0]))
    needs = [
        min(max(max(text_width(line) for line in row[at].split("\n")) for row in rows) + 1.2, 40.0) for at in columns
    ]
    least = min(3.0, width / EMU_PER_POINT / size / len(needs))
    needs = [max(one, least) for one in needs]
    total = sum(needs)
    widths = [int(width * one / total) for one in needs]
    widths[-1] += width - sum(widths)
    return widths


def _row_height(row: list[str], widths: list[int], size: float) -> int:
    cells = [
        text_height(split_paragraphs(text), max(width - _CELL_MARGIN, 90_000) * 0.95, size)
        for text, width in zip(row, widths, strict=True)
    ]
    return int(max(cells)) + _ROW_MARGIN + 20_000


def _write_table(
    session: SlideSession,
    slide: Slide,
    box: Box,
    content: tuple[list[list[str]], list[int], list[int]],
    look: tuple[float, str],
) -> None:
    rows, widths, heights = content
    size, style = look
    session.deck.ensure_table_styles()
    frame = slide.shapes.add_table(len(rows), len(rows[0]), box.left, box.top, box.width, sum(heights))
    session.mark(frame)
    table = frame.table
    for at, width in enumerate(widths):
        table.columns[at].width = width
    for at, (row, height) in enumerate(zip(rows, heights, strict=True)):
        table.rows[at].height = height
        for column, text in enumerate(row):
            cell = table.cell(at, column)
            write_paragraphs(cell.text_frame, split_paragraphs(text))
            style_runs(cell.text_frame, size=size, font=session.style.east_asia_font)
    if style:
        set_style_id(frame._element, style)


def set_style_id(frame: etree._Element, style: str) -> None:
    """Set the look of a table by the id that programs know."""
    properties = frame.find(f".//{qn('a:tblPr')}")
    found = properties.find(qn("a:tableStyleId"))
    if found is None:
        found = properties.makeelement(qn("a:tableStyleId"), {})
        properties.append(found)
    found.text = style


def set_table_style(session: SlideSession, action: OfficeAction) -> None:
    """Look of a table, or of all tables of the slide or deck."""
    style = _style(session, action, "style_name")
    number = 0
    for slide in session.slides(action):
        for shape in slide.shapes:
            is_meant = not action.text("shape_name") or shape.name == action.text("shape_name")
            if not (getattr(shape, "has_table", False) and shape.has_table and is_meant):
                continue
            number += 1
            title = say("style", number=session.deck.number_of(slide))
            after = ", ".join(f"{name}={value}" for name, value in action.fields.items() if name != "apply_to_all")
            if session.offer(
                action, session.address(slide, shape.name), title, ("", after), number if number > 1 else 0
            ):
                _apply(action, shape, style)
    if not number:
        slide = session.slide(action)
        known = [one.name for one in slide.shapes]
        at = session.deck.number_of(slide)
        raise session.fail("no_shape", "shape_name", number=at, name=action.text("shape_name") or "table", known=known)


def _apply(action: OfficeAction, shape: GraphicFrame, style: str) -> None:
    if style:
        set_style_id(shape._element, style)
    table = shape.table
    names = (
        ("first_row", "first_row"),
        ("last_row", "last_row"),
        ("banded_rows", "horz_banding"),
        ("banded_columns", "vert_banding"),
    )
    for field, attribute in names:
        value = action.switch(field)
        if value is not None:
            setattr(table, attribute, value)

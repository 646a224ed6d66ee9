"""Operations that take paragraphs, tables, comments, rows and columns away, or move them."""

import copy
import re

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._edit import insert_text_at, mark_deleted, track_change
from metier.packs.office.writer._insert import add_receipt, is_done
from metier.packs.office.writer._sentences import WRITER_SENTENCES
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer._tables import find_table, table_rows
from metier.packs.office.writer.pages import note_direct
from metier.packs.office.writer.reading import (
    ensure,
    find,
    list_cells,
    list_rows,
    list_textboxes,
    make,
    text_of,
    w,
    w_value,
    walk_blocks,
)

__all__ = ["delete_comments", "delete_paragraphs", "edit_table", "move_paragraphs"]

_OWN_IDS = frozenset(f"{{http://schemas.microsoft.com/office/word/2010/wordml}}{name}" for name in ("paraId", "textId"))
_MARKS = ("commentRangeStart", "commentRangeEnd", "commentReference")


def delete_paragraphs(session: WriterSession, action: OfficeAction) -> None:
    """`delete_paragraphs`: whole paragraphs by their addresses, whole tables by `t1`."""
    listed, expected = action.fields.get("addresses"), action.fields.get("expected")
    elements: dict[XmlElement, str] = {}
    tables = [one for one in walk_blocks(session.body) if one.tag == w("tbl")]
    for address in map(str, listed if isinstance(listed, list) else []):
        number = address.removeprefix("t")
        if address.startswith("t") and number.isdecimal():
            if int(number) > len(tables):
                raise StepRefused("address_missing", address=address)
            elements[tables[int(number) - 1]] = address
        else:
            elements.update({one.element: address for one in session.at_address(address)})
    texts = {one: _words_of(one) for one in elements}
    known = {str(one) for one in expected} if isinstance(expected, list) else None
    if known is not None and any(text not in known for text in texts.values()):
        raise StepRefused("already_there")  # the paragraphs there are others, as on a second run
    for element, address in elements.items():
        change_id = session.take_change(action)
        if change_id is not None:
            before = "\n".join([texts[element], *_list_anchored(element)])
            _remove(session, element)
            session.add_change(change_id, action, address, before, "")


def _words_of(element: XmlElement) -> str:
    """Text of a paragraph without what is only anchored in it, or of all cells of a table."""
    return text_of(element) if element.tag == w("p") else "\n".join(text_of(one) for one in element.iter(w("p")))


def _list_anchored(element: XmlElement) -> list[str]:
    """Text boxes that go with a paragraph, so that the preview says it."""
    if element.tag != w("p"):
        return []
    return [text for box in list_textboxes(element) for one in box.iter(w("p")) if (text := text_of(one))]


def _remove(session: WriterSession, element: XmlElement) -> None:
    if session.is_tracked:
        mark_deleted(session, element)
        session.note_change()
        return
    parent = element.getparent()
    section = find(element, "pPr", "sectPr") if element.tag == w("p") else None
    is_last = parent.tag == w("tc") and len(parent.findall(w("p"))) == 1
    if is_last or section is not None:
        # A cell must have a paragraph, and this one may end a section: only its text goes.
        for one in [one for one in element if one.tag != w("pPr")]:
            element.remove(one)
        session.note_change(element)
        return
    if element.tag == w("tbl"):
        before, after = element.getprevious(), element.getnext()
        if before is not None and after is not None and before.tag == after.tag == w("tbl"):
            element.addnext(make("p"))
    _keep_bookmarks(element)
    session.forget([element])
    parent.remove(element)
    session.note_change()


def _keep_bookmarks(element: XmlElement) -> None:
    """Ends of bookmarks and comments whose other end stands elsewhere move to the next paragraph."""
    target = element.getnext()
    while target is not None and target.tag != w("p"):
        target = target.getnext()
    for start_name, end_name in (("bookmarkStart", "bookmarkEnd"), ("commentRangeStart", "commentRangeEnd")):
        starts = {w_value(one, "id"): one for one in element.iter(w(start_name))}
        ends = {w_value(one, "id"): one for one in element.iter(w(end_name))}
        for number in starts.keys() ^ ends.keys():
            one = starts.get(number)
            one = ends[number] if one is None else one
            if target is not None:
                target.insert(0 if find(target, "pPr") is None else 1, one)


def delete_comments(session: WriterSession, action: OfficeAction) -> None:
    """`delete_comments`: all comments, or those whose text contains a word."""
    package = session.package
    part = next((one for one in package.list_relations(package.main_part, "comments") if one in package), "")
    root = package.xml(part) if part else None
    wanted = action.text("containing")
    listed = [] if root is None else root.findall(w("comment"))
    chosen = {}
    for one in listed:
        text = "\n".join(text_of(paragraph) for paragraph in one.iter(w("p")))
        if not wanted or wanted in text:
            change_id = session.take_change(action)
            if change_id is not None:
                chosen[w_value(one, "id")] = (change_id, one, text)
    if not listed or (wanted and not chosen):
        raise StepRefused("no_comments")
    for number, (change_id, one, text) in chosen.items():
        one.getparent().remove(one)
        session.add_change(change_id, action, f"c{number}", text, "")
    for element in list(session.root.iter(*(w(name) for name in _MARKS))):
        if w_value(element, "id") in chosen:
            run = element.getparent() if element.tag == w("commentReference") else None
            element.getparent().remove(element)
            if run is not None and run.tag == w("r") and all(one.tag == w("rPr") for one in run):
                run.getparent().remove(run)
    if chosen:
        package.touch(part)
        session.note_change()


def edit_table(session: WriterSession, action: OfficeAction) -> None:
    """`edit_table`: a row or column is inserted before number `index` (0: at the end) or deleted."""
    table = find_table(session, action)
    rows, change = list_rows(table), action.text("change")
    if change == "sort_rows":
        _sort_rows(session, action, table, rows)
        return
    is_row, is_new = change.endswith("row"), change.startswith("insert")
    count = len(rows) if is_row else max((number for row in rows for number, _ in list_cells(row)), default=0)
    index = action.whole("index")
    if index > count + (1 if is_new else 0) or (not is_new and not index):
        raise StepRefused("no_cell", row=index if is_row else 1, col=1 if is_row else index)
    if _has_merges(table, rows if not is_row else rows[max(index - 2, 0) : index + 1]):
        raise StepRefused("merged_table")
    if not is_new and count == 1:
        raise StepRefused("last_line")
    if is_new and is_done(session, action):
        return
    texts = table_rows(table)
    lines = texts if is_row else [list(column) for column in zip(*texts, strict=False)]
    if not is_new and action.text("expected") not in ("", "\t".join(lines[index - 1])):
        raise StepRefused("already_there")
    change_id = session.take_change(action)
    if change_id is None:
        return
    given = action.fields.get("values")
    values = [str(one) for one in given] if isinstance(given, list) else []
    before = "\n".join("\t".join(row) for row in table_rows(table))
    address = session.address_of(next(table.iter(w("p"))))
    if is_row:
        _edit_row(session, table, rows, index or count + 1, values, is_new=is_new)
    else:
        _edit_column(session, table, rows, index or count + 1, values, is_new=is_new)
    if is_new:
        at = (index or count + 1) - 1
        row = list_rows(table)[at if is_row else 0]
        add_receipt(session, action, [list_cells(row)[0 if is_row else at][1].find(w("p"))])
    session.read_paragraphs()
    session.note_change()
    session.add_change(change_id, action, address, before, "\n".join("\t".join(row) for row in table_rows(table)))


def _sort_rows(session: WriterSession, action: OfficeAction, table: XmlElement, rows: list[XmlElement]) -> None:
    """Rows below the head in the order of a column; a total row stays last."""
    texts, column = table_rows(table), action.whole("index")
    if not 1 <= column <= len(texts[0]) or _has_merges(table, rows):
        raise StepRefused("merged_table" if 1 <= column <= len(texts[0]) else "no_cell", row=1, col=column)
    last = len(rows) - 1 if re.match(r"\s*(?:合计|总计|total)", texts[-1][0], re.IGNORECASE) else len(rows)
    body = list(range(1, last))
    order = sorted(body, key=lambda at: _sort_key(texts[at][column - 1]), reverse=action.text("order") == "desc")
    change_id = session.take_change(action) if order != body else None
    if change_id is None:
        session.skip(action, "already_there")
        return
    for at in reversed(order):
        rows[0].addnext(rows[at])
    session.read_paragraphs()
    session.note_change()
    before, after = ("\n".join("\t".join(row) for row in one) for one in (texts, table_rows(table)))
    session.add_change(change_id, action, session.address_of(next(table.iter(w("p")))), before, after)


def _sort_key(text: str) -> tuple[bool, float, str]:
    plain = re.sub(r"[¥￥$,\s%元]", "", text)
    is_number = re.fullmatch(r"-?\d+(?:\.\d+)?", plain) is not None
    return not is_number, float(plain) if is_number else 0.0, text


def _has_merges(table: XmlElement, rows: list[XmlElement]) -> bool:
    return (
        any(True for row in rows for _ in row.iter(w("vMerge"), w("gridSpan")))
        or table.find(f".//{w('tbl')}") is not None
    )


def _edit_row(
    session: WriterSession, table: XmlElement, rows: list[XmlElement], index: int, values: list[str], *, is_new: bool
) -> None:
    if not is_new:
        row = rows[index - 1]
        if session.is_tracked:
            ensure(row, "trPr").append(track_change(session, "del"))
            return
        row.getparent().remove(row)
        return
    # A new row looks like the one before it, but never like the head.
    model = rows[index - 2] if index > 2 else rows[min(index - 1, len(rows) - 1)] if len(rows) > 1 else rows[0]
    row = _copy_line(model)
    for one in list(row.iter(w("tblHeader"))):
        one.getparent().remove(one)
    for at, (_, cell) in enumerate(list_cells(row)):
        _set_cell(session, cell, values[at] if at < len(values) else "")
    if session.is_tracked:
        ensure(row, "trPr").append(track_change(session, "ins"))
    if index > len(rows):
        rows[-1].addnext(row)
    else:
        rows[index - 1].addprevious(row)


def _edit_column(
    session: WriterSession, table: XmlElement, rows: list[XmlElement], index: int, values: list[str], *, is_new: bool
) -> None:
    grid = find(table, "tblGrid")
    widths = list(grid) if grid is not None else []
    if not is_new:
        for row in rows:
            known = dict(list_cells(row))
            if index in known:
                known[index].getparent().remove(known[index])
        if grid is not None and index <= len(widths):
            grid.remove(widths[index - 1])
        return
    for at, row in enumerate(rows):
        cells = [cell for _, cell in list_cells(row)]
        model = cells[min(index, len(cells)) - 1] if index > len(cells) else cells[max(index - 2, 0)]
        cell = _copy_line(model)
        _set_cell(session, cell, values[at] if at < len(values) else "")
        if index > len(cells):
            cells[-1].addnext(cell)
        else:
            cells[index - 1].addprevious(cell)
    if grid is not None and widths:
        _share_widths(table, grid, widths)


def _copy_line(model: XmlElement) -> XmlElement:
    """Copy of a row or cell without the ids by which programs tell the original, and without what fills it."""
    made = copy.deepcopy(model)
    for one in made.iter():
        for name in [name for name in one.attrib if name in _OWN_IDS]:
            del one.attrib[name]
    for one in [one for one in made.iter(w("id"), w("dataBinding")) if one.getparent().tag == w("sdtPr")]:
        one.getparent().remove(one)
    return made


def _share_widths(table: XmlElement, grid: XmlElement, widths: list[XmlElement]) -> None:
    """A new column takes its width from the others."""
    total = sum(int(w_value(one, "w") or 0) for one in widths)
    grid.append(copy.deepcopy(widths[-1]))
    for one in list(grid):
        share = int(w_value(one, "w") or 0) * total // max(1, total + int(w_value(widths[-1], "w") or 0))
        one.set(w("w"), str(share))
    for width in table.iter(w("tcW")):
        if w_value(width, "type") == "dxa":
            width.set(w("w"), str(int(w_value(width, "w") or 0) * len(widths) // (len(widths) + 1)))


def _set_cell(session: WriterSession, cell: XmlElement, text: str) -> None:
    """Give a copied cell one paragraph with a text in the look of the old one."""
    paragraphs = cell.findall(w("p"))
    for one in paragraphs[1:]:
        cell.remove(one)
    paragraph = paragraphs[0]
    look = next((copy.deepcopy(one) for run in paragraph.iter(w("r")) if (one := find(run, "rPr")) is not None), None)
    for one in [one for one in paragraph if one.tag != w("pPr")]:
        paragraph.remove(one)
    if text:
        if look is not None:
            mark = ensure(ensure(paragraph, "pPr"), "rPr")
            for one in list(mark):
                mark.remove(one)
            mark.extend(one for one in look if one.tag != w("rPrChange"))
        insert_text_at(session, paragraph, 0, text)


def move_paragraphs(session: WriterSession, action: OfficeAction) -> None:
    """`move_paragraphs`: paragraphs (`p3`) and tables (`t1`) before or after another one, in their order."""
    listed = action.fields.get("addresses")
    moved = [_find_block(session, str(one)) for one in listed] if isinstance(listed, list) else []
    is_before = bool(action.text("before"))
    place = _find_block(session, action.text("before") or action.text("after"))
    expected = action.fields.get("expected")
    now = [_words_of(block) for block in moved]
    if isinstance(expected, list) and [str(one) for one in expected] != now:
        raise StepRefused("already_there")  # the paragraphs there are others, as on a second run
    if place in moved or any(find(one, "pPr", "sectPr") is not None for one in moved if one.tag == w("p")):
        raise StepRefused("cannot_move")
    order = [one for one in walk_blocks(session.body) if one in {*moved, place}]
    if order == ([*moved, place] if is_before else [place, *moved]) and _is_run(moved, place):
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    for one in moved:
        one.getparent().remove(one)
    anchor = place
    for one in moved:
        if is_before:
            place.addprevious(one)
        else:
            anchor.addnext(one)
            anchor = one
    position = {one: at for at, one in enumerate(session.body.iter(w("p")))}
    session.paragraphs.sort(key=lambda one: position.get(one.element, 0))
    session.note_change()
    note_direct(session, action)
    beside = text_of(next(place.iter(w("p"))))
    shown = WRITER_SENTENCES.render("moved_before" if is_before else "moved_after", session.language, text=beside)
    session.add_change(change_id, action, session.address_of(moved[0]), "\n".join(now), shown)


def _is_run(moved: list[XmlElement], place: XmlElement) -> bool:
    """Whether the blocks already stand side by side."""
    blocks = [one for one in place.getparent() if one in {*moved, place}]
    at = [place.getparent().index(one) for one in blocks]
    return len(blocks) == len(moved) + 1 and at[-1] - at[0] == len(moved)


def _find_block(session: WriterSession, address: str) -> XmlElement:
    if not address.startswith("t"):
        return session.at_address(address)[-1].element
    cell = next((one.element for one in session.paragraphs if one.address.startswith(f"{address}.")), None)
    table = None if cell is None else next((one for one in cell.iterancestors(w("tbl"))), None)
    if table is None:
        raise StepRefused("address_missing", address=address)
    return table

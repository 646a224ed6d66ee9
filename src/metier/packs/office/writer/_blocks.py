"""Blocks: content between two hidden paragraphs with bookmarks, found again after any program saved the file.

A bookmark or content control around a table does not survive LibreOffice; START and END bookmarks in hidden paragraphs
of their own do. The START paragraph has a second bookmark with a digest of the steps and of the text they made: while
both are the same, the block is left untouched.
"""

import copy
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lxml import etree

from metier.packs.office._pieces import name_block
from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._edit import mark_deleted
from metier.packs.office.writer._insert import place_blocks
from metier.packs.office.writer._session import Cursor, StepRefused, WriterSession
from metier.packs.office.writer.reading import NAMESPACES, find, list_cells, list_rows, make, text_of, w, w_value

__all__ = ["BlockContent", "delete_block", "find_block", "rollback_block", "upsert_block"]

_BACKUP_NAMESPACE: Final = "urn:metier:office:blocks"
_BACKUP_PART: Final = "customXml/metier-blocks.xml"
_BACKUP_TYPE: Final = "application/xml"


@dataclass(frozen=True, slots=True)
class BlockContent:
    """A block in the document: its two markers and what stands between them."""

    start: XmlElement
    end: XmlElement
    content: tuple[XmlElement, ...]

    @property
    def text(self) -> str:
        return "\n".join(text_of(one) for element in self.content for one in element.iter(w("p"))).strip("\n")


def _names(block_id: str) -> tuple[str, str]:
    name = name_block(block_id)
    return f"{name}_S", f"{name}_E"


def _digest(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:12]


def find_block(session: WriterSession, block_id: str) -> BlockContent | None:
    """The block; None if the document has none of this id. Refused if one of its markers is missing."""
    places = [session.bookmarks.get(name) for name in _names(block_id)]
    markers = [_paragraph_of(one) for one in places]
    if markers == [None, None]:
        return None
    start, end = markers
    if start is None or end is None or start.getparent() is not end.getparent():
        raise StepRefused("block_damaged", block=block_id)
    content: list[XmlElement] = []
    for one in start.itersiblings():
        if one is end:
            return BlockContent(start, end, tuple(content))
        content.append(one)
    raise StepRefused("block_damaged", block=block_id)


def _paragraph_of(bookmark: XmlElement | None) -> XmlElement | None:
    if bookmark is None or not any(True for _ in bookmark.iterancestors(w("body"))):
        return None
    return next(bookmark.iterancestors(w("p")), None)


def _marker(session: WriterSession, name: str, label: str, digest_name: str = "") -> XmlElement:
    """A hidden paragraph one point high: a program that shows it nevertheless shows next to nothing."""
    tiny = (make("vanish"), make("sz", {"val": "2"}), make("szCs", {"val": "2"}))
    paragraph = make(
        "p",
        None,
        make(
            "pPr",
            None,
            make("spacing", {"before": "0", "after": "0", "line": "20", "lineRule": "exact"}),
            make("rPr", None, *copy.deepcopy(tiny)),
        ),
    )
    for one in (name, digest_name):
        if one:
            paragraph.extend(session.bookmark(one))
    paragraph.append(make("r", None, make("rPr", None, *copy.deepcopy(tiny)), make("t", text=f"⟦{label}⟧")))
    return paragraph


def _address_of_block(session: WriterSession, block: BlockContent) -> str:
    """Its first paragraph or cell; the end of the document if nothing follows it."""
    return session.address_behind(block.end, (*block.content, block.start)[0])


def upsert_block(session: WriterSession, action: OfficeAction, run_inside: Callable[[OfficeAction], None]) -> None:
    """`upsert_block`: make the block, or put new content into it; the same steps on the same text change nothing."""
    block_id = action.text("block_id")
    block = find_block(session, block_id)
    steps = _digest(json.dumps([_content_of(one) for one in action.actions], ensure_ascii=False, sort_keys=True))
    if block is not None and _find_digest(block.start) == (steps, _digest(block.text)):
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    cursor, selected, before = session.cursor, session.selected, _show(session, block)
    if block is None and action.text("anchor", "cursor") == "end":
        session.cursor = Cursor()
    if block is None and any(step.op == "insert_chart_from_selection" for step in action.actions):
        session.leave_table()
    address = _address_of_block(session, block) if block else session.address_at_cursor()
    if block is None:
        start_name, end_name = _names(block_id)
        start, end = _marker(session, start_name, block_id), _marker(session, end_name, f"/{block_id}")
        place_blocks(session, [start, end])
        block = BlockContent(start, end, ())
        is_new = True
    else:
        _take_out(session, block)
        is_new = False
    session.cursor, session.selected = Cursor(after=block.start), []
    _run_steps(session, action, block, is_new, run_inside)
    made = find_block(session, block_id) or block
    _set_digest(session, made.start, steps, _digest(made.text))
    if not is_new:
        _keep_backup(session, block_id, block.content)
    session.cursor, session.selected = (
        (cursor, selected)
        if action.flag("freeze_cursor", True)
        else (
            Cursor(after=made.end),
            [],
        )
    )
    session.add_change(change_id, action, address, before, _show(session, made))


def _show(session: WriterSession, block: BlockContent | None) -> str:
    """Content of a block as a preview shows it: headings marked as such, rows of tables with tabs between the cells."""
    lines: list[str] = []
    for element in block.content if block is not None else ():
        if element.tag == w("tbl"):
            lines += ["\t".join(_show_cell(cell) for _, cell in list_cells(row)) for row in list_rows(element)]
            continue
        for paragraph in element.iter(w("p")):
            text = text_of(paragraph)
            level = session.styles.heading_level(w_value(find(paragraph, "pPr", "pStyle"))) if text.strip() else 0
            lines.append(f"{'#' * level} {text}" if level else text)
    return "\n".join(lines).strip("\n")


def _show_cell(cell: XmlElement) -> str:
    return " ".join(text_of(one) for one in cell.iter(w("p"))).strip()


def _content_of(action: OfficeAction) -> list[object]:
    return [action.op, dict(action.fields)]


def _take_out(session: WriterSession, block: BlockContent) -> None:
    if session.is_tracked:
        for element in block.content:
            mark_deleted(session, element)
        return
    for element in block.content:
        element.getparent().remove(element)
    session.forget(block.content)
    session.note_change()


def _run_steps(
    session: WriterSession,
    action: OfficeAction,
    block: BlockContent,
    is_new: bool,
    run_inside: Callable[[OfficeAction], None],
) -> None:
    """Carry out the steps inside; if one fails, the block is as it was before."""
    changes, skipped = len(session.changes), len(session.skipped)
    kept = [copy.deepcopy(one) for one in block.content] if session.is_tracked else list(block.content)
    for step in action.actions:
        run_inside(step)
        failed = [one for one in session.skipped[skipped:] if one.code != "already_there"]
        if failed:
            _restore(session, action.text("block_id"), kept, is_new)
            del session.skipped[skipped:], session.changes[changes:]
            raise StepRefused("inside_failed", reason=failed[0].reason)
    del session.skipped[skipped:], session.changes[changes:]


def _restore(session: WriterSession, block_id: str, kept: list[XmlElement], is_new: bool) -> None:
    block = find_block(session, block_id)
    if block is None:
        return
    for element in block.content:
        element.getparent().remove(element)
    if is_new:
        for marker in (block.start, block.end):
            marker.getparent().remove(marker)
        session.forget((block.start, block.end, *block.content))
        return
    for element in reversed(kept):
        block.start.addnext(element)
    session.forget(block.content)
    session.place_after(block.start, kept)


def _find_digest(start: XmlElement) -> tuple[str, str]:
    for bookmark in start.iter(w("bookmarkStart")):
        kind, _, rest = w_value(bookmark, "name").lstrip("_").partition("_")
        if kind == "md":
            steps, _, text = rest.partition("_")
            return steps, text
    return "", ""


def _set_digest(session: WriterSession, start: XmlElement, steps: str, text: str) -> None:
    for bookmark in list(start.iter(w("bookmarkStart"))):
        if w_value(bookmark, "name").startswith("_md_"):
            number = w_value(bookmark, "id")
            session.bookmarks.pop(w_value(bookmark, "name"), None)
            for end in [one for one in start.iter(w("bookmarkEnd")) if w_value(one, "id") == number]:
                end.getparent().remove(end)
            bookmark.getparent().remove(bookmark)
    at = 1 if start.find(w("pPr")) is not None else 0
    for element in reversed(session.bookmark(f"_md_{steps}_{text}")):
        start.insert(at, element)
    session.note_change(start)


def delete_block(session: WriterSession, action: OfficeAction) -> None:
    """`delete_block`: the content and its markers; the content is kept for `rollback_block`."""
    block_id = action.text("block_id")
    block = find_block(session, block_id)
    if block is None:
        raise StepRefused("block_missing", block=block_id)
    change_id = session.take_change(action)
    if change_id is None:
        return
    address, before = _address_of_block(session, block), _show(session, block)
    _keep_backup(session, block_id, block.content)
    _take_out(session, block)
    for marker in (block.start, block.end):
        marker.getparent().remove(marker)
    session.forget((block.start, block.end))
    for name in _names(block_id):
        session.bookmarks.pop(name, None)
    session.note_change()
    session.add_change(change_id, action, address, before, "")


def rollback_block(session: WriterSession, action: OfficeAction) -> None:
    """`rollback_block`: the content that the block had before its last change or deletion."""
    block_id = action.text("block_id")
    kept = _find_backup(session, block_id)
    if kept is None:
        raise StepRefused("no_backup", block=block_id)
    change_id = session.take_change(action)
    if change_id is None:
        return
    block = find_block(session, block_id)
    before = _show(session, block)
    if block is None:
        session.cursor = Cursor()
        start_name, end_name = _names(block_id)
        start, end = _marker(session, start_name, block_id), _marker(session, end_name, f"/{block_id}")
        place_blocks(session, [start, end])
        block = BlockContent(start, end, ())
    else:
        _keep_backup(session, block_id, block.content)
        _take_out(session, block)
    for element in reversed(kept):
        block.start.addnext(element)
    session.place_after(block.start, kept)
    session.note_change()
    made = find_block(session, block_id) or block
    session.add_change(change_id, action, _address_of_block(session, made), before, _show(session, made))


def _backup_part(session: WriterSession) -> str:
    """The part with earlier contents, whatever name another program gave it; empty if there is none."""
    package = session.package
    for part in package.list_relations(package.main_part, "customXml"):
        if part in package and package.xml(part).tag == f"{{{_BACKUP_NAMESPACE}}}blocks":
            return part
    return ""


def _keep_backup(session: WriterSession, block_id: str, content: tuple[XmlElement, ...]) -> None:
    package = session.package
    part = _backup_part(session)
    if not part:
        part = _BACKUP_PART
        package.add(part, f'<blocks xmlns="{_BACKUP_NAMESPACE}"/>'.encode(), _BACKUP_TYPE)
        package.add_relation(package.main_part, "customXml", part)
    root = package.xml(part)
    for one in root.findall(f"{{{_BACKUP_NAMESPACE}}}block"):
        if one.get("id") == block_id:
            root.remove(one)
    kept = etree.SubElement(root, f"{{{_BACKUP_NAMESPACE}}}block", {"id": block_id}, nsmap={"w": NAMESPACES["w"]})
    kept.extend(copy.deepcopy(one) for one in content)
    package.touch(part)


def _find_backup(session: WriterSession, block_id: str) -> list[XmlElement] | None:
    part = _backup_part(session)
    for one in session.package.xml(part).findall(f"{{{_BACKUP_NAMESPACE}}}block") if part else ():
        if one.get("id") == block_id:
            return [copy.deepcopy(element) for element in one]
    return None

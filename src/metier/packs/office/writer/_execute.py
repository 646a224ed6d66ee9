"""Steps of a plan on a document, and how a document is opened and saved for them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from typing import Final, Literal

from metier.clock import utc_now
from metier.language import choose, language_of
from metier.packs.office._hosts import Change, WriteMode, WriteRequest
from metier.packs.office.files import Package, open_package
from metier.packs.office.plan import OfficeAction, OfficePlan, find_style
from metier.packs.office.writer._blocks import delete_block, find_block, rollback_block, upsert_block
from metier.packs.office.writer._comments import add_comment
from metier.packs.office.writer._drawings import insert_chart, insert_image, insert_word_art, renew_fallbacks
from metier.packs.office.writer._fill import answer_mode_apply, fill_template
from metier.packs.office.writer._format import (
    apply_paragraph_style,
    apply_text_style_to_matches,
    normalize_headings,
    set_paragraph_format,
    set_text_style,
)
from metier.packs.office.writer._insert import insert_at_text, insert_text, replace_text
from metier.packs.office.writer._rearrange import delete_comments, delete_paragraphs, edit_table, move_paragraphs
from metier.packs.office.writer._revisions import set_picture, settle_changes
from metier.packs.office.writer._selection import set_selection, set_selection_by_block, set_selection_by_text
from metier.packs.office.writer._sentences import describe_place, say
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer._tables import insert_table, set_table_cell_text, set_writer_table_style
from metier.packs.office.writer.pages import (
    insert_contents,
    is_about_protection,
    is_noted,
    loosen_headings,
    mark_of,
    note_done,
    runs_once,
    set_header_footer,
    set_page_numbers,
    set_page_setup,
    set_protection,
    set_watermark,
)

__all__ = ["WriterRun", "open_run"]

_Step = Callable[[WriterSession, OfficeAction], None]
_STEPS: Mapping[str, _Step] = {
    "add_comment": add_comment,
    "answer_mode_apply": answer_mode_apply,
    "apply_paragraph_style": apply_paragraph_style,
    "apply_text_style_to_matches": apply_text_style_to_matches,
    "delete_block": delete_block,
    "delete_comments": delete_comments,
    "delete_paragraphs": delete_paragraphs,
    "edit_table": edit_table,
    "fill_template": fill_template,
    "insert_after_text": insert_at_text,
    "insert_before_text": insert_at_text,
    "insert_chart_from_selection": insert_chart,
    "insert_contents": insert_contents,
    "insert_image": insert_image,
    "insert_table": insert_table,
    "insert_text": insert_text,
    "insert_word_art": insert_word_art,
    "move_paragraphs": move_paragraphs,
    "normalize_headings": normalize_headings,
    "replace_text": replace_text,
    "rollback_block": rollback_block,
    "set_footer": set_header_footer,
    "set_header": set_header_footer,
    "set_page_numbers": set_page_numbers,
    "set_page_setup": set_page_setup,
    "set_paragraph_format": set_paragraph_format,
    "set_picture": set_picture,
    "set_protection": set_protection,
    "set_selection": set_selection,
    "set_selection_by_block": set_selection_by_block,
    "set_selection_by_text": set_selection_by_text,
    "set_table_cell_text": set_table_cell_text,
    "set_text_style": set_text_style,
    "set_watermark": set_watermark,
    "set_writer_table_style": set_writer_table_style,
    "settle_changes": settle_changes,
}
_IN_BLOCK: Mapping[str, Callable[..., None]] = {
    "insert_chart_from_selection": insert_chart,
    "insert_image": insert_image,
    "insert_table": insert_table,
    "insert_text": insert_text,
    "insert_word_art": insert_word_art,
}
_SELECTIONS: Final = frozenset({"set_selection", "set_selection_by_block", "set_selection_by_text"})
_AT_CURSOR: Final = frozenset({*_IN_BLOCK, "upsert_block", "set_text_style", "set_paragraph_format"})


def open_run(plan: OfficePlan, source: Path, request: WriteRequest) -> "WriterRun":
    """Open a document for a plan."""
    package = open_package(source)
    if not is_about_protection(plan, package):
        package.check_writable(only=_needed_rights(plan, request.mode))
    session = _open_session(package, plan, request)
    if request.mode == "compare_table" and (table := find_block(session, _compare_id(plan))) is not None:
        for element in (table.start, *table.content, table.end):
            element.getparent().remove(element)
        session = _open_session(package, plan, request)
    return WriterRun(plan, session, request)


class WriterRun:
    """One plan on one document: directly, as tracked changes, or as a table of the proposed changes."""

    def __init__(self, plan: OfficePlan, session: WriterSession, request: WriteRequest) -> None:
        self._plan, self._session, self._mark = plan, session, mark_of(plan, request)
        self.changes, self.skipped, self.warnings = session.changes, session.skipped, session.warnings

    def is_carried_out(self) -> bool:
        """Most steps find out by themselves, so that those which are missing are still done."""
        return is_noted(self._session, self._mark)

    def carry_out(self, action: OfficeAction, path: str) -> None:
        del path  # a step that cannot be done is skipped, with its id
        if self._session.is_lost and action.op in _AT_CURSOR and not _is_at_end(action):
            self._session.skip(action, "cursor_lost")
        else:
            _run_action(self._session, action)

    def finish(self) -> None:
        package = self._session.package
        loosen_headings(self._session)
        renew_fallbacks(package)
        if package.has_macros:
            self.warnings.append(say("macros"))
        if package.remote_links:
            self.warnings.append(say("remote_links", count=len(package.remote_links)))

    def build_comparison(self) -> OfficePlan:
        return _build_comparison(self._plan, self.changes)

    def is_changed(self) -> bool:
        return bool(self.changes) and bool(self._session.package.changed_parts)

    def save(self, target: Path) -> None:
        if any(runs_once(action, self.changes) for action in self._plan.walk()):
            note_done(self._session, self._mark)
        self._session.package.save(target)


def _needed_rights(plan: OfficePlan, mode: WriteMode) -> Literal["", "comments", "trackedChanges"]:
    if all(action.op == "add_comment" for action in plan.actions):
        return "comments"
    return "trackedChanges" if mode == "tracked" else ""


def _open_session(package: Package, plan: OfficePlan, request: WriteRequest) -> WriterSession:
    return WriterSession(
        package,
        is_tracked=request.mode == "tracked",
        chosen=request.chosen,
        selection=request.selection,
        author=request.author,
        date=(request.at or utc_now()).strftime("%Y-%m-%dT%H:%M:%SZ"),
        style=find_style(request.style, plan.meta, "writer"),
    )


def _is_at_end(action: OfficeAction) -> bool:
    return action.op == "upsert_block" and action.text("anchor") == "end"


def _run_action(session: WriterSession, action: OfficeAction) -> None:
    try:
        if action.op == "upsert_block":
            upsert_block(session, action, lambda step: _run_inside(session, step))
        elif action.op in _STEPS:
            _STEPS[action.op](session, action)
        else:
            session.skip(action, "other_host", op=action.op)
    except StepRefused as refusal:
        session.skip(action, refusal.code, refusal.reason)
        if action.op in _SELECTIONS and action.flag("strict", True):
            session.is_lost = True


def _run_inside(session: WriterSession, action: OfficeAction) -> None:
    step = _IN_BLOCK.get(action.op)
    if step is None:
        _run_action(session, action)
        return
    try:
        step(session, action, in_block=True)
    except StepRefused as refusal:
        session.skip(action, refusal.code, refusal.reason)


def _compare_id(plan: OfficePlan) -> str:
    content = json.dumps(plan.to_json(), ensure_ascii=False, sort_keys=True)
    return f"compare-{sha1(content.encode(), usedforsecurity=False).hexdigest()[:12]}"


def _build_comparison(plan: OfficePlan, changes: list[Change]) -> OfficePlan:
    """Leave the text as it is and add a table of what would change at the end, as a block of its own."""
    language = language_of("".join(change.before + change.after for change in changes))
    head = choose(language, en=["Place", "Operation", "Original", "Proposed"], zh=["位置", "操作", "原文", "修改后"])
    rows = [[describe_place(one.address, language), one.title.text(language), one.before, one.after] for one in changes]
    heading = choose(language, en="Proposed changes", zh="修改对照表")
    steps = (
        OfficeAction("heading", "insert_text", heading, {"text": f"# {heading}"}),
        OfficeAction(
            "table", "insert_table", heading, {"rows": len(rows) + 1, "cols": 4, "data": [head, *rows], "header": True}
        ),
    )
    block = OfficeAction("compare", "upsert_block", heading, {"block_id": _compare_id(plan), "anchor": "end"}, steps)
    return replace(plan, actions=(block,))

"""Carries out a plan on a workbook. Either all steps are written, or the file stays as it was."""

import hashlib
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from metier.clock import utc_now
from metier.packs.office._compare import build_compare_plan
from metier.packs.office._hosts import Selection, WriteRequest
from metier.packs.office._plan_session import find_plan_language, name_block
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import OfficeAction, OfficePlan, find_style
from metier.packs.office.sheets._addresses import BadAddress, CellArea, cell_name, parse_area, split_sheet
from metier.packs.office.sheets._blocks import delete_block, upsert_block
from metier.packs.office.sheets._printing import fit_page
from metier.packs.office.sheets._recalculate import recalculate
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._workbook import WorkbookParts
from metier.packs.office.sheets.formulas import READS_ITSELF, CellError
from metier.packs.office.sheets.steps import STEPS, drop_empty_drawings

# Steps that put something at the cursor: alone they are a block of their own, so that a second run finds them.
_INSERTS: Final = frozenset({"insert_table", "insert_text", "insert_image", "insert_chart_from_selection"})
_MOVES_TEXT: Final = frozenset(
    {"sort_range", "replace_text", "transform_range", "insert_lines", "delete_lines", "rename_sheet", "delete_sheet"}
    | {"copy_sheet"}
)
# Steps that look at values of cells.
_NEEDS_VALUES: Final = frozenset({"sort_range", "filter_range", "insert_chart_from_selection"})
_MAX_NAMED: Final = 10


def open_run(plan: OfficePlan, source: Path, request: WriteRequest) -> "SheetRun":
    """Open a workbook for a plan."""
    if request.mode == "tracked":
        raise PlanStepError("mode_unsupported", "mode", say("mode_unsupported"))
    book = WorkbookParts.open(source, to_change=True)
    session = SheetSession(
        book=book,
        folder=source.parent,
        now=request.at or utc_now(),
        language=find_plan_language(plan),
        chosen=request.chosen,
        author=request.author,
        style=find_style(request.style, plan.meta, "et"),
        sheet_name=book.active.name,
        cursor=CellArea(1, 1, 1, 1),
    )
    _select(session, request.selection)
    return SheetRun(plan, session, _mark_of(plan, request.chosen))


class SheetRun:
    """One plan on one workbook. Either all steps are written, or the file stays as it was."""

    def __init__(self, plan: OfficePlan, session: SheetSession, mark: str) -> None:
        self._plan, self._session, self._mark = plan, session, mark
        self._ops = {action.op for action in plan.walk()}
        self._is_ready = False
        self.changes, self.skipped, self.warnings = session.changes, session.skipped, session.warnings

    def is_carried_out(self) -> bool:
        book = self._session.book
        return book.defined_name(self._mark) == _digest(book)

    def carry_out(self, action: OfficeAction, path: str) -> None:
        if not self._is_ready and _NEEDS_VALUES & self._ops:
            _add_missing_values(self._session.book, self._session)
        self._is_ready = True
        _run_step(self._session, action, path)

    def finish(self) -> None:
        drop_empty_drawings(self._session)
        if self._session.changed or self._session.formulas_changed:
            _finish_values(self._session)
        book = self._session.book
        for sheet in [one for one in book.sheets() if one.name in self._session.own_pages]:
            fit_page(book, sheet)
        if any(name.endswith("vbaProject.bin") for name in book.parts.names):
            self._session.warn("macros")

    def build_comparison(self) -> OfficePlan:
        return build_compare_plan(self._plan, tuple(self.changes), self._session.language)

    def is_changed(self) -> bool:
        return self._session.book.parts.is_changed()

    def save(self, target: Path) -> None:
        book = self._session.book
        if _MOVES_TEXT & self._ops:
            # Steps of which a second run would do more: the file keeps a note that this plan was carried out.
            book.set_name(self._mark, _digest(book), is_hidden=True)
        target.write_bytes(book.parts.to_bytes())


def _mark_of(plan: OfficePlan, chosen: frozenset[str] | None) -> str:
    """Name under which a workbook keeps that a plan was carried out."""
    text = json.dumps([plan.to_json()["actions"], sorted(chosen or ())], sort_keys=True, ensure_ascii=False)
    return f"MT_done_{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _digest(book: WorkbookParts) -> str:
    """Digest of all cells, as a text formula."""
    digest = hashlib.sha256()
    for entry in book.entries():
        digest.update(book.parts.read(entry.part))
    return f'"{digest.hexdigest()[:32]}"'


def _select(session: SheetSession, selection: Selection | None) -> None:
    """Put the cursor where the user's is."""
    if selection is None or not selection.address:
        return
    sheet, rest = split_sheet(selection.address)
    entry = session.book.entry(sheet) if sheet else session.book.active
    try:
        session.cursor, session.has_selection = parse_area(rest), True
        session.sheet_name = entry.name if entry is not None else session.sheet_name
    except BadAddress:
        session.has_selection = False


def _run_step(session: SheetSession, action: OfficeAction, path: str) -> None:
    session.path = path
    if action.op == "upsert_block":
        upsert_block(session, action, action.text("block_id"), _run_step, path)
    elif action.op == "delete_block":
        delete_block(session, action)
    elif action.op in _INSERTS and not session.block:
        upsert_block(session, action, name_block(action), _run_step, path)
    elif action.op in STEPS:
        if action.op in _NEEDS_VALUES and session.formulas_changed:
            _add_missing_values(session.book, session)
        STEPS[action.op](session, action)
    else:
        raise session.fail("not_here", "op", op=action.op)


def _say_reason(reason: str | None) -> str:
    """The error, or the name of the function that a formula failed at, in brackets."""
    if reason is None:
        return ""
    name = reason.removeprefix("the function ")
    return f" ({name})" if name != reason or reason.startswith("#") else ""


def _add_missing_values(book: WorkbookParts, session: SheetSession) -> None:
    """Calculate formulas that have no value yet, as in files that no program has opened since they were made."""
    missing = {(sheet.name, *key) for sheet in book.sheets() for key in sheet.formulas if not sheet.has_value(*key)}
    if missing:
        recalculate(book, missing, now=session.now.replace(tzinfo=None))


def _finish_values(session: SheetSession) -> None:
    """Values of formulas, and what goes with them: the order of calculation, the used range."""
    book = session.book
    if session.formulas_changed:
        book.drop_calculation_chain()
    result = recalculate(book, session.changed, now=session.now.replace(tzinfo=None))
    for name in sorted({name for name, _, _ in session.changed}):
        book.sheet(name).update_dimension()
    circles = {key for key, why in result.problems.items() if why == READS_ITSELF}
    errors = {key: one.code for key, one in result.values.items() if isinstance(one, CellError)}
    if shown := errors.keys() & session.changed:
        session.warn("shows_error", count=len(shown), cells=_name_cells(shown, errors))
    if circles:
        session.warn("reads_itself", count=len(circles), cells=_name_cells(circles, {}))
    for code, keys in (("not_calculated", set(result.problems) - result.kept - circles), ("may_be_old", result.kept)):
        if keys:
            session.warn(code, count=len(keys), cells=_name_cells(keys, result.problems))


def _name_cells(keys: AbstractSet[tuple[str, int, int]], reasons: Mapping[tuple[str, int, int], str]) -> list[str]:
    named = [
        f"{quote_sheet(name)}!{cell_name(row, column)}{_say_reason(reasons.get((name, row, column), ''))}"
        for name, row, column in sorted(keys)[:_MAX_NAMED]
    ]
    return [*named, "…"] if len(keys) > _MAX_NAMED else named

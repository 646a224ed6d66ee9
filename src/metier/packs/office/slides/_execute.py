"""Carries out a plan on a deck. Either all steps are written, or the file stays as it was."""

import re
from pathlib import Path
from typing import Final

from metier.packs.office._compare import build_compare_plan
from metier.packs.office._hosts import Selection, WriteRequest
from metier.packs.office._plan_session import find_plan_language, name_block
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import OfficeAction, OfficePlan, find_style
from metier.packs.office.slides._blocks import delete_block, upsert_block
from metier.packs.office.slides._deck import Deck
from metier.packs.office.slides._done import mark_of, read_mark, write_mark
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides.steps import SLIDE_STEPS

# Steps that add something: alone they are a block of their own, so that a second run finds them.
_ADDS: Final = frozenset(
    {
        "add_slide",
        "add_textbox",
        "add_shape",
        "add_table",
        "add_chart",
        "add_image",
        "add_hyperlink",
        "insert_text",
        "insert_word_art",
        "duplicate_slide",
        "fill_placeholder",
    }
)
_ONCE: Final = frozenset({"delete_slide", "reorder_slides", "replace_text", "fill_template", "delete_point"})
_SLIDE: Final = re.compile(r"s(\d+)(?:\..*)?")


def open_run(plan: OfficePlan, source: Path, request: WriteRequest) -> "SlideRun":
    """Open a deck for a plan."""
    if request.mode == "tracked":
        raise PlanStepError("mode_unsupported", "mode", say("mode_unsupported"))
    deck = Deck.open(source, to_change=True)
    style = find_style(request.style, plan.meta, "wpp")
    session = SlideSession(deck, source.parent, find_plan_language(plan), request.chosen, style)
    _select(session, request.selection)
    return SlideRun(plan, session, mark_of(plan, request.chosen))


class SlideRun:
    """One plan on one deck. Either all steps are written, or the file stays as it was."""

    def __init__(self, plan: OfficePlan, session: SlideSession, mark: str) -> None:
        self._plan, self._session, self._mark = plan, session, mark
        self._before = session.deck.digest()
        self.changes, self.skipped, self.warnings = session.changes, session.skipped, session.warnings

    def is_carried_out(self) -> bool:
        return read_mark(self._session.deck, self._mark) == self._before

    def carry_out(self, action: OfficeAction, path: str) -> None:
        _run_step(self._session, action, path)

    def finish(self) -> None:
        if self._session.deck.has_macros:
            self._session.warn("macros")

    def build_comparison(self) -> OfficePlan:
        return build_compare_plan(self._plan, tuple(self.changes), self._session.language)

    def is_changed(self) -> bool:
        return self._session.deck.digest() != self._before

    def save(self, target: Path) -> None:
        if len(self._plan.actions) > 1 or _ONCE & {action.op for action in self._plan.walk()}:
            # Steps that build on each other are not carried out twice on the same deck.
            write_mark(self._session.deck, self._mark)
        target.write_bytes(self._session.deck.to_bytes())


def _select(session: SlideSession, selection: Selection | None) -> None:
    """Make the user's slide the current one; new slides come after it."""
    found = _SLIDE.fullmatch(selection.address) if selection is not None else None
    slides = session.deck.slides()
    if found is not None and 1 <= int(found[1]) <= len(slides):
        session.current = slides[int(found[1]) - 1]
        session.position = int(found[1]) + 1


def _run_step(session: SlideSession, action: OfficeAction, path: str) -> None:
    session.path = path
    if action.op == "upsert_block":
        upsert_block(session, action, action.text("block_id"), _run_step, path)
    elif action.op == "delete_block":
        delete_block(session, action)
    elif action.op in _ADDS and not session.block:
        upsert_block(session, action, name_block(action), _run_step, path)
    elif action.op in SLIDE_STEPS:
        SLIDE_STEPS[action.op](session, action)
    else:
        raise session.fail("not_here", "op", op=action.op)

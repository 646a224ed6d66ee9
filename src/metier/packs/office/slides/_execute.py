"""Carries out a plan on a deck. Either all steps are written, or the file stays as it was."""

import hashlib
import json
import re
import shutil
from datetime import datetime
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, language_of
from metier.packs.office._compare import build_compare_plan
from metier.packs.office._hosts import Execution, Selection, WriteMode
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import OfficeAction, OfficePlan, load_style_spec
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


def execute_plan(
    plan: OfficePlan,
    source: Path,
    target: Path,
    *,
    chosen: frozenset[str] | None = None,
    mode: WriteMode = "direct",
    selection: Selection | None = None,
    author: str = "Metier",
    at: datetime | None = None,
    style: JsonObject | None = None,
) -> Execution:
    """Write the source as changed by the plan to the target. `PlanStepError` names the step that cannot be done."""
    if mode == "tracked":
        raise PlanStepError("mode_unsupported", "mode", say("mode_unsupported"))
    deck = Deck.open(source, to_change=True)
    before, mark = deck.digest(), mark_of(plan, chosen)
    if read_mark(deck, mark) == before:
        shutil.copyfile(source, target)
        return Execution(unchanged=True)
    session = SlideSession(deck, source.parent, _language(plan), chosen, load_style_spec(style or None, "wpp"))
    _select(session, selection)
    for number, action in enumerate(plan.actions):
        _run_step(session, action, f"actions[{number}]")
    if mode == "compare_table" and session.changes:
        done = execute_plan(build_compare_plan(plan, tuple(session.changes), session.language), source, target)
        warnings = (*session.warnings, *done.warnings)
        return Execution(tuple(session.changes), tuple(session.skipped), warnings, unchanged=done.unchanged)
    if deck.digest() == before:
        shutil.copyfile(source, target)
        return Execution((), tuple(session.skipped), tuple(session.warnings), unchanged=True)
    if len(plan.actions) > 1 or _ONCE & {action.op for action in plan.walk()}:
        # Steps that build on each other are not carried out twice on the same deck.
        write_mark(deck, mark)
    target.write_bytes(deck.to_bytes())
    return Execution(tuple(session.changes), tuple(session.skipped), tuple(session.warnings))


def _language(plan: OfficePlan) -> Language:
    return language_of(" ".join(str(value) for action in plan.walk() for value in action.to_json().values()))


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
        upsert_block(session, action, _automatic_block(action), _run_step, path)
    elif action.op in SLIDE_STEPS:
        SLIDE_STEPS[action.op](session, action)
    else:
        raise session.fail("not_here", "op", op=action.op)


def _automatic_block(action: OfficeAction) -> str:
    """Id of a block for a step that stands alone, so that the same step is found again."""
    text = json.dumps(action.to_json(), sort_keys=True, ensure_ascii=False, default=str)
    return f"step-{hashlib.sha256(text.encode()).hexdigest()[:10]}"

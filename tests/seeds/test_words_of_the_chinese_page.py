"""What the server says by a code is said in Chinese on the Chinese page: errors, findings, what a prompt left out."""

from pathlib import Path
from typing import get_args

import metier.errors
from metier.context._sections import DropCode
from metier.context._skill_sections import SECTION_ORDER
from metier.errors import MetierError
from metier.language import language_of
from metier.skills import CODES
from metier.skills.model import Diagnostic
from tests.browser.words import sentence


def test_every_error_has_a_sentence() -> None:
    kinds = [kind for kind in vars(metier.errors).values() if isinstance(kind, type) and issubclass(kind, MetierError)]

    assert _find_english("errors", {kind.code for kind in kinds}) == set()


def test_every_finding_has_a_sentence() -> None:
    findings = [Diagnostic(code, "error", "noted", "what happened", "", Path("SKILL.md")) for code in CODES]

    assert {found.code for found in findings if language_of(found.text("zh")) != "zh"} == set()


def test_every_section_of_a_prompt_and_every_reason_to_leave_something_out_has_a_sentence() -> None:
    sections = {f"section_{name}" for name in (*SECTION_ORDER, "base", "menu", "tools", "history", "earlier", "note")}

    assert _find_english("context", sections | {f"drop_{code}" for code in get_args(DropCode)}) == set()


def _find_english(room: str, keys: set[str]) -> set[str]:
    return {key for key in keys if language_of(sentence(room, key, "zh")) != "zh" or not sentence(room, key, "en")}

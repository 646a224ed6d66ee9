"""A turn on a terminal: what a deep run decided is said in the language of the run."""

from typing import get_args

from metier.cli.terminal._dialogue import Screen
from metier.events._flow import Reflection


def test_a_judgement_of_a_deep_run_is_said_in_words_of_its_language() -> None:
    decisions = get_args(Reflection.model_fields["decision"].annotation)
    wrong: list[str] = []
    for reason, is_chinese in (("转速不符。", True), ("The speed does not fit.", False)):
        for decision in decisions:
            lines: list[str] = []
            Screen(write_note=lines.append)._show_event("reflect", {"decision": decision, "reason": reason})
            said = lines[0].removeprefix("↺ ").removesuffix(reason)
            wrong += [] if said and decision not in said.split() and said.isascii() != is_chinese else lines
    assert (len(decisions), wrong) == (4, [])

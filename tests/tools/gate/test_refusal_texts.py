from typing import get_args

import pytest

from metier.language import Language
from metier.tools import Verdict, VerdictAnswer, VerdictCode, failure_from_verdict

NEVER_TOLD = {"allowed", "granted", "control_tool"}


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("code", sorted(set(get_args(VerdictCode)) - NEVER_TOLD))
def test_every_no_has_a_sentence_in_both_languages(code: VerdictCode, language: Language) -> None:
    answer: VerdictAnswer = "confirm" if code == "approval_needed" else "deny"
    failure = failure_from_verdict(Verdict(answer, code, "", "skill", "skill 塔罗", ("memory",), "pdf"), language)
    assert failure.code == code
    assert "'pdf'" in failure.message
    assert failure.hint
    assert failure.message.isascii() == (language == "en" and "塔罗" not in failure.message)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("skill tarot", "技能 tarot"),
        ("skills a, b", "技能 a, b"),
        ("task type research", "任务类型 research"),
        ("somebody", "somebody"),
    ],
)
def test_who_says_no_is_named_in_chinese(source: str, told: str) -> None:
    verdict = Verdict("deny", "forbidden_by_skill", "", "skill", source, (), "pdf")
    assert f"：{told} 明确" in failure_from_verdict(verdict, "zh").message


@pytest.mark.parametrize(("language", "left"), [("en", "and 60 more"), ("zh", "另有 60 个")])
def test_a_long_list_is_cut(language: Language, left: str) -> None:
    names = tuple(f"tool_{number}" for number in range(100))
    verdict = Verdict("deny", "not_in_plan", "", "plan", "plan", names, "pdf")
    assert left in failure_from_verdict(verdict, language).hint


@pytest.mark.parametrize("language", get_args(Language))
def test_what_a_model_called_cannot_move_the_cursor(language: Language) -> None:
    name = "\x1b[2J\0"
    verdict = Verdict("deny", "unknown_tool", "", "default", "registry", (), name)
    failure = failure_from_verdict(verdict, language)
    assert "\x1b" not in failure.message
    assert "\0" not in failure.message

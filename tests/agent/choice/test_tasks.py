"""Parts of a message that are tasks of their own, and those that answer a question of the task before."""

from types import SimpleNamespace
from typing import Any

import pytest

from metier.agent.choice._tasks import join_answers
from metier.routing import Decision

_ASK = {
    "zh": "分析完成。是否需要对该场景进行优化仿真？",
    "en": "It is done. Shall I simulate an optimisation of this scenario?",
}
_NAME = {"zh": "要保存成什么名字？", "en": "Which name shall it have?"}


def _join(texts: tuple[str, ...], *, is_builtin: bool = True) -> int:
    steps = ({"id": "name", "ask": _NAME, "answer": {"type": "string"}}, {"id": "confirm", "ask": _ASK})
    catalog = {"analysis": SimpleNamespace(sop=steps), "simulation": SimpleNamespace(sop=())}
    state: Any = SimpleNamespace(request=SimpleNamespace(catalog=catalog), uses_builtin_model=lambda stage: is_builtin)
    requests = tuple(
        SimpleNamespace(skill=skill, text=text) for skill, text in zip(("analysis", "simulation"), texts, strict=True)
    )
    decision = Decision("auto", "search", "x", skill="analysis", skills=("analysis",), requests=requests)  # type: ignore[arg-type]
    return len(join_answers(state, decision).requests)


@pytest.mark.parametrize("said", ["仿真", "做优化仿真", "simulate", "simulate it"])
def test_a_part_that_says_yes_to_a_question_of_the_skill_before_is_no_task(said: str) -> None:
    assert _join(("分析浦东", said)) == 1
    assert _join(("分析浦东", said), is_builtin=False) == 2


@pytest.mark.parametrize("said", ["下发参数", "写一份报告", "send a mail", "simulate Haidian", "不要仿真"])
def test_what_asks_for_anything_else_stays_a_task(said: str) -> None:
    assert _join(("分析浦东", said)) == 2

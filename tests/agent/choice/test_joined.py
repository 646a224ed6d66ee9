"""A detail in place of a choice is read together with the message that was asked about."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from metier.agent.choice._joined import join_with_asked
from metier.agent.turn import ASKED_MESSAGE, TurnInput
from metier.routing import Candidate, Decision
from tests.context.support import skill

if TYPE_CHECKING:
    from metier.agent.turn import TurnState
    from metier.routing._decision import Verdict
    from metier.skills import Catalog

ASKED = "帮我做个签到表"
WRITE, MINUTES = skill("write", title="写入内容"), skill("minutes", title="会议纪要")
SAME = ((WRITE.id, 0.5), (MINUTES.id, 0.48))


def _join(
    message: str, ranked: Mapping[str, tuple[tuple[str, float], ...]], asked: str = ASKED
) -> tuple[Decision, str, list[str]]:
    """The decision, the message that it is for, and what was said; `ranked` has the skills of each message."""
    told: list[str] = []
    choices = [{"text": one.title, "value": one.id} for one in (WRITE, MINUTES)]
    state = SimpleNamespace(
        request=TurnInput("u", message, "zh", cast("Catalog", {WRITE.id: WRITE, MINUTES.id: MINUTES})),
        calls=SimpleNamespace(
            pending_pause=SimpleNamespace(payload={ASKED_MESSAGE: asked, "choices": choices}), offers=[]
        ),
        uses_builtin_model=lambda _stage: True,
        queue_reply=told.append,
    )

    async def decide(given: "TurnState") -> Decision:
        found = ranked.get(given.request.message, ())
        verdict: Verdict = "none" if not found else "auto" if found[0][1] > 0.9 else "suggest"
        candidates = tuple(Candidate(name, score) for name, score in found)
        return Decision(
            verdict, "search", given.request.message, skill=found[0][0] if found else None, candidates=candidates
        )

    decision = asyncio.run(join_with_asked(cast("TurnState", state), decide))
    return decision, state.request.message, told


def test_a_detail_that_makes_the_request_clear_is_done_with_it() -> None:
    decision, message, told = _join("列要姓名、电话", {f"{ASKED}，列要姓名、电话": ((WRITE.id, 1.0),)})
    assert (decision.verdict, decision.skill) == ("auto", WRITE.id)
    assert message == f"{ASKED}，列要姓名、电话"
    assert message in told[0]


def test_the_first_offered_skill_is_taken_only_if_it_is_well_ahead_and_that_is_told() -> None:
    decision, _, told = _join("列要姓名", {f"{ASKED}，列要姓名": ((WRITE.id, 0.8), (MINUTES.id, 0.3))})
    assert (decision.verdict, decision.skill) == ("auto", WRITE.id)
    assert "写入内容" in told[0]
    assert "会议纪要" in told[0]
    near, message, said = _join("列要姓名", {f"{ASKED}，列要姓名": SAME})
    assert near.verdict == "suggest"
    assert message == f"{ASKED}，列要姓名"  # what is asked once more is about all that was said
    assert said == []


@pytest.mark.parametrize("message", ["诊断1号泵的轴承", "谢谢", "add a column"])
def test_a_new_request_thanks_and_another_language_stand_alone(message: str) -> None:
    alone = {"诊断1号泵的轴承": ((MINUTES.id, 1.0),), f"{ASKED}，{message}": ((WRITE.id, 1.0),)}
    assert _join(message, alone)[1:] == (message, [])


def test_what_is_unknown_alone_and_together_is_left_as_it_was_said() -> None:
    decision, message, told = _join("天气怎么样", {})
    assert (decision.verdict, message, told) == ("none", "天气怎么样", [])

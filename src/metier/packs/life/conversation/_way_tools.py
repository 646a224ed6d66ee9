"""Tools of tarot, career, goals and terms."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText
from metier.pack import PackContext
from metier.packs.life.conversation._career_tools import (
    compare_options,
    read_decision,
    save_interest,
    score_interests,
    start_career,
)
from metier.packs.life.conversation._coach_tools import (
    make_goal_plan,
    record_checkin,
    save_goal_answer,
    set_goal_reminder,
    start_coach,
)
from metier.packs.life.conversation._core_tools import introduce_life
from metier.packs.life.conversation._tarot_tools import draw_cards, explain_life_term, prepare_draw
from metier.tools import FunctionTool, SideEffect, add_titles, function_tool

_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "prepare_draw": BilingualText("洗牌", "Shuffle"),
        "draw_cards": BilingualText("抽牌", "Draw the cards"),
        "explain_life_term": BilingualText("解释名词", "Explain a term"),
        "introduce_life": BilingualText("介绍", "Introduction"),
        "start_career": BilingualText("了解需求", "Read the request"),
        "save_interest": BilingualText("保存回答", "Keep the answer"),
        "score_interests": BilingualText("计算兴趣", "Score the interests"),
        "read_decision": BilingualText("读出选项和权重", "Read options and weights"),
        "compare_options": BilingualText("决策矩阵", "Decision matrix"),
        "start_coach": BilingualText("了解需求", "Read the request"),
        "save_goal_answer": BilingualText("保存回答", "Keep the answer"),
        "make_goal_plan": BilingualText("写成计划", "Write the plan"),
        "set_goal_reminder": BilingualText("设定提醒", "Set a reminder"),
        "record_checkin": BilingualText("记录打卡", "Record the check-in"),
    }
)


def build_way_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools of tarot, career, goals and terms."""
    del context
    idempotent = (introduce_life, start_career, save_interest, score_interests, read_decision, compare_options)
    coaching = (start_coach, save_goal_answer, make_goal_plan, set_goal_reminder)
    tools = (
        # Shuffled again if the process died before the hash was shown: nobody has seen the first deck.
        function_tool(prepare_draw, idempotent=True, effects=_READS),
        function_tool(draw_cards, idempotent=True, effects=_WRITES),
        function_tool(explain_life_term, idempotent=True, effects=_READS, retrieves="knowledge"),
        *(function_tool(one, idempotent=True, effects=_READS) for one in (*idempotent, *coaching)),
        function_tool(record_checkin, effects=_READS),
    )
    return add_titles(tools, _TITLES)

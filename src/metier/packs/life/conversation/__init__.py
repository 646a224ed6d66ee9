"""Tools of a conversation (charts, tarot, career, goals, terms) and answers about what they drew or computed."""

from metier.pack import PackAnswer, PackContext, PackQuestion
from metier.packs.life.conversation._chart_tools import build_chart_tools
from metier.packs.life.conversation._way_tools import build_way_tools
from metier.tools import FunctionTool

__all__ = ["answer_follow_up", "build_tools"]


def answer_follow_up(question: PackQuestion) -> PackAnswer | None:
    """What was drawn or computed says of one of its parts; None for other messages and other skills."""
    from metier.packs.life.conversation._follow_ups import answer_about_tarot, asks_about_chart

    if question.skill in ("bazi", "zodiac"):
        return asks_about_chart(question)
    return answer_about_tarot(question) if question.skill in ("tarot", "life_terms") else None


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create all tools of the pack."""
    return (*build_way_tools(context), *build_chart_tools(context))

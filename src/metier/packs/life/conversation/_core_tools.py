"""Tool of the persona that chooses a skill: what can be done here."""

from typing import Final

from metier.language import Sentences
from metier.packs.life.conversation._fields import SummaryLanguage
from metier.tools import ToolResult

_TEXTS: Final = Sentences(
    {
        "hello": (
            "I can draw tarot cards, compute a bazi or natal chart, ask about your interests, weigh a choice, and keep "
            "a goal with you. Everything is computed first and said with its ground, for reflection. What is on your "
            "mind?",
            "我可以抽塔罗、排八字和星盘、看看职业兴趣、帮你权衡一个选择，也可以陪你定一个目标。"
            "都是先算清楚、再说依据，供你参考。你现在最想聊什么？",
        ),
    }
)


def introduce_life(language: SummaryLanguage = "zh") -> ToolResult:
    """说明能做什么。Say what can be done here."""
    return ToolResult({"summary": _TEXTS.render("hello", language)})

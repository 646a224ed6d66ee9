"""Asks which of several skills is meant: none that has nothing to do, and with a word on what no skill here does."""

from collections.abc import Sequence
from typing import Final

from metier.agent.adapters import render_sentence
from metier.agent.choice.attached import find_one_reader
from metier.agent.choice.back import leave_out_idle_undos
from metier.agent.turn import TurnState, ask_skill, enter_skill
from metier.language import Sentences, choose, resolve_language
from metier.patterns import compile_later
from metier.routing import Candidate, Decision
from metier.skills import Skill

_MAX_CANDIDATES: Final = 5
NEAR_SHARE: Final = 0.25
_SENTENCES: Final = Sentences(
    {
        "which_without_model": (
            "No language model is connected, so I cannot write a text in words of my own; what you give me can be put "
            "into a document. {question}",
            "当前没有接入语言模型，不能代写文字，只能把你给的内容写进文档。{question}",
        ),
        "this_skill": ("Shall I do “{title}”?", "要做「{title}」吗？"),
    }
)
# A text of one's own words, which nobody but a language model can write: a letter, a post, a speech.
_PROSE_ZH: Final = compile_later(
    r"(?:写|撰写|起草|草拟|拟|编|代写|润色)[^，,。；;!！?？]{0,30}?"
    r"(?:邮件|信|通知|公告|文案|故事|诗|检讨|假条|文章|作文|演讲稿|发言稿|讲话稿|致辞|简历|朋友圈|推文|感言|祝福|评语|贺词|倡议书|申请书|稿子?)"
)
_PROSE_EN: Final = compile_later(
    r"\b(?:write|draft|compose|word|polish)\b[^,.;!?]{0,40}?"
    r"\b(?:e-?mail|letter|notice|announcement|post|article|essay|story|poem|speech|reply|message|blog|toast|cv|r[ée]sum[ée])s?\b"
)


async def suggest_skills(state: TurnState, decision: Decision) -> bool:
    """Ask which of the suggested skills is meant; a model that may choose is asked instead, and they stay on offer."""
    ranked = [one for one in decision.candidates if one.skill in state.request.catalog]
    if state.skill_chooser != "router":
        near = [one for one in ranked if one.score >= NEAR_SHARE * ranked[0].score]
        state.skill.suggested = tuple(state.request.catalog[one.skill] for one in near)
        return True
    meant = await leave_out_idle_undos(state, _list_meant(state, ranked))
    wants_prose = state.uses_builtin_model("converse") and orders_prose(state.request.message)
    if not wants_prose and (taken := await find_one_reader(state, meant)) is not None:
        await enter_skill(state, taken[0], None, "router", why=taken[1])
        return True
    text = render_sentence("which_skill", state.request.language)
    if len(meant) == 1:
        text = _SENTENCES.render("this_skill", state.request.language, title=meant[0].title_in(state.request.language))
    if wants_prose:
        text = _SENTENCES.render("which_without_model", state.request.language, question=text)
    await ask_skill(state, meant[:_MAX_CANDIDATES], text)
    return False


def orders_prose(message: str) -> bool:
    """Whether a message orders a text in words of the writer's own: a letter, a notice, a speech."""
    pattern = choose(resolve_language("auto", message), zh=_PROSE_ZH, en=_PROSE_EN)
    return pattern.search(message.casefold()) is not None


def _list_meant(state: TurnState, ranked: Sequence[Candidate]) -> list[Skill]:
    """Skills that may be meant: those near the first, and others of its group only."""
    skills = [(state.request.catalog[one.skill], one.score) for one in ranked]
    first, best = skills[0]
    return [one for one, score in skills if score >= NEAR_SHARE * best or (first.group and one.group == first.group)]

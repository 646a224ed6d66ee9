"""A comparison with what nothing is known of: it is said, and no other skill is begun by guess."""

from typing import Final

from metier.agent.choice._attached_names import load_attached_names
from metier.agent.choice.details._load_results import has_written_files, load_results
from metier.agent.turn import TurnState
from metier.attachments import match_names
from metier.language import Sentences, join_names
from metier.questions import Answer, answer_question, parse_question, read_compared

_MAX_NAMED: Final = 8
_SAID: Final = Sentences(
    {
        "incomparable": (
            "There is nothing here about “{subject}” to compare the result with.",
            "这里没有「{subject}」的数据，不能和刚才的结果比较。",
        ),
        "quoted": ("“{name}”", "「{name}」"),
        "comparable": (" It can be compared with: {names}.", "可以比较的有：{names}。"),
    }
)


async def tell_incomparable(state: TurnState) -> Answer | None:
    """That a comparison with the result on screen has no other side; None for other messages, and for documents."""
    subject, skill = read_compared(state.request.message), state.skill.active
    if not subject or skill is None or skill.needs.compute or skill.hosts:
        return None
    known = await state.resources.store.facts.list(state.conversation, is_known=True)
    if match_names(state.request.message, await load_attached_names(state)):
        return None
    results, language = await load_results(state), state.request.language
    if not results or await has_written_files(state):
        return None
    asked = parse_question(subject)  # 平均值 of 和平均值比 is in the result itself
    own = None if asked is None else answer_question(asked, results, language)
    if own is not None and own.found:
        return own
    # Of the facts of one turn the first is what the work is about: another machine has another bearing.
    facts = [one.fact for one in known if one.turn == known[-1].turn and len(one.fact.options) > 1]
    others = [one.label for fact in facts[:1] for one in fact.options if one.value != fact.value][:_MAX_NAMED]
    told = _SAID.render("incomparable", language, subject=subject)
    if not others:
        return Answer(told, found=False)
    named = join_names([_SAID.render("quoted", language, name=one) for one in others], language)
    return Answer(f"{told}{_SAID.render('comparable', language, names=named)}", found=False)

"""Chooses one skill, several or none from the decisions on a message and on its parts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.routing._decision import Candidate, Decision, Verdict
from metier.routing._parts import Part
from metier.routing._wording import Note

# Minimum probability of a part's skill when another part's is certain. Measured with these values: at most 1 in 100
# messages for one skill is split (MASSIVE, MetaTool), and nine of ten of our own messages for two are.
_LIKELY: Final = 0.45
_SURE: Final = 0.8
_BEYOND_DOUBT: Final = 0.98
_UNMARKED: Final = 0.05
_CALLED: Final = 0.1
# A skill that ranks low for the whole message needs a higher probability.
_STRANGE: Final = 0.2
_BROUGHT_TO_MIND: Final = 4
_NEAR: Final = 3
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Judged:
    """Decision with the reranked skills and the probability of the first (`right`).

    `has_trigger`: the text has a trigger of the first skill; `triggered_count`: how many skills have one in it.
    """

    decision: Decision
    order: tuple[str, ...] = ()
    right: float = 0.0
    called: bool = False
    calls: int = 0

    @property
    def may_be_several(self) -> bool:
        """False if one skill is certain and no other skill's trigger is present.

        A limit of 0.98 misses none of our messages for two and spares most messages for one the cost of splitting.
        """
        return bool(self.order) and (self.right < _BEYOND_DOUBT or self.calls > 1)


def judge_parts(whole: Judged, parts: Sequence[Part], judge: Callable[[Part], Judged]) -> Sequence[tuple[Part, Judged]]:
    """Decide on the parts, returned in message order.

    The shortest part goes first, and it stops once two skills are out of reach, as with "and then call back".
    """
    found: dict[int, Judged] = {}
    hopeless = 0
    for at in sorted(range(len(parts)), key=lambda at: len(parts[at].text)):
        found[at] = judge(parts[at])
        hopeless += not _is_meant(whole, parts[at], found[at])
        if whole.decision.verdict != "none" and 1 < len(parts) < hopeless + _TWO:
            break
    return [(parts[at], found[at]) for at in sorted(found)]


def settle(whole: Judged, parts: Sequence[tuple[Part, Judged]], groups: Mapping[str, str]) -> Decision:
    """Choose several skills if the parts mean several; otherwise the skill of the one part that is a request."""
    chosen = _chosen(whole, parts, groups)
    if len(chosen) > 1 and max(judged.right for _, judged in chosen.values()) >= _SURE:
        return _together(chosen)
    return _asked(whole, parts) or whole.decision


def _chosen(
    whole: Judged, parts: Sequence[tuple[Part, Judged]], groups: Mapping[str, str]
) -> dict[str, tuple[Part, Judged]]:
    """Skills of the parts, each with its most probable part; one per group, since its skills exclude each other."""
    chosen: dict[str, tuple[Part, Judged]] = {}
    taken: dict[str, str] = {}
    for part, judged in parts:
        skill = judged.decision.skill
        if skill is None or not _is_meant(whole, part, judged) or taken.get(groups[skill], skill) != skill:
            continue
        if groups[skill]:
            taken[groups[skill]] = skill
        if skill not in chosen or judged.right > chosen[skill][1].right:
            chosen[skill] = (part, judged)
    return chosen


def _is_meant(whole: Judged, part: Part, judged: Judged) -> bool:
    if judged.decision.skill is None:
        return False
    needed = _LIKELY + (0.0 if part.marked else _UNMARKED) - (_CALLED if judged.called else 0.0)
    strange = judged.order[0] not in whole.order[:_BROUGHT_TO_MIND]
    return judged.right >= needed + (_STRANGE if strange else 0.0)


def _asked(whole: Judged, asking: Sequence[tuple[Part, Judged]]) -> Decision | None:
    """Decision of the only certain part, if context in the rest led the whole message to another skill."""
    sure = {judged.order[0]: (part, judged) for part, judged in asking if judged.decision.verdict == "auto"}
    if len(sure) != 1:
        return None
    ((skill, (part, judged)),) = sure.items()
    if skill == whole.decision.skill or skill not in whole.order[:_NEAR]:
        return None
    if whole.decision.verdict != "none" and len(asking) > 1:
        return None
    why = (*judged.decision.why, _said(part, skill))
    return replace(judged.decision, verdict="suggest", why=why)


def _together(chosen: Mapping[str, tuple[Part, Judged]]) -> Decision:
    used = [judged.decision for _, judged in chosen.values()]
    verdict: Verdict = "suggest" if any(decision.verdict == "suggest" for decision in used) else "auto"
    candidates = sorted(_firsts(used), key=lambda candidate: -candidate.score)
    why = dict.fromkeys(note for decision in used for note in decision.why)
    said = [_said(part, skill) for skill, (part, _) in chosen.items()]
    return Decision(
        verdict,
        "search",
        "",
        next(iter(chosen)),
        tuple(chosen),
        tuple(candidates),
        why=(*why, Note.of("several", count=len(chosen)), *said),
        vectors=all(decision.vectors for decision in used),
        meant=max(decision.meant or 0.0 for decision in used),
    )


def _firsts(decisions: Sequence[Decision]) -> Iterator[Candidate]:
    for decision in decisions:
        yield from decision.candidates[:1]


def _said(part: Part, skill: str) -> Note:
    return Note.of("part", text=part.text, skill=skill)

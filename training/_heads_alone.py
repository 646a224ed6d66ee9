"""Fits the heads alone, on top of the shipped maps: after a change of the ranking, or with new described catalogs.

Every labelled set is simulated with maps learned without its family, and half as often with the shipped maps; described
catalogs, which no map has seen, with the shipped ones.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from metier.routing.fitting import LabelledScore, fit_heads
from metier.routing.ranking import DATA, Floats, Heads
from training._cache import CachedEncoder, load_or_learn
from training._catalogs import CATALOG_RECIPES, CatalogRecipe, simulate_messages
from training._corpus import Corpus, Encode, EncodedCorpus, encode_corpus
from training._learn import MAP_FILES, MODES, PrintLine
from training._maps import MapRecipe, learn_map

_MAX_MESSAGES: Final = 30
_MESSAGES: Final = 100
_DESCRIBED_TIMES: Final = 2


def learn_heads(
    labelled: Sequence[Corpus],
    described: Sequence[Corpus],
    encoders: Mapping[str, Encode],
    *,
    cache: Path | None = None,
    say: PrintLine = lambda _line: None,
) -> Mapping[str, Heads]:
    """Fit the heads of every mode; `cache` is a folder for vectors and maps that a later run can use."""
    corpora = [*(_limit_messages(corpus) for corpus in labelled), *described]
    views = {view: _EncodedView(view, encode, corpora, cache) for view, encode in encoders.items()}
    families = {corpus.family for corpus in labelled}
    heads = {}
    for mode, names in MODES:
        if all(name in views for name in names):
            scores = list(_simulate(corpora, families, [views[name] for name in names], next(iter(views.values()))))
            heads[mode] = fit_heads(scores)
            say(f"{mode}: heads from {len(scores)} messages")
    return heads


class _EncodedView:
    """Vectors of all corpora in one view, the shipped map, and maps learned without one family."""

    def __init__(self, name: str, encode: Encode, corpora: Sequence[Corpus], cache: Path | None) -> None:
        self.name = name
        self._cache = cache
        self._corpora = [corpus for corpus in corpora if name == "use" or not corpus.chinese]
        encode = encode if cache is None else CachedEncoder(encode, cache / f"{name}.npz")
        self.encoded = {corpus.name: encode_corpus(corpus, encode) for corpus in self._corpora}
        with np.load(DATA / dict(MAP_FILES)[name]) as stored:
            self.shipped: Floats = stored["map"].astype(np.float32)

    def learn_without(self, family: str, labelled: Sequence[str]) -> Floats:
        """Map learned from the labelled sets of all other families."""
        others = {
            corpus.name: self.encoded[corpus.name]
            for corpus in self._corpora
            if corpus.family != family and corpus.family in labelled
        }
        learn: Callable[[], Floats] = lambda: learn_map(self._corpora, others, MapRecipe(seeds=(0,)))  # noqa: E731
        return load_or_learn(self._cache / f"{self.name}-{family}.npy" if self._cache else None, learn)


def _simulate(
    corpora: Sequence[Corpus], families: set[str], views: Sequence[_EncodedView], near: _EncodedView
) -> Iterator[LabelledScore]:
    for number, corpus in enumerate(corpora):
        if any(corpus.name not in view.encoded for view in views):
            continue
        unseen = corpus.family in families and bool(views)
        rounds = [(1, unseen)] + ([(2, False)] if unseen else [])
        for step, left_out in rounds:
            mapped = {view.name: _apply(view, corpus, left_out, sorted(families)) for view in views}
            recipes: tuple[CatalogRecipe, ...] = CATALOG_RECIPES
            if corpus.family not in families:
                recipes = tuple(one for one in CATALOG_RECIPES if 0 in one.examples) * _DESCRIBED_TIMES
            for at, scene in list(enumerate(recipes))[::step]:
                chance = np.random.default_rng(100 * number + at)
                known = near.encoded[corpus.name]
                yield from simulate_messages(corpus, mapped, scene, chance, messages=_MESSAGES, near=known)


def _apply(view: _EncodedView, corpus: Corpus, left_out: bool, families: Sequence[str]) -> EncodedCorpus:
    by = view.learn_without(corpus.family, families) if left_out else view.shipped
    return view.encoded[corpus.name].apply_map(by)


def _limit_messages(corpus: Corpus) -> Corpus:
    chance = np.random.default_rng(0)
    return replace(
        corpus,
        messages={
            skill: tuple(said[at] for at in chance.permutation(len(said))[:_MAX_MESSAGES])
            for skill, said in corpus.messages.items()
        },
    )

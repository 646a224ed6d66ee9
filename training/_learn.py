"""Trains the shipped files: the maps of both views, then the heads of every mode on top of them.

A map is too good on the sets it was learned from. So the heads are fitted on every set twice: with the shipped maps,
and with maps learned without its family, as for an unseen catalog.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from metier.routing.fitting import LabelledScore, fit_heads, write_heads
from metier.routing.ranking import Floats, Heads
from training._catalogs import CATALOG_RECIPES, CatalogRecipe, simulate_messages
from training._corpus import Corpus, Encode, EncodedCorpus, encode_corpus
from training._maps import MapRecipe, learn_map

PrintLine = Callable[[str], None]

# Mode and its views: `use` reads every language, `mini` English only.
MODES: Final = (("lex", ()), ("use", ("use",)), ("use+mini", ("use", "mini")))
_MAX_UNSEEN_SEEDS: Final = 2
MAP_FILES: Final = (("use", "use-multilingual.map.npz"), ("mini", "all-minilm-l6-v2.map.npz"))


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """Maps by view and heads by mode."""

    maps: Mapping[str, Floats]
    heads: Mapping[str, Heads]

    def save(self, folder: Path, made_from: Mapping[str, str]) -> tuple[Path, ...]:
        """Write the files that the router reads and return their paths."""
        files = [folder / name for view, name in MAP_FILES if view in self.maps]
        for view, name in MAP_FILES:
            if view in self.maps:
                write_map(folder / name, self.maps[view])
        write_heads(folder / "calibration.json", self.heads, made_from)
        return (*files, folder / "calibration.json")


def learn(
    corpora: Sequence[Corpus],
    encoders: Mapping[str, Encode],
    *,
    recipe: MapRecipe | None = None,
    recipes: Sequence[CatalogRecipe] = CATALOG_RECIPES,
    messages: int = 100,
    say: PrintLine = lambda _line: None,
) -> LearnedWeights:
    """Learn maps and heads from labelled corpora; `encoders` are the views' encoders without maps."""
    encoded: dict[str, dict[str, EncodedCorpus]] = {}
    for view, encode in encoders.items():
        readable = [corpus for corpus in corpora if view == "use" or not corpus.chinese]
        encoded[view] = {corpus.name: encode_corpus(corpus, encode) for corpus in readable}
        say(f"{view}: {len(readable)} sets encoded")
    maps = {view: learn_map(corpora, found, recipe) for view, found in encoded.items()}
    seen = {view: {name: one.apply_map(maps[view]) for name, one in found.items()} for view, found in encoded.items()}
    unseen = {view: _map_unseen(corpora, found, recipe or MapRecipe()) for view, found in encoded.items()}
    near = next(iter(seen.values()), {})
    heads = {}
    for mode, views in MODES:
        if all(view in maps for view in views):
            worlds = [{view: world[view] for view in views} for world in ((seen, unseen) if views else (seen,))]
            acted = [one for world in worlds for one in _simulate(corpora, world, recipes, messages, near)]
            heads[mode] = fit_heads(acted)
            say(f"{mode}: heads from {len(acted)} messages")
    return LearnedWeights(maps, heads)


def _map_unseen(
    corpora: Sequence[Corpus], encoded: Mapping[str, EncodedCorpus], recipe: MapRecipe
) -> dict[str, EncodedCorpus]:
    """Corpora of one view, each multiplied by a map learned without its family; none if there is only one family."""
    quick = replace(recipe, seeds=recipe.seeds[:_MAX_UNSEEN_SEEDS])
    mapped: dict[str, EncodedCorpus] = {}
    for family in dict.fromkeys(corpus.family for corpus in corpora):
        own = [corpus.name for corpus in corpora if corpus.family == family and corpus.name in encoded]
        others = {name: one for name, one in encoded.items() if name not in own}
        if own and others:
            found = learn_map(corpora, others, quick)
            mapped |= {name: encoded[name].apply_map(found) for name in own}
    return mapped


def _simulate(
    corpora: Sequence[Corpus],
    mapped: Mapping[str, Mapping[str, EncodedCorpus]],
    scenes: Sequence[CatalogRecipe],
    messages: int,
    near: Mapping[str, EncodedCorpus],
) -> list[LabelledScore]:
    acted: list[LabelledScore] = []
    for number, corpus in enumerate(corpora):
        if any(corpus.name not in found for found in mapped.values()):
            continue
        views = {view: found[corpus.name] for view, found in mapped.items()}
        for at, scene in enumerate(scenes):
            chance = np.random.default_rng(100 * number + at)
            acted += simulate_messages(corpus, views, scene, chance, messages=messages, near=near.get(corpus.name))
    return acted


def write_map(file: Path, found: Floats) -> None:
    """Write a map as a compressed float16 matrix."""
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(file, map=found.astype(np.float16))

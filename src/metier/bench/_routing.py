"""How long a message waits for its skill, embedding included, among a thousand skills."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from metier.bench._corpus import messages_about, write_corpus
from metier.bench._figures import Figure
from metier.routing import Router, open_router
from metier.settings import Settings, load_settings
from metier.skills import Catalog, SkillLibrary

SKILLS = 1000
MESSAGES = 200


def measure_routing() -> Iterator[Figure]:
    """Index build from nothing and from disk, then messages in Chinese and English, one after the other."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "skills")
        write_corpus(folder, SKILLS)
        catalog = SkillLibrary.over(folder).catalog()
        settings = load_settings({"storage_dir": Path(temporary, "storage")})
        open_router(settings).route("warm up", catalog=Catalog.of(list(catalog)[:2]))  # imports and weights
        yield _index("index of 1,000 skills, cold", settings, catalog, 10_000)
        yield _index("index of 1,000 skills, from disk", settings, catalog, 1_000)
        yield from _messages(open_router(settings), catalog)


def _index(name: str, settings: Settings, catalog: Catalog, target_ms: float) -> Figure:
    router = open_router(settings)
    started = perf_counter()
    router.prepare(catalog)
    return Figure("routing", name, (perf_counter() - started) * 1000, target_ms, 1)


def _messages(router: Router, catalog: Catalog) -> Iterator[Figure]:
    chance = random.Random(3)  # noqa: S311 - repeatable messages
    router.route("warm up", catalog=catalog)
    decisions = [router.route(message, catalog=catalog) for message in messages_about(chance, MESSAGES)]
    taken = [decision.elapsed_ms for decision in decisions]
    yield Figure("routing", f"route one message of {SKILLS} skills, p50", quantiles(taken, n=2)[0], 10, MESSAGES)
    yield Figure("routing", f"route one message of {SKILLS} skills, p95", quantiles(taken, n=20)[-1], 10, MESSAGES)

"""How long a message waits for its skill, embedding included, among generated skills by the thousand."""

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from metier.bench._corpus import messages_about, write_corpus
from metier.bench._figures import Figure
from metier.bench._routing_measures import p50_p95
from metier.routing import Router, open_router
from metier.settings import Settings, load_settings
from metier.skills import Catalog, SkillLibrary

MESSAGES = 200


@dataclass(frozen=True, slots=True)
class Scale:
    """So many skills, and what is promised of them in milliseconds."""

    skills: int
    cold_ms: float
    warm_ms: float
    message_ms: float


THOUSAND = Scale(1_000, 10_000, 1_000, 10)
TEN_THOUSAND = Scale(10_000, 100_000, 10_000, 25)


def measure_routing(scale: Scale = THOUSAND) -> Iterator[Figure]:
    """Index build from nothing and from disk, then messages in Chinese and English, one after the other."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "skills")
        write_corpus(folder, scale.skills)
        catalog = SkillLibrary.over(folder).catalog()
        settings = load_settings({"storage_dir": Path(temporary, "storage")})
        open_router(settings).route("warm up", catalog=Catalog.of(list(catalog)[:2]))  # imports and weights
        yield _index(f"index of {scale.skills:,} skills, cold", settings, catalog, scale.cold_ms)
        yield _index(f"index of {scale.skills:,} skills, from disk", settings, catalog, scale.warm_ms)
        yield from _messages(open_router(settings), catalog, scale)


def _index(name: str, settings: Settings, catalog: Catalog, target_ms: float) -> Figure:
    router = open_router(settings)
    started = perf_counter()
    router.prepare(catalog)
    return Figure("routing", name, (perf_counter() - started) * 1000, target_ms, 1)


def _messages(router: Router, catalog: Catalog, scale: Scale) -> Iterator[Figure]:
    chance = random.Random(3)  # noqa: S311 - repeatable messages
    router.route("warm up", catalog=catalog)
    decisions = [router.route(message, catalog=catalog) for message in messages_about(chance, MESSAGES)]
    p50_ms, p95_ms = p50_p95([decision.elapsed_ms for decision in decisions])
    name = f"route one message of {scale.skills} skills"
    yield Figure("routing", f"{name}, p50", p50_ms, scale.message_ms, MESSAGES)
    yield Figure("routing", f"{name}, p95", p95_ms, scale.message_ms, MESSAGES)

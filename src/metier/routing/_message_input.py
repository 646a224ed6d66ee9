"""Input of the index from a message: normalised text, vectors, bonus of named skills."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from types import MappingProxyType
from typing import Final, cast

import numpy as np

from metier.errors import Unavailable
from metier.routing._sentences import RoutingNote
from metier.routing.ranking import (
    BatchView,
    Floats,
    ParallelView,
    RoutingIndex,
    VectorView,
    count_processors,
    find_shipped_file,
)
from metier.routing.text import leave_out_quoted, translate_words
from metier.textsearch import has_cjk, normalize_text, to_simplified

# In a long message the request stands before or after the pasted text, so both ends are read.
HEAD_CHARS: Final = 14_000
TAIL_CHARS: Final = 6_000
_MAX_RANKED_CHARS: Final = 600
_TRIGGER_BONUS: Final = 0.06
_EXCLUDED_PENALTY: Final = 0.04
_MAX_EXCLUDED: Final = 2
_TRANSLATED_BONUS: Final = 0.05
_LEAST_SHARE: Final = 0.1
_MAX_BOOSTER_WORDS: Final = 24
MIN_BATCH: Final = 2
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


@cache
def load_rare_words() -> frozenset[str]:
    """English words that the vocabulary has not as a whole, from the shipped list; empty if the file is damaged."""
    try:
        return frozenset(find_shipped_file("english-rare-words.txt").read_text("utf-8").split())
    except (OSError, ValueError):
        return frozenset()


@cache
def load_translations() -> Mapping[str, str]:
    """English words for common Chinese ones, from the shipped list; empty if the file is damaged."""
    try:
        lines = find_shipped_file("translations-zh-en.txt").read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    return dict(line.split(" ", 1) for line in lines)


def load_word_lists(index: RoutingIndex) -> None:
    """Read the lists that messages for this index are compared with."""
    load_english_words()
    load_rare_words()
    if index.translated_share:
        load_translations()


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
    asked: str, index: RoutingIndex, views: Sequence["RememberingView"]
) -> tuple[dict[str, Floats], tuple[RoutingNote, ...]]:
    """Vectors of a message by view, and notes on views that gave none."""
    vectors: dict[str, Floats] = {}
    notes: list[RoutingNote] = []
    for view, text in _begin_all(asked, index, views):
        try:
            vector = view.embed(text)
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
    asked: str, index: RoutingIndex, views: Sequence["RememberingView"]
) -> list[tuple["RememberingView", str]]:
    """Views with the text that each reads.

    The first view works when it is asked; the others begin here, where there is a processor for them.
    """
    used = [
        (view, asked if at == 0 else _keep_ends(asked)) for at, view in enumerate(views) if view.name in index.views
    ]
    for view, text in used[1:]:
        view.begin(text)
    return used


@dataclass(frozen=True, slots=True)
class RememberingView:
    """View for one message: a text that it has embedded, or has begun to, is not embedded again.

    `parallel` is the view if it may embed in a thread of its own, `batch` if it embeds several texts at once. `begun`
    are texts that it was not asked for since it began.
    """

    view: VectorView
    parallel: ParallelView | None
    batch: BatchView | None
    known: dict[str, Callable[[], Floats | None]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, view: VectorView) -> "RememberingView":
        """The view, with nothing embedded yet."""
        # By the name of the method: `isinstance` of a protocol takes 0.2 ms, and this is done for every message.
        is_parallel = hasattr(view, "begin") and count_processors() >= _MIN_PROCESSORS
        parallel = cast("ParallelView", view) if is_parallel else None
        return cls(view, parallel, cast("BatchView", view) if hasattr(view, "embed_all") else None)

    @property
    def name(self) -> str:
        """Name of the view."""
        return self.view.name

    @property
    def notes(self) -> Sequence[str]:
        """Notes on the state of the view."""
        return self.view.notes

    def embed(self, text: str) -> Floats | None:
        """Embed a text, or return its vector; raises `Unavailable` as the view does."""
        found = self.known.get(text)
        self.begun.discard(text)
        vector = self.view.embed(text) if found is None else found()
        self.known[text] = partial(_get_vector, vector)
        return vector

    def begin(self, text: str) -> bool:
        """Begin to embed a text in another thread; whether it is at work or done."""
        if text not in self.known and self.parallel is not None:
            with suppress(Unavailable):  # `embed` says why
                self.known[text] = self.parallel.begin(text)
                self.begun.add(text)
        return text in self.known

    def embed_all(self, texts: Sequence[str], *, least: int = MIN_BATCH) -> None:
        """Embed texts at once: five short ones cost little more than one.

        A view that cannot do so, or fails, embeds each when it is asked to; so does any view with fewer than `least`.
        """
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        if self.batch is None or len(new) < least:
            return
        with suppress(Unavailable):
            for text, vector in self.batch.embed_all(new).items():
                self.known[text] = partial(_get_vector, vector)


def _get_vector(vector: Floats | None) -> Floats | None:
    return vector


def begin_ahead(views: Sequence[RememberingView], text: str, index: RoutingIndex) -> bool:
    """Let all views but the first begin to embed a text; whether any has.

    The thread of another view needs the interpreter to begin, which the first view leaves free while it computes.
    """
    kept = _keep_ends(text)
    begun = [one.begin(kept) for one in views[1:] if one.name in index.views]
    return any(begun)


def _keep_ends(asked: str) -> str:
    """First and last words of a text, for the view that only adds to the first one and takes five times as long.

    With 24 words as many messages for 48 public skills are right as with all (203 of 297); with 20 five fewer. Longer
    quotations are left out: they are what a request is about.
    """
    words = asked.split()
    if len(words) <= _MAX_BOOSTER_WORDS:
        return asked
    words = leave_out_quoted(asked).split()
    if len(words) <= _MAX_BOOSTER_WORDS:
        return " ".join(words)
    half = _MAX_BOOSTER_WORDS // 2
    return " ".join((*words[:half], *words[-half:]))


def weigh_translations(folded: str, index: RoutingIndex) -> Floats | None:
    """Bonus of each skill described without Chinese for English words of a Chinese message; None if there is none.

    Vectors alone see what such a message is about, words see nothing. Over eight sets of Chinese messages for English
    skills the first choice is right for 7 points more; 0.03 to 0.07 are as good. It is up to twice as much where such
    skills have examples, and less the more they have, for all alike.
    """
    if not has_cjk(folded) or not index.translated_share:
        return None
    translated = translate_words(folded, load_translations())
    shares = index.lexical.score_groups([one.english for one in translated]) * index.without_chinese
    most = float(shares.max(initial=0.0))
    if not most:
        return None
    bonus: Floats = np.float32(_TRANSLATED_BONUS * index.translated_share / max(most, _LEAST_SHARE)) * shares
    return bonus


def compute_bonus(
    worth: Mapping[int, float],
    excluded: Mapping[int, Sequence[str]],
    size: int,
    translated: Floats | None = None,
) -> Floats | None:
    """Bonus of each skill for its triggers, phrases and translated words, less what it says it is not for."""
    if not worth and not excluded:
        return translated
    bonus: Floats = np.zeros(size, dtype=np.float32)
    bonus[list(worth)] = _TRIGGER_BONUS * np.array(list(worth.values()), dtype=np.float32)
    for skill, words in excluded.items():
        bonus[skill] -= _EXCLUDED_PENALTY * min(len(words), _MAX_EXCLUDED)
    return bonus if translated is None else bonus + translated

"""Opens the router that the settings describe."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from metier.errors import MetierError, Unavailable
from metier.routing._index_cache import IndexCache
from metier.routing._router import Router
from metier.routing._thresholds import Thresholds
from metier.routing.ranking import HEADS_FILE, Floats, OffsetFile, SkillVectors, VectorView, limit_heaps, load_heads
from metier.routing.text import Glossary, RoutingText
from metier.routing.vectors import CheckedEmbedder, VectorStore, load_embedder
from metier.settings import Settings

_FOLDER = "skills_vector_store"
_OFFSETS_FILE = "routing-offsets.json"
_BOOSTER = "minilm"
# After the first answer of a command, and while a server has little to do.
_WRITE_AFTER_S = 2.0
# A catalog that is more than a fifth Chinese gains nothing from the English view and loses on its Chinese skills.
_MIN_READABLE_SHARE = 0.8


class StoredView:
    """VectorView of an embedder whose skill vectors are stored in a folder."""

    def __init__(self, embedder: CheckedEmbedder, folder: Path) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._store = VectorStore(folder, embedder, write_after_s=_WRITE_AFTER_S)

    @property
    def notes(self) -> Sequence[str]:
        """Notes of the embedder."""
        return self._embedder.notes

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        """Whether the embedder can read most of the skills' texts."""
        said = [line for text in texts for line in (*text.examples, *text.about)]
        return sum(map(self._embedder.accepts, said)) >= _MIN_READABLE_SHARE * len(said)

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        """Return the vectors of these skills."""
        return self._store.sync(texts)

    def close(self) -> None:
        """Write new vectors to the folder if they are not there yet; do not wait for an embedder at work."""
        self._embedder.abandon()
        self._store.flush()

    def embed(self, message: str) -> Floats | None:
        """Embed a message; None if the embedder does not accept it."""
        if not self._embedder.accepts(message):
            return None
        vector: Floats = self._embedder.embed([message])[0]
        return vector

    def begin(self, message: str) -> Callable[[], Floats | None]:
        """Begin to embed a message in the embedder's own thread; the function waits for the vector."""
        return self._embedder.begin(message) if self._embedder.accepts(message) else lambda: None

    def embed_all(self, messages: Sequence[str]) -> Mapping[str, Floats]:
        """Embed several messages at once; those that the embedder does not accept are absent."""
        able = [message for message in messages if self._embedder.accepts(message)]
        return dict(zip(able, self._embedder.embed(able), strict=True))


@dataclass(slots=True)
class UnavailableView:
    """VectorView of an embedder that could not be loaded; every decision reports the error."""

    name: str
    error: Unavailable
    notes: tuple[str, ...] = ()

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        """Always true, so that `sync` is called and reports the error."""
        return True

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        """Raise the load error."""
        raise self.error

    def embed(self, message: str) -> Floats | None:
        """Raise the load error."""
        raise self.error


def open_router(settings: Settings, *, glossary: Glossary | None = None) -> Router:
    """Open the router of these settings; without its embedder it routes by words alone."""
    limit_heaps()
    folder = settings.storage_dir / _FOLDER
    views = [view for name in (settings.embedder,) if (view := _open_view(name, folder))]
    if views and settings.english_booster != "off":
        booster = _open_view(_BOOSTER, folder)
        # "auto" uses it if installed; a booster that is set by name is reported when it is missing.
        missing = isinstance(booster, UnavailableView) and settings.english_booster == "auto"
        # The booster may already be the main embedder.
        views += [booster] if booster and not missing and booster.name != views[0].name else []
    heads = load_heads(settings.storage_dir / HEADS_FILE)
    thresholds = Thresholds(settings.route_auto, min(settings.route_suggest, settings.route_auto))
    groups = frozenset(settings.skill_groups) or None
    return Router(
        views=tuple(views),
        glossary=glossary or Glossary(),
        heads=heads,
        thresholds=thresholds,
        groups=groups,
        _index_cache=IndexCache(OffsetFile(settings.storage_dir / _OFFSETS_FILE)),
    )


def load_text_embedder(settings: Settings) -> CheckedEmbedder | None:
    """Embedder of the settings for other texts than skills; None if there is none. Raises if it cannot be loaded."""
    return load_embedder(settings.embedder)


def _open_view(name: str, folder: Path) -> VectorView | None:
    try:
        embedder = load_embedder(name)
    except Unavailable as error:
        return UnavailableView(name, error)
    except MetierError as error:
        return UnavailableView(name, Unavailable(error.message, hint=error.hint))
    return None if embedder is None else StoredView(embedder.open_fast(), folder)

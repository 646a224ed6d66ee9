"""Peer: the `semantic-router` library with its defaults (five nearest utterances, mean per route, no threshold)."""

from collections.abc import Sequence
from importlib import import_module

from benchmarks.routing._peers_encoders import Encoder
from benchmarks.routing._peers_words import list_texts
from metier.skills import Skill


class SemanticRouter:
    """The library's `IndexedRouter` over a local index; the hybrid variant adds its TF-IDF encoder.

    Its BM25 encoder is not used because it downloads a tokenizer.
    """

    def __init__(self, encoder: Encoder, *, sparse: bool = False) -> None:
        self._encoder = _wrap_encoder(encoder)
        self._sparse = sparse

    @classmethod
    def hybrid(cls, encoder: Encoder) -> "SemanticRouter":
        """Dense and sparse encoders in the library's default proportion."""
        return cls(encoder, sparse=True)

    def fit(self, skills: Sequence[Skill]) -> None:
        """Create a route for each skill."""
        library = import_module("semantic_router")
        routes = [library.Route(name=skill.id, utterances=list(list_texts(skill))) for skill in skills]
        sparse = import_module("semantic_router.encoders.tfidf").TfidfEncoder() if self._sparse else None
        self._router = library.IndexedRouter(encoder=self._encoder, routes=routes, sparse_encoder=sparse)

    def route(self, message: str) -> list[tuple[str, float]]:
        """Rank the routes among the nearest utterances; others have no score."""
        return [(choice.name, choice.confidence) for choice in self._router(message, limit=3) if choice.confidence]


def _wrap_encoder(encoder: Encoder) -> object:
    """Wrap our encoder as a `DenseEncoder` of the library."""
    base = import_module("semantic_router.encoders.base").DenseEncoder
    answer = {"__call__": lambda _, docs: encoder(docs).tolist(), "__module__": __name__}
    return type("Wrapped", (base,), answer)(name="wrapped")

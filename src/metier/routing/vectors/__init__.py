"""Embedders, the two shipped encoders and the Chroma folder; the only place that knows onnxruntime and chromadb."""

from metier.routing.vectors._embedders import CheckedEmbedder, load_embedder
from metier.routing.vectors._shipped import load_use_source, plain_encoders
from metier.routing.vectors._store import VectorStore
from metier.routing.vectors._use_multilingual import UseSource, get_use_weights

__all__ = [
    "CheckedEmbedder",
    "UseSource",
    "VectorStore",
    "get_use_weights",
    "load_embedder",
    "load_use_source",
    "plain_encoders",
]

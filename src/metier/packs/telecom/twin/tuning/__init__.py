"""Parameter optimisation: goals, search, trial, proof and the cache of results."""

from metier.packs.telecom.twin.tuning._optimise import Gain, Optimisation, optimise
from metier.packs.telecom.twin.tuning._result_cache import SearchStore, StoredSearch, build_search_key, write_atomically
from metier.packs.telecom.twin.tuning._search import ProgressCallback

__all__ = [
    "Gain",
    "Optimisation",
    "ProgressCallback",
    "SearchStore",
    "StoredSearch",
    "build_search_key",
    "optimise",
    "write_atomically",
]

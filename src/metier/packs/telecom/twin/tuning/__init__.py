"""Parameter optimisation: goals, search, trial, proof and the cache of results."""

from metier.packs.telecom.twin.tuning._gains import Gain, compute_gains
from metier.packs.telecom.twin.tuning._goals import COMFORTABLE_LOAD, GOAL_WEIGHTS, GoalWeights
from metier.packs.telecom.twin.tuning._optimise import Optimisation, optimise
from metier.packs.telecom.twin.tuning._result_cache import SearchStore, StoredSearch, build_search_key, write_atomically
from metier.packs.telecom.twin.tuning._search import ProgressCallback
from metier.packs.telecom.twin.tuning._shipped import ShippedSearch, read_shipped_search, write_shipped_search

__all__ = [
    "COMFORTABLE_LOAD",
    "GOAL_WEIGHTS",
    "Gain",
    "GoalWeights",
    "Optimisation",
    "ProgressCallback",
    "SearchStore",
    "ShippedSearch",
    "StoredSearch",
    "build_search_key",
    "compute_gains",
    "optimise",
    "read_shipped_search",
    "write_atomically",
    "write_shipped_search",
]

"""Scores: BM25, prototypes, local classifier, calibration. No language rules."""

from metier.background import trim_heap
from metier.routing.ranking._bm25 import LexicalScores
from metier.routing.ranking._calibration import (
    HEADS_FILE,
    SIGNALS,
    Heads,
    Mode,
    Odds,
    Offsets,
    compute_signals,
    expand_signals,
    get_mode,
    load_heads,
    load_shipped_heads,
    to_odds,
    to_probability,
)
from metier.routing.ranking._index import RoutingIndex
from metier.routing.ranking._language_pair import LANGUAGE_PAIRS, LanguagePair, find_languages
from metier.routing.ranking._native import (
    count_free_processors,
    count_processors,
    limit_heaps,
    map_parallel,
    one_thread,
    reserve_processors,
)
from metier.routing.ranking._offset_file import OffsetFile
from metier.routing.ranking._prototypes import Floats, SkillVectors, normalize_rows
from metier.routing.ranking._rank import Query, Ranking, find_best_score, rank
from metier.routing.ranking._shipped_files import CHECKSUMS_FILE, DATA, find_shipped_file, hash_file
from metier.routing.ranking._view import BatchView, ClosableView, ParallelView, VectorView

__all__ = [
    "CHECKSUMS_FILE",
    "DATA",
    "HEADS_FILE",
    "LANGUAGE_PAIRS",
    "SIGNALS",
    "BatchView",
    "ClosableView",
    "Floats",
    "Heads",
    "LanguagePair",
    "LexicalScores",
    "Mode",
    "Odds",
    "OffsetFile",
    "Offsets",
    "ParallelView",
    "Query",
    "Ranking",
    "RoutingIndex",
    "SkillVectors",
    "VectorView",
    "compute_signals",
    "count_free_processors",
    "count_processors",
    "expand_signals",
    "find_best_score",
    "find_languages",
    "find_shipped_file",
    "get_mode",
    "hash_file",
    "limit_heaps",
    "load_heads",
    "load_shipped_heads",
    "map_parallel",
    "normalize_rows",
    "one_thread",
    "rank",
    "reserve_processors",
    "to_odds",
    "to_probability",
    "trim_heap",
]

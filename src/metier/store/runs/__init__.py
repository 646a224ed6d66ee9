"""Records of deep runs: checkpoints of their graph, kept while a run lasts."""

from metier.store.runs._checkpoints import Checkpoints, StoredCheckpoint

__all__ = ["Checkpoints", "StoredCheckpoint"]

"""Engines: run operators and other jobs in threads, in processes or on a cluster, by one interface."""

from metier.flow.engines._dask import DaskEngine
from metier.flow.engines._engine import Engine, JobFailed, JobResult
from metier.flow.engines._processes import ProcessEngine
from metier.flow.engines._threads import ThreadEngine, run_here

__all__ = ["DaskEngine", "Engine", "JobFailed", "JobResult", "ProcessEngine", "ThreadEngine", "run_here"]

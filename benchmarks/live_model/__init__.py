"""A small language model on this machine: installed by hash, served on loopback, its answers recorded."""

from benchmarks.live_model._engine import MODEL, EngineFailed, install, serve

__all__ = ["MODEL", "EngineFailed", "install", "serve"]

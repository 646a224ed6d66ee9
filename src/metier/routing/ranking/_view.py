"""Protocol of the embedding views the router uses."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from metier.routing.ranking._prototypes import Floats, SkillVectors
from metier.routing.text import RoutingText


class VectorView(Protocol):
    """Embedder together with its store of skill vectors.

    `sync` and `embed` raise `Unavailable` when there are no vectors, and nothing else.
    """

    name: str

    @property
    def notes(self) -> Sequence[str]:
        """Notes on the state of the view, in English."""
        ...

    def fits(self, texts: Sequence[RoutingText]) -> bool:
        """Whether the view can read these skills."""
        ...

    def sync(self, texts: Sequence[RoutingText]) -> Mapping[str, SkillVectors]:
        """Return the vectors of exactly these skills; never called concurrently."""
        ...

    def embed(self, message: str) -> Floats | None:
        """Embed a message; None if the view cannot read it. May be called from many threads."""
        ...


@runtime_checkable
class BatchView(VectorView, Protocol):
    """View that embeds several messages faster together than one by one."""

    def embed_all(self, messages: Sequence[str]) -> Mapping[str, Floats]:
        """Embed messages; those that the view cannot read are absent."""
        ...


@runtime_checkable
class ParallelView(VectorView, Protocol):
    """View that can embed a message in a thread of its own."""

    def begin(self, message: str) -> Callable[[], Floats | None]:
        """Begin to embed a message; the function waits for what `embed` returns or raises. Raises `Unavailable`."""
        ...


@runtime_checkable
class ClosableView(Protocol):
    """View that stores something when the router is closed."""

    def close(self) -> None:
        """Store what has not been stored yet; the view can still be used."""
        ...

"""What an engine promises: run one job within a time limit, or many jobs side by side."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
S = TypeVar("S")


class JobFailed(Exception):
    """A job ended without a result; the sentence says why. A `ValueError` of the job keeps its own sentence."""


@dataclass(frozen=True, slots=True)
class JobResult(Generic[T]):
    """Result of one of many jobs: its place in the list, and its value or the sentence why there is none."""

    place: int
    value: T | None = None
    error: str = ""


class Engine(Protocol):
    """Runs jobs: in threads, in processes or on a cluster, by the same calls."""

    def run(self, job: Callable[..., T], arguments: Sequence[object], *, seconds: float | None = None) -> T:
        """Run one job and return its result; `JobFailed` says why there is none."""
        ...

    def map(self, job: Callable[[S], T], items: Iterable[S]) -> Iterator[JobResult[T]]:
        """Run a job for each item, several at once; results come as they are ready, failures among them."""
        ...

    def close(self) -> None:
        """End the engine's workers."""
        ...


def describe_failure(error: BaseException) -> str:
    """Sentence of a failure: the job's own for a `ValueError`, otherwise the type with its text."""
    text = " ".join(str(error).split())[:300]
    if isinstance(error, MemoryError):
        return "there was not enough memory"
    # Subclasses such as UnicodeDecodeError or LinAlgError were not written for people.
    if type(error) is ValueError and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def describe_timeout(seconds: float) -> str:
    """Sentence of a job that was ended after its time limit."""
    return f"it took longer than {seconds:g} s"

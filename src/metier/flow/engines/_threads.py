"""Jobs in threads of this process: no start-up cost, shared memory; numpy releases the lock while it computes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextvars import copy_context
from itertools import count
from threading import Thread
from typing import Final, TypeVar

from metier.flow.engines._engine import JobFailed, JobResult, describe_failure, describe_timeout

_T = TypeVar("_T")
_S = TypeVar("_S")
_DEFAULT_WORKERS: Final = 2


class ThreadEngine:
    """Runs jobs in threads. A job over its time is abandoned: its thread ends by itself, and its result is dropped."""

    __slots__ = ("_numbers", "_workers")

    def __init__(self, workers: int = _DEFAULT_WORKERS) -> None:
        self._workers = workers
        self._numbers = count(1)

    def run(self, job: Callable[..., _T], arguments: Sequence[object], *, seconds: float | None = None) -> _T:
        future: Future[_T] = Future()
        context = copy_context()
        if seconds is None:
            _settle(future, job, arguments)
        else:
            # A thread of its own and not of a pool: one that never ends must not keep the program from ending.
            name = f"metier-flow-{next(self._numbers)}"
            Thread(target=context.run, args=(_settle, future, job, arguments), name=name, daemon=True).start()
        try:
            error = future.exception(seconds)
        except TimeoutError:
            raise JobFailed(describe_timeout(seconds or 0.0)) from None
        if error is not None:
            raise JobFailed(describe_failure(error)) from error
        return future.result()

    def map(self, job: Callable[[_S], _T], items: Iterable[_S]) -> Iterator[JobResult[_T]]:
        with ThreadPoolExecutor(self._workers, thread_name_prefix="metier-flow") as pool:
            places = {pool.submit(job, item): place for place, item in enumerate(items)}
            for future in as_completed(places):
                error = future.exception()
                if error is None:
                    yield JobResult(places[future], future.result())
                else:
                    yield JobResult(places[future], error=describe_failure(error))

    def close(self) -> None:
        """Nothing to end: threads live as long as their jobs."""


def _settle(future: "Future[_T]", job: Callable[..., _T], arguments: Sequence[object]) -> None:
    try:
        future.set_result(job(*arguments))
    except Exception as error:  # noqa: BLE001 - whatever an operator raises becomes the sentence of its node
        future.set_exception(error)

"""Jobs in threads of this process: no start-up cost, shared memory; numpy releases the lock while it computes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from metier.flow.engines._engine import JobFailed, JobResult, describe_failure, describe_timeout

_T = TypeVar("_T")
_S = TypeVar("_S")
_DEFAULT_WORKERS: Final = 2


class ThreadEngine:
    """Runs jobs in threads. A job over its time is abandoned: its thread ends by itself, and its result is dropped."""

    __slots__ = ("_idle", "_workers")

    def __init__(self, workers: int = _DEFAULT_WORKERS) -> None:
        self._workers = workers
        self._idle: SimpleQueue[_WorkerThread] = SimpleQueue()

    def run(self, job: Callable[..., _T], arguments: Sequence[object], *, seconds: float | None = None) -> _T:
        future: Future[_T] = Future()
        if seconds is None:
            _settle(future, job, arguments)
            return _read_result(future, None)
        try:
            worker = self._idle.get_nowait()
        except Empty:
            worker = _WorkerThread()
        worker.jobs.put((future, job, arguments))
        try:
            result = _read_result(future, seconds)
        except JobFailed:
            if not future.done():
                worker.jobs.put(None)  # its last job: nobody waits for it
            else:
                self._idle.put(worker)
            raise
        self._idle.put(worker)
        return result

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
        while not self._idle.empty():
            self._idle.get().jobs.put(None)

    def __del__(self) -> None:
        self.close()


class _WorkerThread:
    """A thread that is used again: to start one for each job took longer than most jobs.

    It is no thread of a pool: one that never ends must not keep the program from ending.
    """

    __slots__ = ("jobs",)

    def __init__(self) -> None:
        self.jobs: SimpleQueue[tuple[Future[Any], Callable[..., Any], Sequence[object]] | None] = SimpleQueue()
        Thread(target=_work, args=(self.jobs,), name="metier-flow", daemon=True).start()


def _work(jobs: "SimpleQueue[tuple[Future[Any], Callable[..., Any], Sequence[object]] | None]") -> None:
    while (told := jobs.get()) is not None:
        _settle(*told)
        del told  # or the arrays of the last job would be kept until the next


def _read_result(future: "Future[_T]", seconds: float | None) -> _T:
    try:
        error = future.exception(seconds)
    except TimeoutError:
        raise JobFailed(describe_timeout(seconds or 0.0)) from None
    if error is not None:
        raise JobFailed(describe_failure(error)) from error
    return future.result()


def _settle(future: "Future[_T]", job: Callable[..., _T], arguments: Sequence[object]) -> None:
    try:
        future.set_result(job(*arguments))
    except Exception as error:  # noqa: BLE001 - whatever an operator raises becomes the sentence of its node
        future.set_exception(error)

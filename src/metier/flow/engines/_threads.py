"""Jobs in threads of this process: no start-up cost, shared memory; numpy releases the lock while it computes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Generic, TypeVar, cast

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
        if seconds is None:
            return run_here(job, arguments)
        try:
            worker = self._idle.get_nowait()
        except Empty:
            worker = _WorkerThread()
        given: _HandedJob[_T] = _HandedJob(job, arguments)
        worker.jobs.put(given)
        if not given.running.acquire(timeout=seconds):
            worker.jobs.put(None)  # its last job: nobody waits for it
            raise JobFailed(describe_timeout(seconds))
        self._idle.put(worker)
        if given.error is not None:
            raise JobFailed(describe_failure(given.error)) from given.error
        return cast("_T", given.result)

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


def run_here(job: Callable[..., _T], arguments: Sequence[object]) -> _T:
    """Run a job in the thread of its caller, without a limit of time."""
    try:
        return job(*arguments)
    except Exception as error:
        raise JobFailed(describe_failure(error)) from error


class _HandedJob(Generic[_T]):
    """A job on its way to a thread and back. A bare lock: a `Future` wakes its waiter twice, at 0.1 ms each."""

    __slots__ = ("arguments", "error", "job", "result", "running")

    def __init__(self, job: Callable[..., _T], arguments: Sequence[object]) -> None:
        self.job, self.arguments = job, arguments
        self.result: _T | None = None
        self.error: BaseException | None = None
        self.running = Lock()
        self.running.acquire()

    def settle(self) -> None:
        try:
            self.result = self.job(*self.arguments)
        except BaseException as error:  # noqa: BLE001 - whatever an operator raises becomes the sentence of its node
            self.error = error
        self.running.release()


class _WorkerThread:
    """A thread that is used again: to start one for each job took longer than most jobs.

    It is no thread of a pool: one that never ends must not keep the program from ending.
    """

    __slots__ = ("jobs",)

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_HandedJob[Any] | None] = SimpleQueue()
        Thread(target=_work, args=(self.jobs,), name="metier-flow", daemon=True).start()


def _work(jobs: "SimpleQueue[_HandedJob[Any] | None]") -> None:
    while (given := jobs.get()) is not None:
        given.settle()
        del given  # or the arrays of the last job would be kept until the next

"""Jobs in processes of their own: for operators that hold Python's lock; a job over its time is ended for good."""

import multiprocessing
import pickle
import queue
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.connection import Connection
from threading import Lock
from typing import Final, TypeVar, cast

from metier.flow.engines._engine import JobFailed, JobResult, describe_failure, describe_timeout

_T = TypeVar("_T")
_S = TypeVar("_S")
_DEFAULT_WORKERS: Final = 2
_END_WAIT_S: Final = 5.0


class ProcessEngine:
    """Runs jobs in worker processes that are started when first needed and ended when a job overruns its limits.

    Jobs, arguments and results are sent through pipes; a job must be importable in the worker. `max_bytes` limits the
    memory that a worker may allocate.
    """

    def __init__(self, workers: int = _DEFAULT_WORKERS, *, max_bytes: int | None = None) -> None:
        self._workers = workers
        self._max_bytes = max_bytes
        self._idle: queue.LifoQueue[_WorkerProcess | None] = queue.LifoQueue()
        for _ in range(workers):
            self._idle.put(None)
        self._lock = Lock()
        self._closed = False

    def run(self, job: Callable[..., _T], arguments: Sequence[object], *, seconds: float | None = None) -> _T:
        worker = self._idle.get()
        if worker is None or not worker.is_alive:
            worker = _WorkerProcess(self._max_bytes)
        keep = False
        try:
            result = worker.run(job, arguments, seconds)
            keep = True
        except JobFailed as failed:
            keep = worker.is_alive
            raise failed from None
        finally:
            if not keep or self._closed:
                worker.end()
            self._idle.put(worker if keep and not self._closed else None)
        return cast("_T", result)

    def map(self, job: Callable[[_S], _T], items: Iterable[_S]) -> Iterator[JobResult[_T]]:
        with ThreadPoolExecutor(self._workers, thread_name_prefix="metier-flow") as pool:
            places = {pool.submit(self.run, job, (item,)): place for place, item in enumerate(items)}
            for future in as_completed(places):
                error = future.exception()
                if error is None:
                    yield JobResult(places[future], future.result())
                else:
                    yield JobResult(places[future], error=str(error))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for _ in range(self._idle.qsize()):
                worker = self._idle.get_nowait()
                if worker is not None:
                    worker.end()
                self._idle.put(None)


class _WorkerProcess:
    """One worker process and the pipe to it."""

    def __init__(self, max_bytes: int | None) -> None:
        # A fork of a process with threads may inherit a held lock; the fork server has none.
        context = multiprocessing.get_context("forkserver")
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far, max_bytes), daemon=True)
        self._process.start()
        far.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def run(self, job: Callable[..., object], arguments: Sequence[object], seconds: float | None) -> object:
        try:
            sent = pickle.dumps((job, tuple(arguments)))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise JobFailed(f"it cannot be sent to another process: {error}") from error
        try:
            self._pipe.send_bytes(sent)
            if not self._pipe.poll(seconds):
                self.end()
                raise JobFailed(describe_timeout(seconds or 0.0))
            done, result = self._pipe.recv()
        except (EOFError, ConnectionError) as error:
            self.end()
            raise JobFailed("its process ended without a result, perhaps for lack of memory") from error
        if not done:
            raise JobFailed(str(result))
        return result

    def end(self) -> None:
        """End the process; it holds nothing that must be saved."""
        self._process.kill()
        self._process.join(_END_WAIT_S)
        self._pipe.close()


def _serve(pipe: Connection, max_bytes: int | None) -> None:
    if max_bytes is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (max_bytes, max_bytes))
    while True:
        try:
            job, arguments = pipe.recv()
        except EOFError:
            return
        except (ImportError, AttributeError, pickle.UnpicklingError) as error:
            pipe.send((False, f"it cannot be loaded in another process: {error}"))
            continue
        try:
            answer = (True, job(*arguments))
        except Exception as error:  # noqa: BLE001 - whatever an operator raises becomes the sentence of its node
            answer = (False, describe_failure(error))
        pipe.send(answer)

"""Jobs on a cluster of dask.distributed: the same calls as in threads and processes, on other machines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from metier.errors import MissingExtra
from metier.flow.engines._engine import JobFailed, JobResult, describe_failure, describe_timeout

if TYPE_CHECKING:
    from distributed import Client

_MAX_RETRIES: Final = 1  # a job that kills its workers must not kill them all again and again
_T = TypeVar("_T")
_S = TypeVar("_S")


class DaskEngine:
    """Runs jobs on a cluster. What a worker that died had under way is run again by another one.

    `address` is that of a scheduler; without one a local cluster of `workers` processes is started and ended with the
    engine. A `client` that is given stays open.
    """

    def __init__(self, address: str = "", *, workers: int = 2, client: "Client | None" = None) -> None:
        self._own: Any = None
        if client is not None:
            self._client: Any = client
            return
        try:
            import distributed
        except ImportError as error:
            raise MissingExtra("a cluster needs dask.distributed", hint="pip install 'metier[dask]'") from error
        cluster: Any = distributed  # untyped
        if not address:
            given = {"allowed_failures": _MAX_RETRIES}
            self._own = cluster.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, scheduler_kwargs=given
            )
            # Workers that take long to come back are given up: without this a cluster that lost all would wait forever.
            self._own.adapt(minimum=workers, maximum=workers)
        self._client = cluster.Client(address or self._own)

    def run(self, job: Callable[..., _T], arguments: Sequence[object], *, seconds: float | None = None) -> _T:
        from distributed import TimeoutError as DaskTimeout

        future = self._client.submit(job, *arguments, pure=False)
        try:
            return cast("_T", future.result(timeout=seconds))
        except (TimeoutError, DaskTimeout):
            future.cancel(force=True)
            raise JobFailed(describe_timeout(seconds or 0.0)) from None
        except Exception as error:
            raise JobFailed(_describe(error)) from error

    def map(self, job: Callable[[_S], _T], items: Iterable[_S]) -> Iterator[JobResult[_T]]:
        import distributed

        cluster: Any = distributed
        futures = {self._client.submit(job, item, pure=False): place for place, item in enumerate(items)}
        for future in cluster.as_completed(list(futures)):
            error = future.exception()
            if error is None:
                yield JobResult(futures[future], cast("_T", future.result()))
            else:
                yield JobResult(futures[future], error=_describe(error))

    def close(self) -> None:
        if self._own is not None:
            self._client.close()
            self._own.close()


def _describe(error: BaseException) -> str:
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return "every worker that ran it died, perhaps for lack of memory"
    return describe_failure(error)

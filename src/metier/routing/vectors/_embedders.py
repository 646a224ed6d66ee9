"""Embedder protocol, loading by name, and validation of everything an embedder returns.

An embedder is third-party code: it may be missing, hang, raise anything or return nonsense. `load_embedder` and
`ensure_checked` turn all of that into `MissingExtra`, `Unavailable` or `EmbedderBroken`; the router then uses words
alone.
"""

import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Protocol, TypeVar, cast, runtime_checkable

import numpy as np

from metier.errors import EmbedderBroken, MetierError, Unavailable
from metier.routing.ranking import Floats, normalize_rows

ENTRY_POINT_GROUP = "metier.embedders"

_BATCH = 64
# For an embedder that makes batches of its own: the more texts it has, the more equal in length they are.
_LARGE_BATCH = 512
# A message with its sentences or parts.
_MAX_INLINE = 6
_CALL_LIMIT_S = 60.0
# A local model may read or download gigabytes before its first answer.
_LOAD_LIMIT_S = 300.0
# Vectors are stored as float16, whose maximum is 65,504.
_MAX_COMPONENT = 100.0

# A thousand Chinese characters take 43 ms, eight thousand 330 ms. In a long message the request stands before or after
# the pasted text, so both ends are read.
_HEAD_CHARS = 750
_TAIL_CHARS = 250
_NOT_TEXT = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1b\x7f]")

_REFERENCE = re.compile(r"[\w.]+:[\w.]+")

_T = TypeVar("_T")


class Embedder(Protocol):
    """Turns texts into vectors.

    `name` identifies the model and its version; vectors stored under another name are never mixed in.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return a row of about unit length per text; texts are cleaned, not empty, and sorted by length."""
        ...


@runtime_checkable
class _Selective(Protocol):
    def accepts(self, text: str) -> bool: ...


@runtime_checkable
class _Accelerated(Protocol):
    def open_fast(self) -> Embedder | None: ...


@runtime_checkable
class _Tunable(Protocol):
    def open_tuned(self, weights: Mapping[str, Floats]) -> Embedder | None: ...


class _LangChainEmbeddings(Protocol):
    def embed_documents(self, texts: list[str]) -> list[list[float]]: ...


class LangChainEmbedder:
    """Adapter for any object with LangChain's `embed_documents`.

    Messages use it too, not `embed_query`: they are compared with example messages, and a model that encodes queries
    and passages differently would separate them.
    """

    def __init__(self, name: str, embeddings: _LangChainEmbeddings) -> None:
        """Embeds one word to learn the dimension."""
        models = (getattr(embeddings, key, None) for key in ("model", "model_name", "model_id"))
        self.name = "/".join([name, *[model for model in models if isinstance(model, str)][:1]])
        self._embeddings = embeddings
        self.dimension = len(embeddings.embed_documents(["skill"])[0])

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts as unit vectors."""
        with np.errstate(invalid="ignore", over="ignore"):
            return normalize_rows(np.asarray(self._embeddings.embed_documents(list(texts)), dtype=np.float32))


class CheckedEmbedder:
    """Wrapper that returns finite vectors of the right shape or raises a MetierError."""

    def __init__(self, embedder: Embedder, worker: "_Worker | None" = None, *, limit_s: float = _CALL_LIMIT_S) -> None:
        self.name: str = str(embedder.name)
        self._embedder = embedder
        self._worker = worker or _Worker(self.name)
        self._limit_s = limit_s
        self._prompt = bool(getattr(embedder, "prompt", False))
        self._selective = embedder if isinstance(embedder, _Selective) else None
        self._one = Lock()
        size: object = embedder.dimension
        if not isinstance(size, int) or size < 1:
            raise self._build_error(f"has the dimension {size!r}")
        self.dimension: int = size

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes of the embedder, such as running in a slower mode; empty if it has none."""
        said: object = getattr(self._embedder, "notes", ())
        return tuple(map(str, said)) if isinstance(said, tuple) else ()

    def abandon(self) -> None:
        """End every wait for the embedder, so that a process can end while it loads or hangs."""
        self._worker.abandon()

    def accepts(self, text: str) -> bool:
        """Whether the embedder can read this text; true unless it has its own `accepts`."""
        return self._selective is None or self._selective.accepts(text)

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts in batches, rows in the order of the texts; an empty text gets a row of zeros."""
        cleaned = [clean(text) for text in texts]
        rows: Floats = np.zeros((len(cleaned), self.dimension), dtype=np.float32)
        by_length = sorted((at for at, text in enumerate(cleaned) if text), key=lambda at: len(cleaned[at]))
        size = _LARGE_BATCH if self._prompt else _BATCH
        for start in range(0, len(by_length), size):
            part = by_length[start : start + size]
            rows[part] = self._embed_batch([cleaned[at] for at in part])
        return rows

    def begin(self, text: str) -> Callable[[], Floats]:
        """Begin to embed a text in the embedder's own thread; the function waits for the vector."""
        cleaned = clean(text)
        if not cleaned:
            return lambda: np.zeros(self.dimension, dtype=np.float32)
        asked = self._worker.begin(lambda: self._call_embedder([cleaned]))
        return lambda: self._check_rows(self._worker.wait(asked, self._limit_s), 1)[0]

    def open_fast(self) -> "CheckedEmbedder":
        """The same model with nearly the same vectors in less time; this one if there is none."""
        found = self._embedder.open_fast() if isinstance(self._embedder, _Accelerated) else None
        return self if found is None else CheckedEmbedder(found)

    def open_tuned(self, weights: Mapping[str, Floats]) -> "CheckedEmbedder | None":
        """The same model with weights that were tuned for one task; None if it is of another kind or cannot run."""
        found = self._embedder.open_tuned(weights) if isinstance(self._embedder, _Tunable) else None
        return None if found is None else CheckedEmbedder(found)

    def _call_embedder(self, texts: list[str]) -> object:
        with self._one:
            return self._embedder.embed(texts)

    def _call_inline(self, texts: list[str]) -> object:
        """Call an embedder that is known to return in this thread; the worker thread would add 10 % to the time."""
        try:
            return self._call_embedder(texts)
        except MetierError:
            raise
        except (Exception, SystemExit) as error:
            raise self._build_error(f"failed: {type(error).__name__}: {str(error)[:300]}") from error

    def _embed_batch(self, texts: list[str]) -> Floats:
        if self._prompt and len(texts) <= _MAX_INLINE:
            answer = self._call_inline(texts)
        else:
            limit_s = self._limit_s * -(-len(texts) // _BATCH)
            answer = self._worker.run(lambda: self._call_embedder(texts), limit_s)
        return self._check_rows(answer, len(texts))

    def _check_rows(self, answer: object, count: int) -> Floats:
        try:
            with np.errstate(over="ignore"):
                rows: Floats = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise self._build_error(f"answered with something that is not a matrix: {error}") from error
        if rows.shape != (due := (count, self.dimension)):
            raise self._build_error(f"answered with shape {rows.shape} where {due} was due")
        if not np.isfinite(rows).all():
            raise self._build_error("answered with NaN or infinity")
        if float(np.abs(rows).max()) > _MAX_COMPONENT:
            raise self._build_error("answered with vectors that are not of length one")
        return rows

    def _build_error(self, what: str) -> EmbedderBroken:
        return _build_broken_error(self.name, what)


class _Worker:
    """Single thread for an embedder's code: hangs and exceptions reach the router as `EmbedderBroken`.

    One call at a time also protects embedders that are not thread-safe or load on the first call. The thread is a
    daemon: the process does not wait at its end for an embedder that hangs.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._queue: SimpleQueue[_Call | None] = SimpleQueue()
        self._calls: set[_Call] = set()
        self._late: _Call | None = None
        self._thread: Thread | None = None
        self._lock = Lock()
        weakref.finalize(self, self._queue.put, None)

    def run(self, call: Callable[[], _T], limit_s: float) -> _T:
        return cast("_T", self.wait(self.begin(call), limit_s))

    def begin(self, call: Callable[[], object]) -> "_Call":
        asked = _Call(call)
        if self._late is not None and not self._late.ended.is_set():
            asked.answer(error=self._build_error("has not come back from an earlier call"))
            return asked
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=_run_calls, args=[self._queue], name="metier-embedder", daemon=True)
                self._thread.start()
        self._calls.add(asked)
        self._queue.put(asked)
        return asked

    def wait(self, asked: "_Call", limit_s: float) -> object:
        try:
            error = asked.future.exception(timeout=limit_s)
        except TimeoutError as late:
            self._late = asked
            raise self._build_error(f"did not answer within {limit_s:g} s") from late
        finally:
            self._calls.discard(asked)
        if error is None:
            return asked.future.result()
        if isinstance(error, MetierError):
            raise error
        raise self._build_error(f"failed: {type(error).__name__}: {str(error)[:300]}") from error

    def abandon(self) -> None:
        """End the wait of every caller; what the embedder answers later is dropped."""
        for call in tuple(self._calls):
            self._late = call
            call.answer(error=self._build_error("was closed before it answered"))

    def _build_error(self, what: str) -> EmbedderBroken:
        return _build_broken_error(self._name, what)


class _Call:
    """Call of an embedder; `ended` is set when its code has returned, however long ago the caller went away."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work
        self.future: Future[object] = Future()
        self.ended = Event()

    def answer(self, value: object = None, error: BaseException | None = None) -> None:
        with suppress(InvalidStateError):  # the caller was told something else before
            if error is None:
                self.future.set_result(value)
            else:
                self.future.set_exception(error)


def _run_calls(queue: "SimpleQueue[_Call | None]") -> None:
    while (call := queue.get()) is not None:
        try:
            call.answer(call.work())
        except BaseException as error:  # noqa: BLE001 - the edge of a thread: the caller gets whatever the embedder raised
            call.answer(error=error)
        call.ended.set()
        del call


def _build_broken_error(name: str, what: str) -> EmbedderBroken:
    return EmbedderBroken(f"embedder {name!r} {what}", hint="mend it, or set METIER_EMBEDDER to another or to 'none'")


def ensure_checked(embedder: Embedder) -> CheckedEmbedder:
    """Wrap an embedder with checks, unless it already is."""
    return embedder if isinstance(embedder, CheckedEmbedder) else CheckedEmbedder(embedder)


def load_embedder(value: str) -> CheckedEmbedder | None:
    """Load the embedder that the setting names; None for "none" and "off".

    A registered name (entry-point group `metier.embedders`), or "package.module:attribute": a LangChain `Embeddings`
    or an `Embedder`, as an object or as a class without constructor arguments. Weights are read on the first call.
    """
    value = value.strip()
    if value in ("", "none", "off"):
        return None
    if _REFERENCE.fullmatch(value):
        entry = EntryPoint(name=value, value=value, group=ENTRY_POINT_GROUP)
    else:
        known = {entry.name: entry for entry in entry_points(group=ENTRY_POINT_GROUP)}
        if value not in known:
            raise Unavailable(
                f"no embedder is registered as {value!r}",
                hint=f"installed: {', '.join(sorted(known)) or 'none'}; or name one as 'package.module:attribute'",
            )
        entry = known[value]
    worker = _Worker(value)
    return CheckedEmbedder(worker.run(lambda: _build_embedder(entry), _LOAD_LIMIT_S), worker)


def _build_embedder(entry: EntryPoint) -> Embedder:
    found = entry.load()
    made: object = found() if isinstance(found, type) else found
    if hasattr(made, "embed_documents"):
        return LangChainEmbedder(entry.name, cast("_LangChainEmbeddings", made))
    if all(hasattr(made, part) for part in ("name", "dimension", "embed")):
        return cast("Embedder", made)
    raise EmbedderBroken(
        f"{entry.value!r} is not an embedder",
        hint="it needs `embed_documents`, as LangChain's embeddings have it, or `name`, `dimension` and `embed`",
    )


def clean(text: str) -> str:
    """Clean a text for embedding: drop control characters, collapse blanks, cut the middle of a long text."""
    whole = " ".join(_NOT_TEXT.sub("", text).split())
    if len(whole) <= _HEAD_CHARS + _TAIL_CHARS:
        return whole
    return f"{whole[:_HEAD_CHARS].rstrip()} {whole[1 - _TAIL_CHARS :].lstrip()}"

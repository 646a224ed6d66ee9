"""Texts as vectors: the door for every embedder, and the check every answer passes.

An embedder is somebody else's code: it may be missing, hang, raise anything or answer with nonsense. `load_embedder`
and `checked` turn all of that into `MissingExtra`, `Unavailable` or `EmbedderBroken`; the router then goes on by words.
"""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.metadata import EntryPoint, entry_points
from threading import Lock
from typing import Protocol, TypeVar, cast, runtime_checkable

import numpy as np

from metier.errors import EmbedderBroken, MetierError, Unavailable
from metier.routing._dense import Floats, unit

GROUP = "metier.embedders"

_BATCH = 64
_CALL_LIMIT_S = 60.0
# A local model may read gigabytes, or fetch them, before its first answer.
_LOAD_LIMIT_S = 300.0
# Float16, in which the vectors are kept, ends at 65,504.
_LONGEST_ROW = 100.0

# A thousand Chinese characters take 43 ms, eight thousand 330 ms. In a long message the request stands before or after
# what was pasted, so both ends are read.
_HEAD_CHARS = 750
_TAIL_CHARS = 250
_NOT_TEXT = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1b\x7f]")

_REFERENCE = re.compile(r"[\w.]+:[\w.]+")

_T = TypeVar("_T")


class Embedder(Protocol):
    """What turns texts into vectors.

    `name` identifies the model and its version: vectors stored under another name are never mixed with these.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Floats:
        """One row of length about one for each text. The texts come clean, not empty, the shortest first."""
        ...


@runtime_checkable
class _Selective(Protocol):
    def accepts(self, text: str) -> bool: ...


class _LangChain(Protocol):
    def embed_documents(self, texts: list[str]) -> list[list[float]]: ...


class LangChainEmbedder:
    """Any object with LangChain's `embed_documents`.

    Messages go through it too, not through `embed_query`: they are compared with examples of messages, and a model
    that treats questions and passages apart would set them apart.
    """

    def __init__(self, name: str, embeddings: _LangChain) -> None:
        """Embeds one word, because nothing else tells how long the vectors are."""
        models = (getattr(embeddings, key, None) for key in ("model", "model_name", "model_id"))
        self.name = "/".join([name, *[model for model in models if isinstance(model, str)][:1]])
        self._embeddings = embeddings
        self.dimension = len(embeddings.embed_documents(["skill"])[0])

    def embed(self, texts: Sequence[str]) -> Floats:
        """The vectors, scaled to length one."""
        with np.errstate(invalid="ignore", over="ignore"):
            return unit(np.asarray(self._embeddings.embed_documents(list(texts)), dtype=np.float32))


class CheckedEmbedder:
    """An embedder that answers with finite vectors of the right number and size, or raises one of our errors."""

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
            raise self._broken(f"has the dimension {size!r}")
        self.dimension: int = size

    @property
    def notes(self) -> tuple[str, ...]:
        """What the embedder says of itself, where it does: that it runs, but not as it should."""
        said: object = getattr(self._embedder, "notes", ())
        return tuple(map(str, said)) if isinstance(said, tuple) else ()

    def accepts(self, text: str) -> bool:
        """Whether the embedder is any use for this message."""
        return self._selective is None or self._selective.accepts(text)

    def embed(self, texts: Sequence[str]) -> Floats:
        """One row for each text, in their order; a text with nothing in it has a row of zeros."""
        cleaned = [clean(text) for text in texts]
        rows: Floats = np.zeros((len(cleaned), self.dimension), dtype=np.float32)
        by_length = sorted((at for at, text in enumerate(cleaned) if text), key=lambda at: len(cleaned[at]))
        for start in range(0, len(by_length), _BATCH):
            part = by_length[start : start + _BATCH]
            rows[part] = self._ask([cleaned[at] for at in part])
        return rows

    def _answer(self, texts: list[str]) -> object:
        with self._one:
            return self._embedder.embed(texts)

    def _at_once(self, text: str) -> object:
        """The answer of an embedder that is known to come back: the way to another thread costs a tenth of it."""
        try:
            return self._answer([text])
        except (RuntimeError, ValueError, OSError, MemoryError) as error:
            raise self._broken(f"failed: {type(error).__name__}: {str(error)[:300]}") from error

    def _ask(self, texts: list[str]) -> Floats:
        if self._prompt and len(texts) == 1:
            answer = self._at_once(texts[0])
        else:
            answer = self._worker.run(lambda: self._answer(texts), self._limit_s)
        try:
            with np.errstate(over="ignore"):
                rows: Floats = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise self._broken(f"answered with something that is not a matrix: {error}") from error
        if rows.shape != (due := (len(texts), self.dimension)):
            raise self._broken(f"answered with shape {rows.shape} where {due} was due")
        if not np.isfinite(rows).all():
            raise self._broken("answered with NaN or infinity")
        if float(np.abs(rows).max()) > _LONGEST_ROW:
            raise self._broken("answered with vectors that are not of length one")
        return rows

    def _broken(self, what: str) -> EmbedderBroken:
        return _broken(self.name, what)


class _Worker:
    """One thread for an embedder's code: what hangs or raises there reaches the router as `EmbedderBroken`.

    One at a time is also what makes embedders safe that are not thread-safe, or load on the first call.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="metier-embedder")
        self._late: Future[object] | None = None

    def run(self, call: Callable[[], _T], limit_s: float) -> _T:
        if self._late is not None and not self._late.done():
            raise self._broken("has not come back from an earlier call")
        future = self._pool.submit(call)
        try:
            error = future.exception(timeout=limit_s)
        except TimeoutError as late:
            self._late = cast("Future[object]", future)
            raise self._broken(f"did not answer within {limit_s:g} s") from late
        if error is None:
            return future.result()
        if isinstance(error, MetierError):
            raise error
        raise self._broken(f"failed: {type(error).__name__}: {str(error)[:300]}") from error

    def _broken(self, what: str) -> EmbedderBroken:
        return _broken(self._name, what)


def _broken(name: str, what: str) -> EmbedderBroken:
    return EmbedderBroken(f"embedder {name!r} {what}", hint="mend it, or set METIER_EMBEDDER to another or to 'none'")


def checked(embedder: Embedder) -> CheckedEmbedder:
    """The embedder with every answer checked."""
    return embedder if isinstance(embedder, CheckedEmbedder) else CheckedEmbedder(embedder)


def load_embedder(value: str) -> CheckedEmbedder | None:
    """The embedder that the setting names, or None for "none" and "off".

    A registered name (entry-point group `metier.embedders`), or "package.module:attribute": a LangChain `Embeddings`
    or an `Embedder`, as an object or as a class that needs no arguments. Weights are read on the first call.
    """
    value = value.strip()
    if value in ("", "none", "off"):
        return None
    if _REFERENCE.fullmatch(value):
        entry = EntryPoint(name=value, value=value, group=GROUP)
    else:
        known = {entry.name: entry for entry in entry_points(group=GROUP)}
        if value not in known:
            raise Unavailable(
                f"no embedder is registered as {value!r}",
                hint=f"installed: {', '.join(sorted(known)) or 'none'}; or name one as 'package.module:attribute'",
            )
        entry = known[value]
    worker = _Worker(value)
    return CheckedEmbedder(worker.run(lambda: _make(entry), _LOAD_LIMIT_S), worker)


def _make(entry: EntryPoint) -> Embedder:
    found = entry.load()
    made: object = found() if isinstance(found, type) else found
    if hasattr(made, "embed_documents"):
        return LangChainEmbedder(entry.name, cast("_LangChain", made))
    if all(hasattr(made, part) for part in ("name", "dimension", "embed")):
        return cast("Embedder", made)
    raise EmbedderBroken(
        f"{entry.value!r} is not an embedder",
        hint="it needs `embed_documents`, as LangChain's embeddings have it, or `name`, `dimension` and `embed`",
    )


def clean(text: str) -> str:
    """The text as an embedder may see it: case kept, what cannot be text dropped, the middle of a long text cut out."""
    whole = " ".join(_NOT_TEXT.sub("", text).split())
    if len(whole) <= _HEAD_CHARS + _TAIL_CHARS:
        return whole
    return f"{whole[:_HEAD_CHARS]} {whole[-_TAIL_CHARS:]}"

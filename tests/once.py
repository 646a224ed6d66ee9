"""Work that is the same for every test and is done once per test process or run: each fixture says what it costs."""

import os
import re
import sqlite3
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cache, lru_cache, wraps
from hashlib import sha256
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import certifi
import httpcore2
import numpy as np
import pytest
from hypothesis.internal import charmap
from hypothesis.internal.intervalsets import IntervalSet
from sqlalchemy import Engine, create_engine

from metier.context import _prompts
from metier.context._template import compile_template
from metier.pack import _file, _installed
from metier.patterns import _later
from metier.routing.ranking import Floats, Heads, RoutingIndex, _calibration
from metier.routing.ranking._offset_file import build_offset_key
from metier.routing.vectors._shipped import MiniLmEmbedder, UseEmbedder
from metier.skills.live import _library
from metier.skills.read import ReadResult, SkillCandidate, read_skill
from metier.store.database import _migrate, _sqlite
from metier.tools import _functions, _plugins
from metier.tools.builtin import _all
from metier.tools.python import python_tool

T = TypeVar("T")
create_empty_database, SYNCHRONOUS = _sqlite._create_database, _sqlite._SYNCHRONOUS
_MANY_TEXTS = 30
_MAX_PATTERNS = 20_000


@pytest.fixture(scope="session")
def _entry_points_read_once() -> Iterator[None]:
    """The installed packages do not change while `sys.path` is the same; to read all of them takes 10 ms."""
    path = list(sys.path)

    @cache
    def read_once(group: str) -> EntryPoints:
        return entry_points(group=group)

    def read(*, group: str) -> EntryPoints:
        return read_once(group) if sys.path == path else entry_points(group=group)

    with pytest.MonkeyPatch.context() as patch:
        for module in (_file, _installed, _plugins):
            patch.setattr(module, "entry_points", read)
        yield


@pytest.fixture(scope="session")
def _signatures_read_once() -> Iterator[None]:
    """The tools of a test are defined anew by each test; to read the types of one takes 3 ms."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("check_return_type", "_read_signature"):
            patch.setattr(_functions, name, _read_once_per_code(getattr(_functions, name)))
        patch.setattr(_functions, "_build_schema", cache(_functions._build_schema))
        patch.setattr(_all, "python_tool", cache(python_tool))  # its types are made anew each time
        yield


def _read_once_per_code(read: Callable[[Callable[..., object], str], T]) -> Callable[[Callable[..., object], str], T]:
    """`read`, called once for functions of the same code, name and types; with defaults or a wrapper, each time."""
    known: dict[object, T] = {}

    def lookup(function: Callable[..., object], name: str) -> T:
        if not isinstance(function, FunctionType) or function.__defaults__ or function.__kwdefaults__:
            return read(function, name)
        key = (function.__code__, function.__module__, name, tuple(function.__annotations__.items()))
        try:
            is_known = key in known and not hasattr(function, "__wrapped__")
        except TypeError:  # a type that cannot be hashed
            return read(function, name)
        if not is_known:
            known[key] = read(function, name)
        return known[key]

    return lookup


@pytest.fixture(scope="session")
def _utf8_known_at_once() -> Iterator[None]:
    """Hypothesis tries every character to learn which UTF-8 can encode, all but surrogates: 3 s per test process."""
    find = charmap.intervals_from_codec
    known = IntervalSet(((0, 0xD7FF), (0xE000, sys.maxunicode))), IntervalSet(())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charmap, "intervals_from_codec", lambda codec: known if codec == "utf-8" else find(codec))
        yield


@pytest.fixture(scope="session")
def _sqlite_migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new SQLite file is a copy of one that was migrated: 0.5 ms instead of 25. `tests/store` migrates each."""

    @cache
    def migrate_one() -> bytes:
        path = tmp_path_factory.mktemp("migrated") / "metier.sqlite3"
        create_empty_database(path)
        with create_engine(f"sqlite:///{path}").begin() as connection:
            _migrate.migrate(connection)
        with closing(sqlite3.connect(path)) as driver:
            driver.execute("PRAGMA journal_mode = WAL")
        return path.read_bytes()

    def create_database(path: Path) -> None:
        fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.new")
        fresh.touch(0o600)
        fresh.write_bytes(migrate_one())
        with suppress(FileExistsError):  # another process was faster
            path.hardlink_to(fresh)
        fresh.unlink()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sqlite, "_create_database", create_database)
        yield


@pytest.fixture(scope="session")
def _sqlite_not_synced() -> Iterator[None]:
    """No test pulls the plug of the machine: a test process does not wait for the disk. `tests/store` does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sqlite, "_SYNCHRONOUS", {"normal": "OFF", "full": "OFF"})
        yield


@pytest.fixture(scope="session")
def _files_not_synced() -> Iterator[None]:
    """No test pulls the plug of the machine: a written file need not be on the disk before its test goes on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="session")
def _statements_compiled_once() -> Iterator[None]:
    """A statement is compiled once for all SQLite files: 2 ms, and a turn has twenty."""
    first = create_engine("sqlite://", query_cache_size=4_000)
    first.connect().close()  # the dialect learns the version

    def create_sharing(*arguments: Any, **options: Any) -> Engine:
        engine = create_engine(*arguments, **options)
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sqlite, "create_engine", create_sharing)
        yield


@pytest.fixture(scope="session")
def _shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of all processes of a test run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def _texts_embedded_once(_shared_folder: Path) -> Iterator[None]:
    """Each test has a storage of its own, and the same skills: to embed those of the packs takes a second.

    Kept are the rows of whole calls: those of one text may differ in the last digits with what is embedded beside it.
    """
    with pytest.MonkeyPatch.context() as patch:
        for kind in (UseEmbedder, MiniLmEmbedder):
            patch.setattr(kind, "embed", _embed_once(kind.embed, _shared_folder))
        yield


def _embed_once(embed: Callable[[Any, Sequence[str]], Floats], shared: Path) -> Callable[[Any, Sequence[str]], Floats]:
    """`embed`, called once for the same texts; the rows of many, such as a catalog's, are shared by all processes."""
    known: dict[tuple[str, bool, tuple[str, ...]], Floats] = {}

    @wraps(embed)
    def lookup(embedder: Any, texts: Sequence[str]) -> Floats:
        key = (embedder.name, embedder._mapped, tuple(texts))
        if key not in known:
            known[key] = compute(embedder, texts) if len(texts) >= _MANY_TEXTS else embed(embedder, texts)
        return known[key].copy()

    def compute(embedder: Any, texts: Sequence[str]) -> Floats:
        words = repr((embedder.name, embedder._mapped, list(texts)))
        path = shared / f"rows-{sha256(words.encode('utf-8', 'backslashreplace')).hexdigest()}.npy"
        if path.exists():
            return cast("Floats", np.load(path))
        rows = embed(embedder, texts)
        written = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.npy")
        np.save(written, rows)
        written.replace(path)
        return rows

    return lookup


@pytest.fixture(scope="session")
def _offsets_computed_once(_shared_folder: Path) -> Iterator[None]:
    """A storage remembers the offsets of a catalog, but each test has a new one: 0.5 s for that of all packs."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("compute_offset", "compute_caution"):
            patch.setattr(_calibration, name, _compute_once(name, _shared_folder))
        yield


def _compute_once(name: str, shared: Path) -> Callable[..., float]:
    compute, known = getattr(_calibration, name), dict[str, float]()

    def lookup(index: RoutingIndex, heads: Any, views: tuple[str, ...], *more: float) -> float:
        if not isinstance(heads, Heads):
            return float(compute(index, heads, views, *more))
        key = "-".join([build_offset_key(index, heads, views), *map(str, more)])
        path = shared / f"{name}-{key}"
        if key not in known:
            known[key] = float(path.read_text()) if path.exists() else compute(index, heads, views, *more)
            written = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
            written.write_text(repr(float(known[key])))
            written.replace(path)
        return known[key]

    return lookup


@pytest.fixture(scope="session")
def _templates_compiled_once() -> Iterator[None]:
    """The prompts of most tests are the shipped ones; to compile one takes 5 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_prompts, "compile_template", lru_cache(compile_template))
        yield


@pytest.fixture(scope="session")
def _patterns_looked_for_once() -> Iterator[None]:
    """A server that is ready looks for patterns that are not compiled: 20 ms, and only new modules have some."""
    find, known = _later._list_waiting, dict[str, int]()

    def find_new(package: str) -> list[_later._LaterPattern]:
        if known.get(package) == len(sys.modules):
            return []
        known[package] = len(sys.modules)
        return find(package)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_later, "_list_waiting", find_new)
        yield


@pytest.fixture(scope="session")
def _patterns_compiled_once() -> Iterator[None]:
    """`re` keeps 512 patterns, as many as a few tables of orders have: most would be compiled anew for each case."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(re, "_MAXCACHE", _MAX_PATTERNS)
        yield


@pytest.fixture(scope="session")
def _skills_read_once() -> Iterator[None]:
    """The skills of packs and examples do not change while tests run: to read those of all packs takes 0.2 s.

    One is read anew if a file of it was touched after this began, as those are that a test writes.
    """
    read, since_ns = cache(read_skill), time.time_ns()

    def read_once(candidate: SkillCandidate, *mode: Any) -> ReadResult:
        is_old = all(file.ctime_ns < since_ns for file in candidate.files)
        return read(candidate, *mode) if is_old else read_skill(candidate, *mode)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_library, "read_skill", read_once)
        yield


@pytest.fixture(scope="session")
def _certificates_read_once() -> Iterator[None]:
    """Each client of a model or a server reads the certificates that it trusts: 45 ms, and most tests have a new one.

    Shared is what `httpx` and its successor read for a client that is given nothing else.
    """
    create, trusted = ssl.create_default_context, cache(ssl.create_default_context)

    def create_sharing(purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH, **files: Any) -> ssl.SSLContext:
        is_usual = purpose is ssl.Purpose.SERVER_AUTH and files == {"cafile": certifi.where()}
        return trusted(cafile=certifi.where()) if is_usual else create(purpose, **files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", create_sharing)
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield

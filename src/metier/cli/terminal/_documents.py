"""Files of `metier run --document`: attached to the conversation, and written back beside the originals.

The original is never written to, unless `--in-place` says so; then its bytes are kept in a backup beside it.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from metier.errors import InvalidInput, PathNotFound, TooLarge
from metier.json_values import JsonInvalid, JsonObject, load_json

if TYPE_CHECKING:
    from metier.attachments import Attachment
    from metier.settings import Settings

_RECORD: Final = ".origins.json"
_WRITTEN: Final = "documents"
_MIN_MAX_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class _Origin:
    """File that was attached from this machine, and the digest of what was written back last."""

    path: str
    file: str
    sha256: str
    in_place: bool = False
    taken: str = ""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """File that was written on this machine; `backup` has the bytes before, if there were any."""

    file: Path
    backup: Path | None = None


def attach_documents(
    workspace: Path, files: Sequence[Path], settings: "Settings", *, in_place: bool
) -> "tuple[Attachment, ...]":
    """Attach files to the conversation of this workspace, and remember where they came from."""
    from metier.attachments import add_attachment
    from metier.workspaces import WorkspaceQuota

    max_bytes = _get_max_bytes(settings)
    contents = [(file, _read(file, max_bytes)) for file in files]  # all of them, before the first is attached
    quota = WorkspaceQuota(settings.workspace_max_bytes, settings.workspace_max_files)
    known, made = _read_origins(workspace), []
    for file, content in contents:
        one = add_attachment(workspace, file.name, content, max_bytes=max_bytes, quota=quota)
        known.append(_Origin(one.path, str(file.resolve()), _digest(content), in_place))
        made.append(one)
    _write_origins(workspace, known)
    return tuple(made)


def take_written_documents(workspace: Path) -> tuple[WrittenFile, ...]:
    """Copy what tools wrote into `documents/` to where the attached files came from; each version once."""
    known = _read_origins(workspace)
    if not known:
        return ()
    folder = workspace / _WRITTEN
    current = {one.name: one for one in sorted(folder.glob("*")) if one.is_file()} if folder.is_dir() else {}
    written: list[WrittenFile] = []
    kept: list[_Origin] = []
    for origin in known:
        found = current.pop(_written_name(origin), None)
        content = found.read_bytes() if found is not None else b""
        digest = _digest(content)
        is_undone = digest == origin.sha256 and not origin.in_place
        if found is None or is_undone or digest == (origin.taken or origin.sha256):
            kept.append(origin)
            continue
        with _tell_unwritable(found, Path(origin.file).parent):
            written.append(_write_back(origin, found.name, content))
        kept.append(replace(origin, taken=digest))
    home = Path(known[0].file).parent
    news = [one for one in current.values() if not any(other.path == f"{_WRITTEN}/{one.name}" for other in known)]
    for one in news:
        content = one.read_bytes()
        with _tell_unwritable(one, home):
            target = _write_new(home / one.name, content)
        written.append(WrittenFile(target))
        kept.append(_Origin(f"{_WRITTEN}/{one.name}", str(target), _digest(content), taken=_digest(content)))
    _write_origins(workspace, kept)
    return tuple(written)


@contextmanager
def _tell_unwritable(kept: Path, folder: Path) -> Iterator[None]:
    """A folder that takes no files is the user's to mend; the result is not lost."""
    try:
        yield
    except OSError as error:
        message = f"nothing could be written in {str(folder)!r}: {error.strerror}"
        raise InvalidInput(message, hint=f"the result is kept in {str(kept)!r}; copy it from there") from error


def _write_back(origin: _Origin, name: str, content: bytes) -> WrittenFile:
    file = Path(origin.file)
    same_kind = file.suffix.lower() == PurePosixPath(name).suffix.lower()
    if not origin.in_place or not same_kind or not file.exists():
        return WrittenFile(_write_new(find_free_name(file.with_suffix(PurePosixPath(name).suffix), ".v"), content))
    before = file.read_bytes()
    if _digest(before) not in (origin.sha256, origin.taken):
        raise InvalidInput(
            f"{file.name!r} was changed by somebody else since it was attached",
            hint="leave --in-place out: the result is then written beside it",
        )
    if not file.stat().st_mode & 0o222:
        raise InvalidInput(
            f"{file.name!r} is read-only", hint="leave --in-place out: the result is then written beside it"
        )
    backup = _write_new(find_free_name(file, ".bak"), before)
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_bytes(content)
    os.chmod(fresh, file.stat().st_mode & 0o777)  # noqa: PTH101 - a mode as a number, as `stat` gives it
    fresh.replace(file)
    return WrittenFile(file, backup)


def find_free_name(file: Path, mark: str) -> Path:
    """`name.v1.docx` beside `name.docx`, or the first number that is not taken."""
    numbers = (file.with_name(f"{file.stem}{mark}{number}{file.suffix}") for number in range(1, 100_000))
    return next(one for one in numbers if not one.exists())


def _write_new(file: Path, content: bytes) -> Path:
    target = file if not file.exists() else find_free_name(file, ".v")
    with target.open("xb") as stream:
        stream.write(content)
    return target


def _written_name(origin: _Origin) -> str:
    name = PurePosixPath(origin.path).name.partition("-")[2]
    file = PurePosixPath(name)
    return f"{file.stem}.docx" if file.suffix.lower() in (".txt", ".md") else name


def check_documents(files: Sequence[Path], settings: "Settings") -> None:
    """Raise for a file that cannot be attached, before anything is opened or made for it."""
    for file in files:
        _read(file, _get_max_bytes(settings), whole=False)


def _get_max_bytes(settings: "Settings") -> int:
    """Files of this machine do not travel: more of them fits than through the page."""
    return max(settings.attachment_max_bytes, _MIN_MAX_BYTES)


def _read(file: Path, max_bytes: int, *, whole: bool = True) -> bytes:
    try:
        size_bytes = file.stat().st_size
        if size_bytes > max_bytes:  # before a gigabyte is read
            hint = f"attach files of up to {max_bytes // 1024 // 1024} MB; METIER_ATTACHMENT_MAX_BYTES can be raised"
            raise TooLarge(f"{file.name[:80]!r} has {size_bytes} bytes; the most is {max_bytes}", hint=hint)
        with file.open("rb") as opened:
            return opened.read() if whole else b""
    except IsADirectoryError:
        raise PathNotFound(f"{str(file)!r} is a folder", hint="name a file") from None
    except OSError as error:
        message = f"{str(file)!r} cannot be read: {error.strerror}"
        raise PathNotFound(message, hint="check the path of the document") from error


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_origins(workspace: Path) -> list[_Origin]:
    try:
        listed = load_json((workspace / _RECORD).read_text("utf-8"))
    except (OSError, JsonInvalid):
        return []
    return list(_iter_origins(listed if isinstance(listed, list) else []))


def _iter_origins(listed: Sequence[object]) -> Iterator[_Origin]:
    for one in listed:
        if isinstance(one, Mapping) and all(isinstance(one.get(key), str) for key in ("path", "file", "sha256")):
            taken = one.get("taken")
            yield _Origin(
                str(one["path"]),
                str(one["file"]),
                str(one["sha256"]),
                one.get("in_place") is True,
                taken if isinstance(taken, str) else "",
            )


def _write_origins(workspace: Path, known: Sequence[_Origin]) -> None:
    rows: list[JsonObject] = [asdict(one) for one in known]
    workspace.mkdir(parents=True, exist_ok=True)
    (workspace / _RECORD).write_text(json.dumps(rows, ensure_ascii=False), "utf-8")

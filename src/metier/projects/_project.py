"""A project of a conversation: a copy to work in, what it was copied from, and the way back.

The copy lies in the conversation's workspace, where sandboxed programs may write. What says where it came from and how
it was lies outside, in the storage folder, out of their reach.
"""

import fcntl
import json
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from metier.json_values import JsonInvalid, JsonObject, load_json
from metier.projects._changes import ChangedFile
from metier.projects._copy import CopyReport, copy_folder, scan_folder
from metier.projects._files import StoredFile, digest, read_file
from metier.projects._journal import EditJournal, FileEdit
from metier.projects._problems import ProjectProblem

PROJECT_FOLDER: Final = "project"
_STORAGE: Final = "projects"
_RECORD: Final = "record.json"
LastAction = Literal["", "edit", "write"]


@dataclass(frozen=True, slots=True)
class Project:
    """The project of one conversation.

    `origin` is the folder it was copied from; None for a sample and for a project that was uploaded.
    """

    name: str
    copy: Path
    state: Path
    origin: Path | None = None
    sample: str = ""

    @property
    def is_uploaded(self) -> bool:
        """Whether it came as files of a user's own: its changes go back as a file too."""
        return self.origin is None and not self.sample

    @property
    def edits(self) -> EditJournal:
        """Edits of the copy."""
        return EditJournal(self.copy, self.state / "edits")

    @property
    def writes(self) -> EditJournal:
        """Writes to the folder that the project came from."""
        if self.origin is None:
            raise ProjectProblem("no_origin")
        return EditJournal(self.origin, self.state / "writes")

    def list_files(self) -> dict[str, StoredFile]:
        """Text files of the copy as they are now."""
        return scan_folder(self.copy).files

    def measure_bytes(self) -> int:
        """Size of the copy; a project that has grown over a limit is measured too."""
        return sum(one.lstat().st_size for one in self.copy.rglob("*") if one.is_file() and not one.is_symlink())

    def read(self, path: str) -> StoredFile | None:
        """A file of the copy; None if there is none."""
        return read_file(self.copy, path)

    def edit(self, edits: Sequence[FileEdit]) -> int:
        """Change files of the copy, all or none; returns the number of the edit."""
        number = self.edits.apply(edits)
        self._push_action("edit")
        return number

    def find_changes(self, *, written: bool = False) -> tuple[ChangedFile, ...]:
        """Differences of the copy from the copied bytes; with `written`, from what the folder has by our last write."""
        base = self._read_base(written=written)
        now = self.list_files() if self.copy.is_dir() else {}
        for path in base.keys() - now.keys():  # what a rule or a limit hides from the scan may still be there
            if (found := read_file(self.copy, path)) is not None:
                now[path] = found
        paths = sorted(base.keys() | now.keys())
        pairs = ((path, base.get(path), now[path].content if path in now else None) for path in paths)
        return tuple(ChangedFile(path, before, after) for path, before, after in pairs if before != after)

    def find_unwritten(self) -> tuple[ChangedFile, ...]:
        """Differences of the copy from the folder it came from, as far as this conversation knows it."""
        return self.find_changes(written=True)

    def write_back(self, paths: Collection[str] | None = None) -> tuple[ChangedFile, ...]:
        """Write changed files to the folder: all or none, and only if nobody changed them since they were copied."""
        changes = [one for one in self.find_unwritten() if paths is None or one.path in paths]
        if not changes:
            raise ProjectProblem("nothing_to_write")
        edits = [FileEdit(one.path, one.after, None if one.before is None else digest(one.before)) for one in changes]
        self.writes.apply(edits)
        self._save_written({one.path: one.after for one in changes})
        self._push_action("write")
        return tuple(changes)

    def deliver(self, changes: Sequence[ChangedFile]) -> None:
        """Remember that the user of an uploaded project was given these changes as a file."""
        self._save_written({one.path: one.after for one in changes})

    def undo_write(self) -> tuple[str, ...]:
        """Give the folder exactly the bytes it had before the last write."""
        paths = self.writes.undo()
        found = {path: read_file(self.writes.root, path) for path in paths}
        self._save_written({path: one.content if one else None for path, one in found.items()})
        self._pop_action("write")
        return paths

    def undo_edit(self) -> tuple[str, ...]:
        """Give the copy the bytes it had before the last edit."""
        paths = self.edits.undo()
        self._pop_action("edit")
        return paths

    @property
    def last_action(self) -> LastAction:
        """What would be undone now: the last write to the folder, or the last edit of the copy."""
        actions = self._load().get("actions")
        last = actions[-1] if isinstance(actions, list) and actions else ""
        return "write" if last == "write" else "edit" if last == "edit" else ""

    def _load(self) -> JsonObject:
        return _read_record(self.state) or {}

    def _push_action(self, action: LastAction) -> None:
        record = self._load()
        known = record.get("actions")
        self._save({**record, "actions": [*(known if isinstance(known, list) else ()), action]})

    def _pop_action(self, action: LastAction) -> None:
        record = self._load()
        known = record.get("actions")
        actions = list(known) if isinstance(known, list) else []
        if action in actions:
            del actions[len(actions) - 1 - actions[::-1].index(action)]
        self._save({**record, "actions": actions})

    def _save(self, record: JsonObject) -> None:
        fresh = self.state / f"{_RECORD}.new"
        fresh.write_text(json.dumps(record, ensure_ascii=False, default=dict), "utf-8")
        fresh.replace(self.state / _RECORD)

    def _read_base(self, *, written: bool) -> dict[str, bytes]:
        record = self._load()
        files, later = record.get("files"), record.get("written")
        wanted: dict[str, str] = {}
        for listed in (files, later if written else None):
            for path, sha256 in listed.items() if isinstance(listed, dict) else ():
                if isinstance(sha256, str):
                    wanted[path] = sha256
                else:
                    wanted.pop(path, None)
        return {path: (self.state / "base" / sha256).read_bytes() for path, sha256 in wanted.items()}

    def _save_written(self, contents: dict[str, bytes | None]) -> None:
        """Remember what the folder has now, so that the next comparison starts from there."""
        for content in contents.values():
            if content is not None:
                (self.state / "base" / digest(content)).write_bytes(content)
        record = self._load()
        known = record.get("written")
        later = {path: None if content is None else digest(content) for path, content in contents.items()}
        self._save({**record, "written": {**(known if isinstance(known, dict) else {}), **later}})


def open_project(storage: Path, workspace: Path) -> Project | None:
    """The project of the conversation with this workspace; None if it has none."""
    state = _state_folder(storage, workspace)
    record = _read_record(state)
    copy = workspace / PROJECT_FOLDER
    if record is None or not copy.is_dir():
        return None
    origin = record.get("origin")
    return Project(
        str(record.get("name")),
        copy,
        state,
        Path(origin) if isinstance(origin, str) and origin else None,
        str(record.get("sample") or ""),
    )


def add_project(
    storage: Path, workspace: Path, source: Path, *, name: str = "", sample: str = "", has_origin: bool = True
) -> CopyReport:
    """Copy a folder into a conversation as its project; it replaces one without changes.

    A sample, and what `has_origin` is false for, has no way back: nothing is ever written to the folder it came from.
    """
    folder = source.expanduser().resolve()
    if not folder.is_dir():
        raise ProjectProblem("folder_not_found", path=str(source))
    with _hold(storage, workspace):
        return _replace_project(storage, workspace, folder, name=name, sample=sample, has_origin=has_origin)


@contextmanager
def _hold(storage: Path, workspace: Path) -> Iterator[None]:
    """Keep others, also other processes, from changing the project of this conversation meanwhile."""
    place = storage / _STORAGE
    place.mkdir(parents=True, exist_ok=True)
    with (place / f".{workspace.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _replace_project(
    storage: Path, workspace: Path, folder: Path, *, name: str, sample: str, has_origin: bool
) -> CopyReport:
    known = open_project(storage, workspace)
    if known is not None and not known.sample and known.find_unwritten():
        raise ProjectProblem("unsaved_changes", path=known.name)
    state, copy = _state_folder(storage, workspace), workspace / PROJECT_FOLDER
    fresh = workspace / f".{PROJECT_FOLDER}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    report = copy_folder(folder, fresh)
    shutil.rmtree(state, ignore_errors=True)
    shutil.rmtree(copy, ignore_errors=True)
    (state / "base").mkdir(parents=True)
    for one in report.files.values():
        (state / "base" / one.sha256).write_bytes(one.content)
    fresh.rename(copy)
    record: JsonObject = {
        "name": name or folder.name or str(folder),
        "origin": str(folder) if has_origin and not sample else "",
        "sample": sample,
        "files": {path: one.sha256 for path, one in report.files.items()},
    }
    Project(str(record["name"]), copy, state)._save(record)
    return report


def delete_project(storage: Path, workspace: Path) -> None:
    """Forget the project of a conversation; the copy in the workspace and the folder it came from stay."""
    with _hold(storage, workspace):
        shutil.rmtree(_state_folder(storage, workspace), ignore_errors=True)


def _state_folder(storage: Path, workspace: Path) -> Path:
    return storage / _STORAGE / workspace.name


def _read_record(state: Path) -> JsonObject | None:
    try:
        found = load_json((state / _RECORD).read_text("utf-8"))
    except (OSError, JsonInvalid):
        return None
    return found if isinstance(found, dict) else None

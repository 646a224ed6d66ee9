"""Programs that carry out a plan on a document. Today files are edited directly; a running WPS can be added later."""

import shutil
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, Protocol

from metier.json_values import JsonObject
from metier.language import BilingualText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metier.packs.office.plan import HostApp, OfficeAction, OfficePlan

__all__ = [
    "Change",
    "Execution",
    "FileRun",
    "Host",
    "Selection",
    "SkippedAction",
    "WriteMode",
    "WriteRequest",
    "find_host_app",
    "host_for",
]

WriteMode = Literal["direct", "tracked", "compare_table"]


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user selected: an address as the reader gives it, and characters within its text.

    `address` is a piece of a document (`p12`), a range of a sheet (`Sheet1!B2:D9`) or a slide (`s3`). The cursor is a
    selection whose `start` and `end` are equal; `end` None means the end of the piece.
    """

    address: str
    start: int = 0
    end: int | None = None
    last_address: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One place that a plan changes. The id is the same in the dry run and in the write, so that it can be chosen."""

    id: str
    action_id: str
    op: str
    address: str
    title: BilingualText
    before: str = ""
    after: str = ""
    places: int = 1  # paragraphs that the change is made in; `address` is the first of them

    def to_json(self) -> JsonObject:
        return {
            "id": self.id,
            "action_id": self.action_id,
            "op": self.op,
            "address": self.address,
            "title": self.title.to_json(),
            "before": self.before,
            "after": self.after,
            **({"places": self.places} if self.places > 1 else {}),
        }


@dataclass(frozen=True, slots=True)
class SkippedAction:
    """An action, or one change of it, that was not carried out, and why."""

    action_id: str
    op: str
    code: str
    reason: BilingualText

    def to_json(self) -> JsonObject:
        return {"action_id": self.action_id, "op": self.op, "code": self.code, "reason": self.reason.to_json()}


@dataclass(frozen=True, slots=True)
class Execution:
    """Result of a plan on one file. With `unchanged` the target has exactly the bytes of the source."""

    changes: tuple[Change, ...] = ()
    skipped: tuple[SkippedAction, ...] = ()
    warnings: tuple[BilingualText, ...] = ()
    unchanged: bool = False

    def to_json(self) -> JsonObject:
        return {
            "changes": [change.to_json() for change in self.changes],
            "skipped": [one.to_json() for one in self.skipped],
            "warnings": [warning.to_json() for warning in self.warnings],
            "unchanged": self.unchanged,
        }


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """How a plan is to be written. `chosen` are ids of changes; None means all."""

    mode: WriteMode = "direct"
    chosen: frozenset[str] | None = None
    selection: Selection | None = None
    author: str = "Metier"
    at: datetime | None = None
    style: JsonObject = field(default_factory=dict, hash=False)


class Host(Protocol):
    """Carries out plans of one kind of document."""

    @property
    def name(self) -> "HostApp":
        """`wps` for documents, `et` for sheets, `wpp` for slides."""
        ...

    def execute(self, plan: "OfficePlan", source: Path, target: Path, *, request: WriteRequest) -> Execution:
        """Write the source as changed by the plan to the target, which may not be the source."""
        ...

    def dry_run(self, plan: "OfficePlan", source: Path, *, request: WriteRequest) -> Execution:
        """Changes that the plan would make; no file is written."""
        ...


class FileRun(Protocol):
    """One plan on one opened file: what each kind of document does in its own way."""

    changes: list[Change]
    skipped: list[SkippedAction]
    warnings: list[BilingualText]

    def is_carried_out(self) -> bool:
        """Whether the file keeps a note that this very plan made it what it is."""
        ...

    def carry_out(self, action: "OfficeAction", path: str) -> None:
        """Do one step; `path` is where it stands in the plan."""
        ...

    def finish(self) -> None:
        """Do what follows from all steps together."""
        ...

    def build_comparison(self) -> "OfficePlan":
        """Plan that writes a table of the changes instead of them."""
        ...

    def is_changed(self) -> bool:
        """Whether a part of the file is another one now."""
        ...

    def save(self, target: Path) -> None:
        """Write the file, with a note of the plan where a second run would do more."""
        ...


@dataclass(frozen=True, slots=True)
class FileHost:
    """Host that edits files: the way of every plan, with the `open_run` of a sibling package for its kind."""

    name: "HostApp"
    module: str

    def execute(self, plan: "OfficePlan", source: Path, target: Path, *, request: WriteRequest) -> Execution:
        """Write the source as changed by the plan; if nothing changes, the target has exactly the source's bytes.

        `OfficeFileError` if the file cannot be opened or may not be changed, `PlanStepError` with the step that fails.
        """
        return self._carry_out(plan, source, target, request)

    def dry_run(self, plan: "OfficePlan", source: Path, *, request: WriteRequest) -> Execution:
        return self._carry_out(plan, source, None, request)

    def _carry_out(self, plan: "OfficePlan", source: Path, target: Path | None, request: WriteRequest) -> Execution:
        """Carry a plan out; without a target nothing is written: to pack a file took a third of a dry run."""
        run: FileRun = import_module(self.module).open_run(plan, source, request)
        if run.is_carried_out():
            return _leave_as_it_is(source, target)
        for number, action in enumerate(plan.actions):
            run.carry_out(action, f"actions[{number}]")
        run.finish()
        if request.mode == "compare_table" and run.changes:
            return self._write_comparison(run, source, target, request)
        if not run.is_changed():
            return replace(_leave_as_it_is(source, target), skipped=tuple(run.skipped), warnings=tuple(run.warnings))
        if target is not None:
            run.save(target)
        return Execution(tuple(run.changes), tuple(run.skipped), tuple(run.warnings))

    def _write_comparison(self, run: FileRun, source: Path, target: Path | None, request: WriteRequest) -> Execution:
        table = run.build_comparison()
        done = self._carry_out(table, source, target, replace(request, mode="direct", chosen=None, selection=None))
        warnings = tuple(dict.fromkeys((*run.warnings, *done.warnings)))
        changes = () if done.unchanged else tuple(run.changes)
        return Execution(changes, tuple(run.skipped), warnings, unchanged=done.unchanged)


def _leave_as_it_is(source: Path, target: Path | None) -> Execution:
    if target is not None:
        shutil.copyfile(source, target)
    return Execution(unchanged=True)


_PACKAGE: Final = "metier.packs.office"
_HOSTS: "Final[Mapping[str, FileHost]]" = MappingProxyType(
    {
        "wps": FileHost("wps", f"{_PACKAGE}.writer"),
        "et": FileHost("et", f"{_PACKAGE}.sheets"),
        "wpp": FileHost("wpp", f"{_PACKAGE}.slides"),
    }
)
_ENDINGS: "Final[Mapping[HostApp, tuple[str, ...]]]" = MappingProxyType(
    {
        "wps": (".docx", ".docm", ".dotx", ".dotm"),
        "et": (".xlsx", ".xlsm", ".xltx", ".xltm"),
        "wpp": (".pptx", ".pptm", ".potx", ".potm", ".ppsx"),
    }
)
_SUFFIXES: "Final[Mapping[str, HostApp]]" = MappingProxyType(
    {ending: app for app, endings in _ENDINGS.items() for ending in endings}
)


def find_host_app(path: Path) -> "HostApp | None":
    """Host of a file by its ending; None if plans cannot change such a file."""
    return _SUFFIXES.get(path.suffix.lower())


def host_for(name: "Path | HostApp") -> Host:
    """Host of a file or of a plan's `host_app`; `KeyError` if there is none."""
    app = find_host_app(name) if isinstance(name, Path) else name
    return _HOSTS[app or ""]

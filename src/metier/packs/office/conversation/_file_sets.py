"""Many files from one template: one row of the preview and one new file for each entry of a plan."""

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, shorten_text
from metier.packs.office.conversation._documents import FOLDER, HOST_APPS, ConversationDocument
from metier.packs.office.conversation._plans import KeptPlan, build_plan, check_plan
from metier.packs.office.conversation._preview import ROWS, ChosenChange, select_ids
from metier.packs.office.conversation._problems import DocumentProblem
from metier.packs.office.conversation._texts import TEXTS
from metier.tools import Preview, PreviewColumn, PreviewRow

if TYPE_CHECKING:
    from metier.packs.office.plan import OfficePlan

_SETS: Final = ".versions/sets.json"
_COLUMNS: Final = (
    PreviewColumn("file", BilingualText("新文件", "New file")),
    PreviewColumn("after", BilingualText("填入", "Filled in"), role="new"),
)


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that a kept plan makes from a document, which stays as it is."""

    workspace: Path
    kept: KeptPlan
    language: Language

    @property
    def document(self) -> ConversationDocument:
        return self.kept.target

    def preview(self) -> Preview:
        """One row for each file, with the values that are filled in."""
        rows = tuple(
            PreviewRow(f"f{at}", {"file": name, "after": _list_values(actions, str(one.get("gaps") or ""))})
            for at, (one, (name, actions)) in enumerate(zip(self.kept.files, self._list_files(), strict=True), 1)
        )
        name, total = self.document.name, len(rows)
        return Preview(
            BilingualText(
                f"将按「{name}」新建 {total} 个文件；模板保持原样，可以撤销。",
                f"{total} new files would be made from {name!r}; the template stays as it was, and this can be undone.",
            ),
            _COLUMNS,
            rows,
            chosen_as=ROWS,
        )

    def write(self, rows: Sequence[ChosenChange] | None) -> JsonObject:
        """Make the ticked files."""
        from metier.packs.office._hosts import WriteRequest, host_for
        from metier.packs.office.files import replace_file

        chosen, started = select_ids(rows), time.monotonic()
        host, made = host_for(HOST_APPS[self.document.kind]), dict[str, str]()
        folder = self.workspace / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for at, (name, actions) in enumerate(self._list_files(), 1):
            if chosen is not None and f"f{at}" not in chosen:
                continue
            content = (self.workspace / self.document.current).read_bytes()
            if actions:  # none where every value of the row is missing
                fresh = folder / f".{name}"
                host.execute(self._load(actions), self.workspace / self.document.current, fresh, request=WriteRequest())
                content = fresh.read_bytes()
                fresh.unlink()
            replace_file(folder / name, content)
            made[name] = hashlib.sha256(content).hexdigest()
        known = _read_sets(self.workspace)
        _write_sets(self.workspace, {**known, self.kept.source: {**known.get(self.kept.source, {}), **made}})
        summary = TEXTS.render("made_files", self.language, count=len(made), name=self.document.name)
        return {
            "document": self.kept.source,
            "written": len(made),
            "version": 1,
            "summary": summary,
            "execution": {
                "host_app": self.document.host,
                "mode": "direct",
                "plan": self.kept.name,
                "skill": self.kept.task,
                "ok": True,
                "applied": len(made),
                "operations": {"fill_template": len(made)},
                "elapsed_ms": round((time.monotonic() - started) * 1000, 1),
            },
        }

    def _load(self, actions: Sequence[JsonObject]) -> "OfficePlan":
        loaded = check_plan(build_plan(self.document.host, actions, self.kept.task), self.document, self.language)
        assert loaded.plan is not None, "check_plan refuses a plan with problems"
        return loaded.plan

    def _list_files(self) -> Iterator[tuple[str, Sequence[JsonObject]]]:
        for one in self.kept.files:
            yield self._find_free(str(one["name"])), one["actions"]

    def _find_free(self, stem: str) -> str:
        """A name that no file of the conversation has: one made from another template or other rows stays."""
        names = (f"{stem}{end}.{self.document.kind}" for end in chain([""], (f"-{at}" for at in count(2))))
        return next(name for name in names if not (self.workspace / FOLDER / name).exists())


def undo_file_set(workspace: Path, document: ConversationDocument) -> int:
    """Remove the files that were made from a template and not changed since; returns how many there were."""
    known = _read_sets(workspace)
    made = known.pop(document.id, {})
    if not made:
        raise DocumentProblem("nothing_to_undo", name=document.name)
    gone = 0
    for name, digest in made.items():
        file = workspace / FOLDER / name
        if file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == digest:
            file.unlink()
            gone += 1
    _write_sets(workspace, known)
    return gone


def has_file_set(workspace: Path, document: ConversationDocument) -> bool:
    """Whether files were made from this document and not taken back."""
    return bool(_read_sets(workspace).get(document.id))


def _list_values(actions: Sequence[JsonObject], gaps: str) -> str:
    """Values that are filled in, those of blanks and brackets too; before them what is missing."""
    told: list[str] = [f"⚠ {gaps}"] if gaps else []
    for one in actions:
        values = one.get("values")
        if isinstance(values, dict):
            told += [f"{name}: {value}" for name, value in values.items()]
        elif one.get("op") == "replace_text":
            told.append(str(one.get("title") or one.get("replace_text")))
    return shorten_text("; ".join(told), 400)


def _read_sets(workspace: Path) -> dict[str, dict[str, str]]:
    try:
        found: dict[str, dict[str, str]] = json.loads((workspace / _SETS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _write_sets(workspace: Path, sets: dict[str, dict[str, str]]) -> None:
    file = workspace / _SETS
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(sets, ensure_ascii=False), "utf-8")

"""Writes a plan to a document of the conversation: dry run, write as a version, undo."""

import hashlib
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, choose, join_names
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.conversation._documents import (
    HOST_APPS,
    ConversationDocument,
    list_documents,
    read_bytes,
    require_document,
    working_path,
)
from metier.packs.office.conversation._file_sets import FileSet, has_file_set, undo_file_set
from metier.packs.office.conversation._plans import KEEPS_SLIDES, KeptPlan, check_plan, find_template, read_plan
from metier.packs.office.conversation._preview import (
    ChosenChange,
    build_preview,
    label_pieces,
    list_failed,
    select_ids,
)
from metier.packs.office.conversation._problems import DocumentProblem
from metier.packs.office.conversation._reading import text_to_docx
from metier.packs.office.conversation._texts import MODES, TEXTS
from metier.packs.office.conversation._versions import (
    BLANK,
    count_writes,
    describe_nothing_left,
    digest_document,
    find_write,
    open_versions,
    undo_version,
)
from metier.packs.office.files import decode_text
from metier.tools import Preview

if TYPE_CHECKING:
    from metier.packs.office._hosts import Execution, Host, WriteMode, WriteRequest
    from metier.packs.office.plan import LoadedPlan, OfficePlan


@dataclass(frozen=True, slots=True)
class PlanWriter:
    """A kept plan with the document that it is written to. `document` is the file as the preview saw it."""

    workspace: Path
    document: ConversationDocument
    kept: KeptPlan
    loaded: "LoadedPlan"
    mode: "WriteMode"
    language: Language

    @classmethod
    def open(cls, workspace: Path, document: str, plan: str, mode: "WriteMode", language: Language) -> Self:
        """Read the plan and check that it is for this document, and that the document is as it was."""
        kept = read_plan(workspace, plan)
        target = kept.target
        asked = {document, *(one.id for one in _find(workspace, document))}
        if not asked & {kept.source, target.id, target.name}:
            raise DocumentProblem("plan_of_other_document")
        is_own = find_write(workspace, target)[1].partition(" #")[0] == _title_of(kept, mode, None)
        if digest_document(workspace, target) != kept.sha256 and not is_own:
            raise DocumentProblem("document_changed", name=target.name)
        return cls(workspace, target, kept, check_plan(kept.value, target, language), mode, language)

    def preview(self) -> Preview:
        """What writing would change, found on a copy."""
        with self._source() as source:
            execution = self._host.dry_run(self._plan, source, request=self._request(None))
            number, title = find_write(self.workspace, self.document)
            if number and execution.unchanged and title == _title_of(self.kept, self.mode, None):
                raise DocumentProblem("already_written", name=self.document.name, version=number)
            return build_preview(self.document, execution, self.mode, label_pieces(source), self.language)

    def dry_run(self) -> "Execution":
        """Changes that the plan would make."""
        with self._source() as source:
            return self._host.dry_run(self._plan, source, request=self._request(None))

    def is_done(self) -> bool:
        """Whether the document has all of the plan's changes already; a plan that cannot be carried out is not done."""
        execution = self.dry_run()
        return (execution.unchanged or not execution.changes) and not list_failed(execution)

    def write(self, rows: Sequence[ChosenChange] | None) -> JsonObject:
        """Write the ticked changes as a new version; the result is the receipt."""
        from metier.packs.office.files import write_document

        request, started = self._request(select_ids(rows)), time.monotonic()
        wanted = _title_of(self.kept, self.mode, request.chosen)
        number, title = find_write(self.workspace, self.document)
        if number and title == wanted:
            return self._repeat_receipt(number)
        versions = open_versions(self.workspace, self.document)
        path = working_path(self.document, self.workspace)
        target = self.workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with self._source() as source:
            done = write_document(
                source,
                target,
                lambda before, after: self._host.execute(self._plan, before, after, request=request),
                check=self._check_unchanged,
                versions=versions,
                first_title="" if self.kept.sha256 else BLANK,
                title=wanted,
            )
        execution = done.execution
        written = 0 if execution.unchanged or done.version is None else len(execution.changes)
        number = count_writes(self.workspace, self.document) if written else 0
        return {
            "document": self.document.id,
            "file": path if written else self.document.current,
            "version": number,
            "written": written,
            "skipped": [one.to_json() for one in execution.skipped],
            "summary": self._describe(execution, written, number),
            "execution": {
                **self._measure(execution, written),
                "version": number,
                "elapsed_ms": round((time.monotonic() - started) * 1000, 1),
            },
        }

    def _repeat_receipt(self, number: int) -> JsonObject:
        """Receipt of a write that was made before, and whose own receipt nobody got."""
        from metier.packs.office._hosts import Execution

        return {
            "document": self.document.id,
            "file": working_path(self.document, self.workspace),
            "version": number,
            "written": 0,
            "skipped": [],
            "summary": TEXTS.render("written_before", self.language, name=self.document.name, version=number),
            "execution": {
                **self._measure(Execution(unchanged=True), 0),
                "version": number,
                "elapsed_ms": 0.0,
            },
        }

    def _check_unchanged(self) -> None:
        """Refuse if another write came first since the plan was opened; called as the only writer."""
        now = next((one for one in list_documents(self.workspace) if one.id == self.document.id), self.document)
        if digest_document(self.workspace, now) != self.kept.sha256:
            raise DocumentProblem("document_changed", name=self.document.name)

    @property
    def _host(self) -> "Host":
        from metier.packs.office._hosts import host_for

        return host_for(HOST_APPS[self.document.kind])

    @property
    def _plan(self) -> "OfficePlan":
        assert self.loaded.plan is not None, "check_plan refuses a plan with problems"
        return self.loaded.plan

    def _request(self, chosen: frozenset[str] | None) -> "WriteRequest":
        from metier.packs.office._hosts import Selection, WriteRequest

        selection = Selection(self.kept.selection) if self.kept.selection else None
        return WriteRequest(mode=self.mode, chosen=chosen, selection=selection)

    @contextmanager
    def _source(self) -> Iterator[Path]:
        """Newest version as a file that the host can change: a text as a docx, a file to be made as a blank one."""
        current = self.workspace / self.document.current
        if current.suffix not in (".txt", ".md") and current.exists():
            yield current
            return
        with TemporaryDirectory(prefix="metier-office-") as folder:
            made = Path(folder) / working_path(self.document, self.workspace).rpartition("/")[2]
            if current.exists():
                text_to_docx(decode_text(read_bytes(self.workspace, self.document.current)), made)
            else:
                self._create(made)
            yield made

    def _create(self, path: Path) -> None:
        """Write the file that the plan starts from: on the user's own template if the plan names one."""
        if not (template := find_template(self.kept.value)):
            _create_blank(self.document, path)
            return
        from metier.packs.office.slides import create_from_template

        found, meta = require_document(self.workspace, template), self.kept.value.get("meta")
        keeps = isinstance(meta, dict) and meta.get(KEEPS_SLIDES) is True
        create_from_template(self.workspace / found.id, path, keeps_slides=keeps)

    def _measure(self, execution: "Execution", written: int) -> JsonObject:
        """Names and numbers of the write for telemetry; no words of the document."""
        return {
            "host_app": self.document.host,
            "mode": self.mode,
            "plan": self.kept.name,
            "skill": self.kept.task,
            "ok": written > 0 or execution.unchanged,
            "applied": written,
            "skipped": len(execution.skipped),
            "repairs": len(self.loaded.repairs),
            "operations": dict(Counter(one.op for one in execution.changes)),
        }

    def _describe(self, execution: "Execution", written: int, number: int) -> str:
        language, name = self.language, self.document.name
        if not written:
            is_done = not list_failed(execution)
            unchanged = TEXTS.render("not_changed", language, name=name)
            lines = [describe_unchanged(self.workspace, self.kept, language) if is_done else unchanged]
        else:
            how = MODES[self.mode].text(language)
            kept = TEXTS.render("attachment_kept", language) if self.document.is_attached else ""
            told = TEXTS.render("written", language, count=written, name=name, mode=how, version=number, kept=kept)
            lines = [told]
        reasons = dict.fromkeys(one.reason.text(language) for one in list_failed(execution))
        if reasons:
            lines.append(TEXTS.render("skipped", language, count=len(reasons), reasons=join_names(reasons, language)))
        lines += [one.text(language) for one in execution.warnings]
        return "\n\n".join(lines)


def _title_of(kept: KeptPlan, mode: "WriteMode", chosen: frozenset[str] | None) -> str:
    """Name under which the version of a write is kept: the plan, how, and which changes if not all."""
    rows = "" if chosen is None else f" #{hashlib.sha256(' '.join(sorted(chosen)).encode()).hexdigest()[:8]}"
    return f"{kept.name} {mode}{rows}"


def open_writer(
    workspace: Path, document: str, plan: str, mode: "WriteMode", language: Language
) -> PlanWriter | FileSet:
    """Writer of a kept plan: to one document, or to many new files."""
    kept = read_plan(workspace, plan)
    if kept.files:
        if digest_document(workspace, kept.target) != kept.sha256:
            raise DocumentProblem("document_changed", name=kept.target.name)
        return FileSet(workspace, kept, language)
    return PlanWriter.open(workspace, document, plan, mode, language)


def preview_undo(workspace: Path, document_id: str) -> Preview:
    """Which write would be taken back; a problem if there is none."""
    document = _find_written(workspace, document_id)
    number = count_writes(workspace, document)
    if not number and has_file_set(workspace, document):
        zh = f"将删除按「{document.name}」新建、之后没有改过的文件。"
        return Preview(BilingualText(zh, f"Files made from {document.name!r} and not changed since would be removed."))
    if not number:
        raise describe_nothing_left(workspace, document)
    return Preview(
        BilingualText(
            f"将撤销「{document.name}」的第 {number} 次写入，文件恢复到写入前，逐字节相同。",
            f"Write {number} of {document.name!r} would be taken back: the file gets exactly the bytes of before.",
        )
    )


def undo_last_write(workspace: Path, document_id: str, language: Language) -> JsonObject:
    """Take the last write of a document back; of one that was only read, the write of what was made from it."""
    document = _find_written(workspace, document_id)
    if not count_writes(workspace, document) and has_file_set(workspace, document):
        gone = undo_file_set(workspace, document)
        return {"document": document.id, "left": 0, "summary": TEXTS.render("unmade_files", language, count=gone)}
    number = undo_version(workspace, document)
    parts = [TEXTS.render("undone", language, name=document.name, version=number)]
    if number > 1:
        parts.append(TEXTS.render("undo_more", language, left=number - 1))
    summary = choose(language, en=" ", zh="").join(parts)
    return {"document": document.id, "version": number, "left": number - 1, "summary": summary}


def is_written(workspace: Path, kept: KeptPlan, mode: str, language: Language) -> bool:
    """Whether writing a kept plan would change nothing more, in the mode asked for or in any that the file has."""
    modes: tuple[WriteMode, ...] = ("direct", "tracked") if kept.target.kind == "docx" else ("direct",)
    for one in [known for known in modes if mode in ("", known)]:
        with suppress(PlanStepError, DocumentProblem):  # the preview tells it
            if PlanWriter.open(workspace, kept.target.id, kept.name, one, language).is_done():
                return True
    return False


def describe_unchanged(workspace: Path, kept: KeptPlan, language: Language) -> str:
    """Sentence that a plan changes nothing: written before only if the same steps were, else already as asked."""
    code = "repeated" if _was_written(workspace, kept) else "nothing"
    return TEXTS.render(code, language, name=kept.target.name)


def _was_written(workspace: Path, kept: KeptPlan) -> bool:
    """Whether a write of the document that still stands had the steps of this plan."""
    for version in open_versions(workspace, kept.target).list()[1:]:
        with suppress(DocumentProblem):
            if read_plan(workspace, version.title.partition(" ")[0]).value.get("actions") == kept.value.get("actions"):
                return True
    return False


def _find_written(workspace: Path, document_id: str) -> ConversationDocument:
    """The document, or the one that was made from it (slides from an outline) if only that was written."""
    document = require_document(workspace, document_id)
    if count_writes(workspace, document) or has_file_set(workspace, document):
        return document
    form = rf"{re.escape(PurePosixPath(document.name).stem)}(?:-\d+)?"
    others = [one for one in list_documents(workspace) if re.fullmatch(form, PurePosixPath(one.name).stem)]
    return next((one for one in reversed(others) if count_writes(workspace, one)), document)


def _find(workspace: Path, document: str) -> Iterator[ConversationDocument]:
    try:
        yield require_document(workspace, document)
    except DocumentProblem:
        return


def _create_blank(document: ConversationDocument, path: Path) -> None:
    from metier.packs.office._hosts import FileHost, host_for

    host = host_for(HOST_APPS[document.kind])
    create = getattr(import_module(host.module), "create_blank", None) if isinstance(host, FileHost) else None
    if create is None:
        raise DocumentProblem("cannot_create")
    create(path)

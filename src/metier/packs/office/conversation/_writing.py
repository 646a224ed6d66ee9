"""Writes a plan to a document of the conversation: dry run, write as a version, undo."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.language import Language, join_names
from metier.packs.office.conversation._documents import (
    HOST_APPS,
    ConversationDocument,
    read_bytes,
    require_document,
)
from metier.packs.office.conversation._plans import KeptPlan, check_plan, read_plan
from metier.packs.office.conversation._preview import ChosenRow, build_preview, label_pieces, select_ids
from metier.packs.office.conversation._reading import decode_text, text_to_docx
from metier.packs.office.conversation._texts import MODES, TEXTS
from metier.packs.office.conversation._versions import (
    NewVersion,
    Version,
    changed_since,
    digest_document,
    list_versions,
    undo_version,
    write_version,
)
from metier.tools import Preview, ToolError

if TYPE_CHECKING:
    from metier.packs.office._hosts import Execution, Host, WriteMode, WriteRequest
    from metier.packs.office.plan import LoadedPlan


def preview_write(workspace: Path, document_id: str, plan: str, mode: "WriteMode") -> Preview:
    """What writing a kept plan would change, found on a copy."""
    document, kept = _open(workspace, document_id, plan)
    loaded = check_plan(kept.value, document)
    with _editable_copy(workspace, document) as source:
        execution = _run(_host(document).dry_run, loaded, source, request=_request(kept, mode, None))
        return build_preview(document, execution, mode, label_pieces(source))


def write_plan(
    workspace: Path,
    document_id: str,
    plan: str,
    mode: "WriteMode",
    *,
    rows: Sequence[ChosenRow] | None,
    language: Language,
) -> JsonObject:
    """Write the ticked changes of a kept plan as a new version; the result is the receipt."""
    document, kept = _open(workspace, document_id, plan)
    loaded, host = check_plan(kept.value, document), _host(document)
    request = _request(kept, mode, select_ids(rows))
    started = time.monotonic()

    def execute(source: Path, target: Path) -> "tuple[Execution, int]":
        with _as_docx(source) as editable:
            done = _run(host.execute, loaded, editable, target, request=request)
        return done, 0 if done.unchanged else len(done.changes)

    at = datetime.now(UTC).isoformat(timespec="seconds")
    execution, version = write_version(workspace, document, kept.sha256, NewVersion(plan, mode, at), execute)
    written = 0 if version is None else version.changes
    return {
        "document": document.id,
        "file": version.path if version else document.current,
        "version": version.number if version else 0,
        "written": written,
        "skipped": [one.to_json() for one in execution.skipped],
        "summary": _describe(document, execution, version, mode, language),
        "execution": {
            "host_app": document.host,
            "mode": mode,
            "plan": plan,
            "skill": kept.task,
            "ok": written > 0 or execution.unchanged,
            "applied": written,
            "skipped": len(execution.skipped),
            "repairs": len(loaded.repairs),
            "operations": dict(Counter(one.op for one in execution.changes)),
            "version": version.number if version else 0,
            "elapsed_ms": round((time.monotonic() - started) * 1000, 1),
        },
    }


def undo_last_write(workspace: Path, document_id: str, language: Language) -> JsonObject:
    """Take the last write of a document back."""
    document = require_document(workspace, document_id)
    undone = undo_version(workspace, document)
    left = len(list_versions(workspace, document))
    summary = TEXTS.render("undone", language, name=document.name, version=undone.number, left=left)
    return {"document": document.id, "file": undone.path, "version": undone.number, "left": left, "summary": summary}


def count_changes(workspace: Path, document: ConversationDocument, plan: str, mode: "WriteMode") -> "Execution":
    """Dry run of a kept plan."""
    _, kept = _open(workspace, document.id, plan)
    loaded = check_plan(kept.value, document)
    with _editable_copy(workspace, document) as source:
        return _run(_host(document).dry_run, loaded, source, request=_request(kept, mode, None))


def _open(workspace: Path, document_id: str, plan: str) -> tuple[ConversationDocument, KeptPlan]:
    document, kept = require_document(workspace, document_id), read_plan(workspace, plan)
    if kept.document != document.id:
        raise ToolError(
            f"方案 {plan!r} 是给另一份文件的 · plan {plan!r} is for another document", code="plan_of_other_document"
        )
    if digest_document(workspace, document) != kept.sha256:
        raise changed_since(document.name)
    return document, kept


def _host(document: ConversationDocument) -> "Host":
    from metier.packs.office._hosts import host_for

    return host_for(HOST_APPS[document.kind])


def _request(kept: KeptPlan, mode: "WriteMode", chosen: frozenset[str] | None) -> "WriteRequest":
    from metier.packs.office._hosts import Selection, WriteRequest

    selection = Selection(kept.selection) if kept.selection else None
    return WriteRequest(mode=mode, chosen=chosen, selection=selection)


@contextmanager
def _editable_copy(workspace: Path, document: ConversationDocument) -> Iterator[Path]:
    """Copy of the newest version in a folder of its own; a text file as a docx."""
    with TemporaryDirectory(prefix="metier-office-") as folder:
        source = Path(folder) / f"document{PurePosixPath(document.current).suffix}"
        source.write_bytes(read_bytes(workspace, document.current))
        with _as_docx(source) as editable:
            yield editable


@contextmanager
def _as_docx(source: Path) -> Iterator[Path]:
    """The file itself; for a text file a docx with its lines, beside it."""
    if source.suffix not in (".txt", ".md"):
        yield source
        return
    made = source.with_name("text.docx")
    text_to_docx(decode_text(source.read_bytes()), made)
    yield made


def _run(
    carry_out: "Callable[..., Execution]", loaded: "LoadedPlan", *paths: Path, request: "WriteRequest"
) -> "Execution":
    """Carry a plan out; errors of the file or the plan become a sentence for the user."""
    try:
        return carry_out(loaded.plan, *paths, request=request)
    except MetierError as error:
        raise ToolError(error.message, code=error.code, hint=error.hint) from error


def _describe(
    document: ConversationDocument, execution: "Execution", version: Version | None, mode: str, language: Language
) -> str:
    if version is None:
        lines = [TEXTS.render("unchanged", language, name=document.name)]
    else:
        how = MODES[mode].text(language)
        lines = [
            TEXTS.render(
                "written", language, count=version.changes, name=document.name, mode=how, version=version.number
            )
        ]
    reasons = dict.fromkeys(one.reason.text(language) for one in execution.skipped if one.code != "not_chosen")
    if reasons:
        lines.append(TEXTS.render("skipped", language, count=len(reasons), reasons=join_names(reasons, language)))
    lines += [one.text(language) for one in execution.warnings]
    return "\n\n".join(lines)

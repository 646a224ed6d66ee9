"""Rows that a person ticks before a patch is applied or files are written back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from metier.json_values import JsonValue
from metier.language import BilingualText, shorten_text
from metier.packs.workspace.code._patch import FilePatch, Hunk, apply_patch, list_paths, parse_patch
from metier.packs.workspace.code._problems import CodeProblem
from metier.packs.workspace.code._texts import TEXTS
from metier.projects import ChangedFile, FileEdit, Project, check_path, is_binary
from metier.tools import Preview, PreviewColumn, PreviewRow, PreviewTotal, show_as

ROWS: Final = "rows"
_MAX_CHARS: Final = 50_000  # an approver can read all of it; the page folds long texts
_CHANGE_COLUMNS: Final = (
    PreviewColumn("file", BilingualText("文件", "File")),
    PreviewColumn("place", BilingualText("位置", "Place")),
    PreviewColumn("before", BilingualText("原来", "Before"), role="old"),
    PreviewColumn("after", BilingualText("改为", "After"), role="new"),
)
_FILE_COLUMNS: Final = (
    PreviewColumn("file", BilingualText("文件", "File")),
    PreviewColumn("what", BilingualText("改动", "Change")),
    PreviewColumn("lines", BilingualText("行数", "Lines")),
    PreviewColumn("diff", BilingualText("差异", "Diff")),
)


class ChosenPart(BaseModel):
    """A row that the approver ticked."""

    model_config = ConfigDict(extra="forbid")

    id: str


ChosenParts = Annotated[
    list[ChosenPart] | None,
    Field(
        max_length=2000,
        description="由批准人选择，请留空 · chosen by the approver, leave out",
        json_schema_extra=show_as("选择的改动", "Chosen changes", hidden=True),
    ),
]


@dataclass(frozen=True, slots=True)
class PlannedPatch:
    """A patch that fits a project: its files, and the numbered hunks of all."""

    files: Mapping[str, FilePatch]
    hunks: Sequence[tuple[str, int, Hunk]]

    def build_edits(self, project: Project, rows: Sequence[ChosenPart] | None) -> list[FileEdit]:
        """Edits of the chosen hunks; raises `CodeProblem` if one does not fit."""
        chosen = None if rows is None else {one.id for one in rows}
        edits: list[FileEdit] = []
        for path, patch in self.files.items():
            numbers = {
                at for number, (name, at, _) in enumerate(self.hunks, 1) if name == path and _is_in(chosen, number)
            }
            if numbers:
                edits.append(_build_edit(project, path, patch, numbers))
        return edits

    def count(self, rows: Sequence[ChosenPart] | None) -> int:
        """How many hunks are chosen."""
        return len(self.hunks) if rows is None else len({one.id for one in rows})


def plan_patch(project: Project, text: str) -> PlannedPatch:
    """Read a patch and try it on the project; raises a problem if any part of it does not fit."""
    if not text.strip():
        raise CodeProblem("patch_missing")
    files = {check_path(path): patch for path, patch in list_paths(parse_patch(text)).items()}
    hunks = [(path, at, hunk) for path, patch in files.items() for at, hunk in enumerate(patch.hunks)]
    planned = PlannedPatch(files, hunks)
    planned.build_edits(project, None)
    return planned


def preview_patch(project: Project, planned: PlannedPatch) -> Preview:
    """The question before a patch: each of its parts with the lines before and after."""
    count, files = len(planned.hunks), len(planned.files)
    rows = tuple(
        PreviewRow(str(number), _describe_hunk(path, planned.files[path], hunk))
        for number, (path, _, hunk) in enumerate(planned.hunks, 1)
    )
    return Preview(
        BilingualText(
            f"将在「{project.name}」的 {files} 个文件应用 {count} 处改动；改的是副本，可以撤销。",
            f"{count} {'change' if count == 1 else 'changes'} would be applied to {files} "
            f"{'file' if files == 1 else 'files'} of {project.name!r}; this changes the copy and can be undone.",
        ),
        _CHANGE_COLUMNS,
        rows,
        chosen_as=ROWS,
    )


def preview_write(project: Project, changes: Sequence[ChangedFile]) -> Preview:
    """The question before a write to the user's folder: each file with its difference."""
    counts = [one.count_lines() for one in changes]
    added, removed = sum(one[0] for one in counts), sum(one[1] for one in counts)
    folder = str(project.origin)
    rows = tuple(
        PreviewRow(one.path, _describe_file(one, plus, minus))
        for one, (plus, minus) in zip(changes, counts, strict=True)
    )
    files = "file" if len(changes) == 1 else "files"
    sentence = (
        BilingualText(
            f"将把 {len(changes)} 个改过的文件打包成 zip，供你下载。",
            f"{len(changes)} changed {files} would be packed into a zip file for you to download.",
        )
        if project.is_uploaded
        else BilingualText(
            f"将把 {len(changes)} 个文件写回 {folder}；此后有人改过的文件不会被覆盖，可以撤销。",
            f"{len(changes)} {files} would be written to {folder}; what somebody changed meanwhile is not overwritten, "
            "and this can be undone.",
        )
    )
    return Preview(
        sentence,
        _FILE_COLUMNS,
        rows,
        (PreviewTotal(BilingualText("行", "Lines"), f"+{added} −{removed}"),),
        chosen_as=ROWS,
    )


def _is_in(chosen: Collection[str] | None, number: int) -> bool:
    return chosen is None or str(number) in chosen


def _build_edit(project: Project, path: str, patch: FilePatch, numbers: Collection[int]) -> FileEdit:
    found = project.read(path)
    if found is not None and is_binary(found.content):
        raise CodeProblem("not_text", path=path)
    made = apply_patch(patch, found.content if found else None, numbers)
    return FileEdit(path, made, found.sha256 if found else None)


def _describe_hunk(path: str, patch: FilePatch, hunk: Hunk) -> dict[str, JsonValue]:
    kind = "new" if patch.old is None else "deleted" if patch.new is None else ""
    start = hunk.start or 1
    last = start + max(0, len(hunk.old) - 1)
    place: JsonValue = (
        {"zh": TEXTS.render(kind, "zh"), "en": TEXTS.render(kind, "en")}
        if kind
        else {"zh": f"第 {start}–{last} 行", "en": f"lines {start}–{last}"}
    )
    before = "\n".join(line[1:] for line in hunk.lines if line[0] == "-")
    after = "\n".join(line[1:] for line in hunk.lines if line[0] == "+")
    return {
        "file": path,
        "place": place,
        "before": shorten_text(before, _MAX_CHARS),
        "after": shorten_text(after, _MAX_CHARS),
    }


def _describe_file(change: ChangedFile, added: int, removed: int) -> dict[str, JsonValue]:
    diff = "\n".join(list(change.iter_diff())[2:])
    return {
        "file": change.path,
        "what": {"zh": TEXTS.render(change.kind, "zh"), "en": TEXTS.render(change.kind, "en")},
        "lines": f"+{added} −{removed}",
        "diff": shorten_text(diff, _MAX_CHARS),
    }

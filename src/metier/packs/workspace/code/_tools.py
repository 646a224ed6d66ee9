"""The code tools of the pack: find a project, look at it, test it, patch it, write it back, undo."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, join_sentences
from metier.pack import PackContext
from metier.packs.workspace.code._fields import (
    FilePath,
    NewText,
    OldText,
    OnlyTest,
    PatchText,
    ProjectName,
    Query,
    Timeout,
    ToolLanguage,
    Words,
)
from metier.packs.workspace.code._intent import CodeRequest, read_request
from metier.packs.workspace.code._overview import describe, find_other_runner, is_python_test, is_test_file
from metier.packs.workspace.code._previews import ChosenParts, plan_patch, preview_patch, preview_write
from metier.packs.workspace.code._problems import CodeProblem
from metier.packs.workspace.code._projects import (
    SAMPLE,
    SAMPLE_TITLE,
    check_edit,
    count_run,
    find_project,
    require_project,
    start_turn,
    use_sample,
)
from metier.packs.workspace.code._reports import (
    describe_changes,
    describe_hits,
    describe_overview,
    describe_run,
    join_paths,
)
from metier.packs.workspace.code._search import search
from metier.packs.workspace.code._test_run import MAX_TIMEOUT_S, run_project_tests
from metier.packs.workspace.code._texts import TEXTS, TITLES
from metier.projects import PROJECT_FOLDER, FileEdit, Project, ProjectProblem, check_path, is_binary, pack_changes
from metier.tools import (
    ALWAYS,
    FunctionTool,
    Preview,
    SideEffect,
    ToolContext,
    ToolResult,
    add_titles,
    function_tool,
    problems_in,
)
from metier.tools.builtin import write_in_workspace
from metier.workspaces import WorkspaceQuota

_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_RUNS: Final[frozenset[SideEffect]] = frozenset({"reads", "executes"})
_TIMEOUT_S: Final = 60.0


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; nothing is read before one runs."""
    settings = context.settings
    model = settings.stage_models.get("act", settings.model)
    code = CodeTools(settings.storage_dir, model != "builtin", settings.tests_max_s, settings.tests_memory_max_bytes)
    reading = (code.find_project, code.describe_project, code.search_code, code.show_changes)
    tools = (
        *(function_tool(one, idempotent=True, effects=_READS, timeout_s=_TIMEOUT_S) for one in reading),
        function_tool(code.run_tests, effects=_RUNS, timeout_s=MAX_TIMEOUT_S + 30.0),
        function_tool(
            code.apply_patch, approval=ALWAYS, effects=_WRITES, timeout_s=_TIMEOUT_S, preview=code.preview_apply_patch
        ),
        function_tool(
            code.undo_patch,
            effects=_WRITES,
            timeout_s=_TIMEOUT_S,
            undoes="apply_patch",
            preview=code.preview_undo_patch,
        ),
        function_tool(code.edit_code, effects=_WRITES, timeout_s=_TIMEOUT_S),
        function_tool(
            code.write_back, approval=ALWAYS, effects=_WRITES, timeout_s=_TIMEOUT_S, preview=code.preview_write_back
        ),
        function_tool(
            code.undo_write_back,
            effects=_WRITES,
            timeout_s=_TIMEOUT_S,
            undoes="write_back",
            preview=code.preview_undo_write_back,
        ),
    )
    return add_titles(tools, TITLES)


@dataclass(frozen=True, slots=True)
class CodeTools:
    """The tools, with the folder that keeps the projects of all conversations."""

    storage: Path
    has_model: bool = False
    tests_max_s: int = 60
    tests_memory_bytes: int = 1 << 30

    def find_project(
        self, context: ToolContext, description: Words, *, project: ProjectName = "", language: ToolLanguage = "zh"
    ) -> ToolResult:
        """找到项目，看出要做什么。Find the project and what is wanted."""
        request = read_request(description)
        with problems_in(language):
            found = self._find(context, request, project, language)
            told: dict[str, JsonValue] = {
                "project": "project" if found else None,
                "unclear": found is None,
                "title": found.name if found else "",
                "source": "words" if request.is_sample else "step",
                "task": request.task,
                "query": request.query,
                "only": request.only,
                "patch": request.patch,
                "has_model": self.has_model,
                "options": [{"value": SAMPLE, "label": SAMPLE_TITLE.text(language)}],
            }
            if found is not None:
                start_turn(found, context.turn, may_change_tests=request.may_change_tests)
                is_other = request.is_sample and not found.sample
                notice = TEXTS.render("other_project", language, name=found.name) if is_other else ""
                told |= {"patch": _find_patch(found, request), "notice": notice, **_describe_state(found)}
            return ToolResult(told)

    def describe_project(self, context: ToolContext, language: ToolLanguage = "zh") -> ToolResult:
        """项目概览：语言、入口、测试、大小。Overview of the project: languages, entry points, tests, sizes."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            files = project.list_files()
            texts = {path: one.content.decode("utf-8", "replace") for path, one in files.items()}
            found = describe(texts, {path: len(one.content) for path, one in files.items()})
            told = describe_overview(project.name, found, language)
            return ToolResult({**told, "next": TEXTS.render("next_overview", language)})

    def search_code(self, context: ToolContext, query: Query, language: ToolLanguage = "zh") -> ToolResult:
        """在项目里搜索文字，先列定义。Search the project for a text; definitions come first."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            texts = {path: one.content.decode("utf-8", "replace") for path, one in project.list_files().items()}
            hits, total = search(texts, query)
            return ToolResult(describe_hits(project.name, query, hits, total, language))

    async def run_tests(
        self,
        context: ToolContext,
        only: OnlyTest = "",
        *,
        timeout_s: Timeout = None,
        language: ToolLanguage = "zh",
    ) -> ToolResult:
        """在沙箱里运行 Python 测试，列出失败的行和断言。Run the Python tests; failures as file:line."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            texts = dict.fromkeys(project.list_files(), "")
            if not any(map(is_python_test, texts)):
                runner = find_other_runner(texts)
                raise CodeProblem("other_tests" if runner else "no_tests", name=project.name, runner=runner)
            limits = {"timeout_s": timeout_s or self.tests_max_s, "memory_bytes": self.tests_memory_bytes}
            run = await run_project_tests(project, context.workspace, only, **limits)
            told = {**describe_run(project, run, language), "rounds": count_run(project, context.turn)}
            return ToolResult({**told, "next": self._advise(project, is_ok=run.is_ok, language=language)})

    def apply_patch(
        self, context: ToolContext, patch: PatchText, *, rows: ChosenParts = None, language: ToolLanguage = "zh"
    ) -> ToolResult:
        """把给出的 diff 应用到副本，需要批准，可以撤销。Apply a given diff to the copy; can be undone."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            planned = plan_patch(project, patch)
            edits = planned.build_edits(project, rows)
            if not edits:
                return ToolResult(
                    {"summary": TEXTS.render("no_changes", language, name=project.name), "changed": False}
                )
            project.edit(edits)
            count = planned.count(rows)
            summary = TEXTS.render(
                "applied",
                language,
                parts=count,
                parts_word=_word("change", count, language),
                files=len(edits),
                files_word=_word("file", len(edits), language),
                name=project.name,
            )
            told = _describe_state(project)
            advice = "" if told["unwritten"] else TEXTS.render("next_patched", language)  # else the write-back says it
            return ToolResult({"summary": summary, "changed": True, "next": advice, **told})

    def preview_apply_patch(
        self, context: ToolContext, patch: PatchText, *, rows: ChosenParts = None, language: ToolLanguage = "zh"
    ) -> Preview:
        """Parts of the patch with the lines before and after."""
        del rows  # the approver chooses among all
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            return preview_patch(project, plan_patch(project, patch))

    def undo_patch(self, context: ToolContext, language: ToolLanguage = "zh") -> ToolResult:
        """撤销副本里最近一次改动。Take the last change of the copy back."""
        with problems_in(language):
            paths = require_project(self.storage, context.workspace).undo_edit()
            summary = TEXTS.render("unpatched", language, names=join_paths(paths, language))
            return ToolResult({"summary": summary, "next": TEXTS.render("next_undone", language)})

    def preview_undo_patch(self, context: ToolContext, language: ToolLanguage = "zh") -> Preview:
        """Files that get their text back."""
        with problems_in(language):
            paths = require_project(self.storage, context.workspace).edits.list_last()
            return _preview_undo(paths, BilingualText("副本", "the copy"))

    def edit_code(
        self, context: ToolContext, path: FilePath, old: OldText, new: NewText, language: ToolLanguage = "zh"
    ) -> ToolResult:
        """替换副本里的一段文字；测试只在用户要求时才改。Replace a text in the copy; tests only if asked."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            place = check_path(path.removeprefix(f"{PROJECT_FOLDER}/"))
            check_edit(project, context.turn, place, is_test=is_test_file(place))
            project.edit([_build_replacement(project, place, old, new)])
            return ToolResult({"summary": TEXTS.render("edited", language, path=place), **_describe_state(project)})

    def show_changes(self, context: ToolContext, language: ToolLanguage = "zh") -> ToolResult:
        """查看副本与原来的差异。Show how the copy differs from what was copied."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            told = describe_changes(project, project.find_changes(), language)
            return ToolResult({**told, **_describe_state(project)})

    def write_back(
        self, context: ToolContext, *, rows: ChosenParts = None, language: ToolLanguage = "zh"
    ) -> ToolResult:
        """把副本里的改动写回用户的文件夹，需要批准，可以撤销。Write the changes to the user's folder; can be undone."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            if project.is_uploaded:
                return _hand_out(project, context, rows, language)
            written = project.write_back(None if rows is None else [one.id for one in rows])
            count, folder = len(written), str(project.origin)
            word = _word("file", count, language)
            summary = TEXTS.render("written", language, count=count, files_word=word, folder=folder)
            told = _describe_state(project)
            return ToolResult(
                {"summary": summary, "written": count, "next": TEXTS.render("next_written", language), **told}
            )

    def preview_write_back(
        self, context: ToolContext, *, rows: ChosenParts = None, language: ToolLanguage = "zh"
    ) -> Preview:
        """Files that would be written, each with its difference."""
        del rows  # the approver chooses among all
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            if project.sample:
                raise ProjectProblem("no_origin")
            changes = project.find_unwritten()
            if not changes:
                raise ProjectProblem("nothing_to_write")
            return preview_write(project, changes)

    def undo_write_back(self, context: ToolContext, language: ToolLanguage = "zh") -> ToolResult:
        """撤销最近一次写回，文件夹恢复到写回前的字节。Take the last write-back back: the folder has its bytes again."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            paths = project.undo_write()
            names = join_paths(paths, language)
            summary = TEXTS.render("unwritten", language, names=names, folder=str(project.origin))
            return ToolResult({"summary": summary, "next": TEXTS.render("next_undone", language)})

    def preview_undo_write_back(self, context: ToolContext, language: ToolLanguage = "zh") -> Preview:
        """Files of the folder that get their bytes back."""
        with problems_in(language):
            project = require_project(self.storage, context.workspace)
            return _preview_undo(project.writes.list_last(), BilingualText(str(project.origin), str(project.origin)))

    def _advise(self, project: Project, *, is_ok: bool, language: Language) -> str:
        """What the user can say after a run of the tests."""
        if is_ok:
            return TEXTS.render("next_tests", language)
        if self.has_model:
            return TEXTS.render("next_fix", language)
        advice = [TEXTS.render("without_model", language)]
        advice += [TEXTS.render("sample_patch", language)] if project.sample else []
        return join_sentences(advice, language)

    def _find(self, context: ToolContext, request: CodeRequest, named: str, language: Language) -> Project | None:
        known = find_project(self.storage, context.workspace)
        if known is None and (request.is_sample or named == SAMPLE):
            return use_sample(self.storage, context.workspace, language)
        return known


def _hand_out(project: Project, context: ToolContext, rows: ChosenParts, language: Language) -> ToolResult:
    """Give the changes of an uploaded project back as a zip file."""
    chosen = None if rows is None else {one.id for one in rows}
    changes = [one for one in project.find_unwritten() if chosen is None or one.path in chosen]
    if not changes:
        raise ProjectProblem("nothing_to_write")
    stem = re.sub(r"[^\w-]+", "-", project.name).strip("-") or PROJECT_FOLDER
    file = f"{stem}-changes.zip"
    write_in_workspace(context.workspace, file, pack_changes(changes), WorkspaceQuota())
    project.deliver(changes)
    word = _word("file", len(changes), language)
    summary = TEXTS.render("handed_out", language, count=len(changes), files_word=word, file=file)
    told: JsonObject = {"summary": summary, "written": len(changes), "file": file}
    return ToolResult({**told, "next": TEXTS.render("next_written", language), **_describe_state(project)})


def _word(name: str, count: int, language: Language) -> str:
    return TEXTS.render(f"{name}_word" if count == 1 else f"{name}_words", language)


def _describe_state(project: Project) -> JsonObject:
    """What later steps need to know: whether there is something to write back, and what would be undone."""
    return {
        "unwritten": not project.sample and bool(project.find_unwritten()),
        "has_folder": not project.sample,
        "undo": project.last_action,
    }


def _find_patch(project: Project, request: CodeRequest) -> str:
    """The patch of the message, or the content of the patch file of the project that it names."""
    if request.patch or request.task != "patch":
        return request.patch
    files = project.list_files()
    named = [path for path in files if request.patch_file and path.endswith(request.patch_file)]
    patches = named or [path for path in files if path.endswith((".diff", ".patch")) and not request.patch_file]
    return files[patches[0]].content.decode("utf-8", "replace") if len(patches) == 1 else ""


def _build_replacement(project: Project, path: str, old: str, new: str) -> FileEdit:
    found = project.read(path)
    if found is None:
        if old:
            raise CodeProblem("edit_no_file", path=path)
        return FileEdit(path, new.encode(), None)
    if is_binary(found.content):
        raise CodeProblem("not_text", path=path)
    if not old:
        raise CodeProblem("edit_exists", path=path)
    text = found.content.decode("utf-8", "surrogateescape")
    if "\r\n" in text and "\r\n" not in old:  # a model writes LF; the file keeps its CRLF
        old, new = old.replace("\n", "\r\n"), new.replace("\r\n", "\n").replace("\n", "\r\n")
    count = text.count(old)
    if count != 1:
        raise CodeProblem("edit_ambiguous" if count else "edit_not_found", path=path, count=count)
    return FileEdit(path, text.replace(old, new).encode("utf-8", "surrogateescape"), found.sha256)


def _preview_undo(paths: tuple[str, ...], where: BilingualText) -> Preview:
    if not paths:
        raise ProjectProblem("nothing_to_undo")
    return Preview(
        BilingualText(
            f"将撤销最近一次改动：{where.zh} 的 {join_paths(paths, 'zh')} 恢复到改动前，逐字节相同。",
            f"The last change of {where.en} would be taken back, byte for byte: {join_paths(paths, 'en')}.",
        )
    )

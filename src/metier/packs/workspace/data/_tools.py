"""The data tools: profile, summarize, report, and a new file after a preview."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import BaseModel, Field

from metier.language import BilingualText, Language, join_names, join_sentences, write_count
from metier.pack import PackContext
from metier.packs.workspace._results import keep_report
from metier.packs.workspace.data._files import (
    SAMPLES,
    copy_sample,
    describe_file,
    list_options,
    list_own_files,
    locate_file,
    match_file,
    name_file,
    show_name,
)
from metier.packs.workspace.data._open_table import OpenTables
from metier.packs.workspace.data._request import find_change, find_format, needs_code, read_requests, wants_report
from metier.packs.workspace.data._texts import TEXTS
from metier.tools import (
    ALWAYS,
    FunctionTool,
    Preview,
    PreviewColumn,
    PreviewRow,
    PreviewTotal,
    SideEffect,
    ToolContext,
    ToolError,
    ToolResult,
    add_titles,
    function_tool,
    show_as,
)

if TYPE_CHECKING:
    import pandas as pd

    from metier.json_values import JsonObject
    from metier.packs.workspace.data._changes import Effect
    from metier.packs.workspace.data._request import FigureRequest
    from metier.packs.workspace.data._summary import Analysis, Typed

_BESIDE: Final = " + "  # between the names of several files that are merged into the first
_ALL_FILES: Final = re.compile(
    r"(?i)全部|所有|这些|这几|[三四五六七八九十][个份张]|\b(?:all|these|three|four|five|every)\b"
)
_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_TIMEOUT_S: Final = 180.0
_MAX_NEXT: Final = 2
_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "profile_data": BilingualText("查看数据概况", "Profile the data"),
        "summarize_data": BilingualText("统计数据", "Summarize the data"),
        "transform_data": BilingualText("生成新文件", "Write a new file"),
        "report_data": BilingualText("写分析报告", "Write the report"),
    }
)


def _field(zh: str, en: str, description: str, *, longest: int, shortest: int = 0, hidden: bool = False) -> object:
    shown = show_as(zh, en, hidden=hidden)
    return Field(min_length=shortest, max_length=longest, description=description, json_schema_extra=shown)


Words = Annotated[str, _field("要求", "Request", "用户的话 · the user's words", longest=2_000)]
File = Annotated[str, _field("文件", "File", "文件名 · name of the file", longest=300, shortest=1)]
Known = Annotated[
    str, _field("已知文件", "Known file", "对话中已确定的文件 · settled before", longest=300, hidden=True)
]
Other = Annotated[
    str, _field("另一个文件", "Other file", "合并时的另一个文件 · the other file of a merge", longest=1000)
]
ChangeKind = Annotated[
    Literal["convert", "clean", "merge"],
    Field(
        description="convert, clean or merge",
        json_schema_extra=show_as(
            "改动",
            "Change",
            labels={
                "convert": {"zh": "转换格式", "en": "Convert"},
                "clean": {"zh": "清洗", "en": "Clean"},
                "merge": {"zh": "合并", "en": "Merge"},
            },
        ),
    ),
]
FormatKind = Annotated[
    Literal["csv", "xlsx", "json", "md"],
    Field(
        description="新文件的格式 · format of the new file",
        json_schema_extra=show_as("格式", "Format"),
    ),
]
Tongue = Annotated[
    Language,
    Field(
        description="语言 · language of the texts",
        json_schema_extra=show_as("语言", "Language", hidden=True),
    ),
]


class ChosenStep(BaseModel):
    """A change that a person chose in the preview."""

    id: str


Steps = Annotated[
    list[ChosenStep] | None,
    Field(
        description="选中的改动 · chosen changes",
        json_schema_extra=show_as("选中的改动", "Chosen changes", hidden=True),
    ),
]


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; pandas is imported when one runs."""
    del context
    tools = DataTools()
    read = function_tool(tools.summarize_data, idempotent=True, effects=_READS, timeout_s=_TIMEOUT_S)
    profile = function_tool(tools.profile_data, idempotent=True, effects=_WRITES, timeout_s=_TIMEOUT_S)
    report = function_tool(tools.report_data, idempotent=True, effects=_WRITES, timeout_s=_TIMEOUT_S)
    change = function_tool(
        tools.transform_data, effects=_WRITES, approval=ALWAYS, preview=tools.preview_change, timeout_s=_TIMEOUT_S
    )
    return add_titles((profile, read, report, change), _TITLES)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A change as it was asked for; `chosen` are its effects, None for all."""

    file: str
    change: str
    format: str
    other: str = ""
    chosen: frozenset[str] | None = None


class DataTools:
    """The tools, and the table that they opened last."""

    def __init__(self) -> None:
        self._tables = OpenTables()

    def profile_data(
        self, context: ToolContext, request: Words = "", file: Known = "", chosen: Known = "", language: Tongue = "zh"
    ) -> ToolResult:
        """找到数据文件并查看概况：类型、空值、离群值。Find the data file and profile it: kinds, gaps, outliers."""
        match = match_file("" if chosen else request, context.workspace, chosen or file, language)
        own = list_own_files(context.workspace)
        change = find_change(request, own)
        if change == "merge" and match.source == "assumption" and match.count > 1:
            match = replace(match, name=_find_first(context.workspace, request))
        options = list_options(context.workspace, language)
        if not match.name or match.is_missing:
            missing = match.name or None
            return ToolResult(
                {"unclear": not missing, "missing": missing, "file": None, "options": options, "change": None}
            )
        from metier.packs.workspace.data._analysis import profile

        table = self._open(match.name, context.workspace, language)
        title = describe_file(match.name, language)
        made = profile(table, title, language)
        if match.source == "assumption" and match.count > 1:
            made.notes.insert(0, TEXTS.render("assumed_file", language, name=title, count=match.count))
        if needs_code(request):
            made.notes.insert(0, TEXTS.render("code_note", language))
            copy_sample(match.name, context.workspace)
        default = {"clean": Path(match.name).suffix.lstrip("."), "merge": "csv"}.get(change or "", "xlsx")
        chosen = find_format(request, default, own)
        return ToolResult(
            {
                "unclear": False,
                "file": match.name,
                "title": title,
                "source": match.source,
                "options": options,
                "request": request,
                "change": change,
                "analyse": change is None,
                "report": change is None and wants_report(request),
                "needs_code": change is None and needs_code(request),
                "format": chosen if chosen in ("csv", "xlsx", "json", "md") else "csv",
                "other": _find_other(request, context.workspace, match.name) if change == "merge" else "",
                "rows": len(table.frame),
                "summary": _describe(table, title, made, language, is_sample=match.name in SAMPLES),
                "tables": list(made.tables),
            }
        )

    def summarize_data(
        self, context: ToolContext, file: File, request: Words = "", language: Tongue = "zh"
    ) -> ToolResult:
        """按要求统计：分组、趋势、透视、离群值，带图表。Compute groups, trend, pivot or outliers as asked, with charts."""  # noqa: E501 - a docstring is what people read of a tool
        made, asked = self._summarize(file, request, context.workspace, language)
        options = [one for one in (asked.by, asked.across) if one]
        more = TEXTS.render("next", language, by=options[0], across=options[1]) if len(options) == _MAX_NEXT else ""
        return ToolResult(
            {
                "file": file,
                "summary": _list_findings(made),
                "next": more,
                "asks": not made.tables and bool(made.notes),
                "measure": asked.measure,
                "by": asked.by,
                "tables": list(made.tables),
                "charts": list(made.charts),
            }
        )

    def report_data(self, context: ToolContext, file: File, request: Words = "", language: Tongue = "zh") -> ToolResult:
        """写分析报告：xlsx、html 和可重算的 analysis.py。Write xlsx, html and analysis.py, which computes all again."""
        from metier.packs.workspace.data._analysis import join_analyses, profile
        from metier.packs.workspace.data._report import ReportSource, write_report

        table = self._open(file, context.workspace, language)
        title = describe_file(file, language)
        made = profile(table, title, language)
        figures, _ = self._summarize(file, request, context.workspace, language, table)
        made = join_analyses((made, figures))
        if file in SAMPLES:
            made.notes.insert(0, TEXTS.render("invented", language))
        source = locate_file(file, context.workspace, language)
        inside = file if file in SAMPLES else name_file(source, context.workspace)
        names = write_report(context.workspace, ReportSource(source, inside, title, table.loaded), made, language)
        kept: JsonObject = {
            "file": inside,
            "title": title,
            "notice": TEXTS.render("invented_notice", language) if file in SAMPLES else "",
            "tables": list(made.tables),
            "charts": list(made.charts),
            "findings": list(made.findings),
        }
        keep_report(context.workspace, "data_report", kept)
        shown = {"names": join_names(names[:2], language), "script": names[2], "file": show_name(inside)}
        text = TEXTS.render("report_done", language, **shown)
        titles = (*names[:2], TEXTS.render("script_title", language, name=names[2]))
        files: list[JsonObject] = [{"path": name, "title": title} for name, title in zip(names, titles, strict=True)]
        return ToolResult(
            {"summary": text, "files": list(files), "findings": list(made.findings), "kind": "data_report"}
        )

    def transform_data(
        self,
        context: ToolContext,
        file: File,
        change: ChangeKind,
        *,
        format: FormatKind = "csv",
        other: Other = "",
        steps: Steps = None,
        language: Tongue = "zh",
    ) -> ToolResult:
        """转换、清洗或合并成新文件，原文件不变。Convert, clean or merge into a new file; the original stays as it is."""  # noqa: E501 - a docstring is what people read of a tool
        from metier.packs.workspace.data._write import write_frame

        chosen = None if steps is None else frozenset(one.id for one in steps)
        frame, _, name = self._change(context.workspace, _Wanted(file, change, format, other, chosen), language)
        guarded = write_frame(frame, context.workspace / name)
        told = {
            "name": name,
            "rows": f"{len(frame):,}",
            "columns": len(frame.columns),
            "file": describe_file(file, language),
        }
        notes = [TEXTS.render("guarded", language, count=guarded)] if guarded else []
        summary = join_sentences([TEXTS.render("written", language, **told), *notes], language)
        # A cleaned or merged file is the data from now on; a converted one is a copy of what was there.
        kept = file if change == "convert" else name
        title = describe_file(kept, language)
        return ToolResult({"summary": summary, "files": [{"path": name, "title": name}], "file": kept, "title": title})

    def preview_change(
        self,
        context: ToolContext,
        file: File,
        change: ChangeKind,
        *,
        format: FormatKind = "csv",
        other: Other = "",
        steps: Steps = None,
        language: Tongue = "zh",
    ) -> Preview:
        """What the new file would hold: each change with the number of cells or rows and an example."""
        frame, effects, name = self._change(context.workspace, _Wanted(file, change, format, other), language)
        columns = (
            PreviewColumn("what", BilingualText("改动", "Change")),
            PreviewColumn("count", BilingualText("数量", "Count")),
            PreviewColumn("old", BilingualText("原来", "Before"), role="old"),
            PreviewColumn("new", BilingualText("新文件", "After"), role="new"),
        )
        rows = [
            PreviewRow(one.id, {"what": one.title.to_json(), "count": one.count, "old": one.old, "new": one.new})
            for one in effects
        ]
        shown, size = describe_file(file, language), f"{len(frame):,}"
        sentence = BilingualText(
            f"从「{shown}」生成新文件 {name}：{size} 行、{len(frame.columns)} 列。原文件不变。",
            f"Write the new file {name} from {shown}: {write_count(len(frame), 'rows')}, "
            f"{write_count(len(frame.columns), 'columns')}; the original stays.",
        )
        totals = (PreviewTotal(BilingualText("新文件的行数", "Rows of the new file"), len(frame)),)
        return Preview(sentence, columns, tuple(rows), totals, "steps" if change == "clean" else "")

    def _change(self, workspace: Path, wanted: _Wanted, language: Language) -> "tuple[pd.DataFrame, list[Effect], str]":
        from metier.packs.workspace.data._changes import clean_table, convert_table, merge_tables
        from metier.packs.workspace.data._write import free_name

        table = self._open(wanted.file, workspace, language)
        stem = Path(show_name(wanted.file)).stem
        if wanted.change == "clean":
            frame, effects = clean_table(table, wanted.chosen)
            if not effects:
                raise ToolError(
                    TEXTS.render("already_clean", language, name=show_name(wanted.file)), code="nothing_to_do"
                )
            return frame, effects, free_name(workspace, f"{stem}-clean", wanted.format)
        if wanted.change == "merge":
            if not wanted.other:
                raise ToolError(
                    TEXTS.render("no_other", language), code="not_found", hint=TEXTS.render("no_other_hint", language)
                )
            merged, effects, into = table.loaded.frame, [], show_name(wanted.file)
            for other in wanted.other.split(_BESIDE):
                second = self._open(other, workspace, language).loaded.frame
                merged, more = merge_tables(merged, second, (into, show_name(other)), language)
                effects, into = [*effects, *more], f"{into}{_BESIDE}{show_name(other)}"
            return merged, effects, free_name(workspace, f"{stem}-merged", wanted.format)
        converted, effects = convert_table(table, wanted.format)
        old = Path(wanted.file).suffix.lstrip(".")
        effects[0] = replace(effects[0], old=old, new=wanted.format)
        return converted, effects, free_name(workspace, stem, wanted.format)

    def _summarize(
        self, file: str, request: str, workspace: Path, language: Language, table: "Typed | None" = None
    ) -> "tuple[Analysis, FigureRequest]":
        from metier.packs.workspace.data._analysis import join_analyses, summarize

        table = table or self._open(file, workspace, language)
        asked = read_requests(request, table.columns)
        made = [summarize(table, one, describe_file(file, language), language) for one in asked]
        return join_analyses(made), asked[0]

    def _open(self, file: str, workspace: Path, language: Language) -> "Typed":
        return self._tables.open(locate_file(file, workspace, language), workspace, language)


def _describe(table: "Typed", title: str, made: "Analysis", language: Language, *, is_sample: bool) -> str:
    counts: dict[str, int] = {}
    for one in table.columns:
        counts[one.kind] = counts.get(one.kind, 0) + 1
    kinds = [
        TEXTS.render("kind_count", language, count=count, kind=TEXTS.render(f"kind_{kind}", language))
        for kind, count in counts.items()
    ]
    size = f"{len(table.frame):,}"
    head = TEXTS.render("overview", language, title=title, rows=size, columns=len(table.columns), kinds=kinds)
    notes = [f"- {one}" for one in made.notes]
    first = [TEXTS.render("invented", language)] if is_sample else []
    return "\n\n".join(part for part in (*first, head, _list_findings(made, notes)) if part)


def _list_findings(made: "Analysis", notes: list[str] | None = None) -> str:
    listed = notes if notes is not None else [f"- {one}" for one in made.notes]
    return "\n".join([*(f"- {one['text']}" for one in made.findings), *listed])


def _find_first(workspace: Path, request: str) -> str:
    """The file that others are merged into if the message names none: the oldest, or the older of the newest two."""
    return name_file(list_own_files(workspace)[0 if _ALL_FILES.search(request) else -2], workspace)


def _find_other(request: str, workspace: Path, file: str) -> str:
    """The others of a merge: those that the message names, all if it says so, else the newest that is not the first."""
    names = [name_file(path, workspace) for path in list_own_files(workspace)]
    rest = [one for one in names if one != file]
    said = [one for one in rest if Path(show_name(one)).stem.lower() in request.lower()]
    if len(said) < 2 and not (_ALL_FILES.search(request) and len(rest) > 1):
        return (said or rest or [""])[-1]
    return _BESIDE.join(said if len(said) > 1 else rest)

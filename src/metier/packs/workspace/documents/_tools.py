"""The tools `pptx`, `docx`, `pdf` and `xlsx`, and the one that finds what they are made from."""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language
from metier.pack import PackContext
from metier.packs.office.creation import FileKind, NewBlock, NewDocument, NewPoint, NewTable, create_file
from metier.packs.workspace.documents._content import Content, list_options, match_content, open_content
from metier.packs.workspace.documents._request import read_request
from metier.packs.workspace.documents._texts import TEXTS
from metier.tools import FunctionTool, SideEffect, ToolContext, ToolResult, add_titles, function_tool, show_as
from metier.tools.builtin import add_to_workspace
from metier.workspaces import WorkspaceQuota

_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_FOLDER: Final = "documents"
_TIMEOUT_S: Final = 120.0
_MAX_NAME_CHARS: Final = 60
_MAX_LISTED: Final = 60
_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "find_content": BilingualText(zh="找到内容", en="Find the content"),
        "pptx": BilingualText(zh="生成演示文稿", en="Make slides"),
        "docx": BilingualText(zh="生成 Word 文档", en="Make a Word document"),
        "pdf": BilingualText(zh="生成 PDF", en="Make a PDF"),
        "xlsx": BilingualText(zh="生成 Excel 工作簿", en="Make a workbook"),
    }
)
_CONTENT_LABELS: Final[JsonObject] = MappingProxyType(
    {
        "research": {"zh": "研究报告", "en": "research report"},
        "data": {"zh": "数据分析", "en": "data analysis"},
        "sample:work": {"zh": "示例提纲", "en": "sample outline"},
    }
)


Words = Annotated[
    str,
    Field(max_length=60_000, description="用户的话 · the user's words", json_schema_extra=show_as("要求", "Request")),
]
ContentText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=60_000,
        description="提纲全文（Markdown：# 标题，## 部分，- 要点，可有表格），或内容的编号："
        "research、data、sample:work、文件路径 · "
        "the outline as Markdown, or the id of a content: research, data, sample:work, the path of a file",
        json_schema_extra=show_as("提纲或内容", "Outline or content", widget="textarea", labels=_CONTENT_LABELS),
    ),
]
TitleText = Annotated[
    str,
    Field(max_length=120, description="标题，可省略 · title", json_schema_extra=show_as("标题", "Title", hidden=True)),
]
FileName = Annotated[
    str,
    Field(
        max_length=120,
        description="文件名，可省略 · file name",
        json_schema_extra=show_as("文件名", "File name", hidden=True),
    ),
]
Known = Annotated[
    str,
    Field(
        max_length=400,
        description="已确定的内容 · settled before",
        json_schema_extra=show_as("已知内容", "Known content", hidden=True),
    ),
]
SkillName = Annotated[
    str,
    Field(
        max_length=64,
        description="前一项任务的技能 · skill of the task before",
        json_schema_extra=show_as("前一项", "Task before", hidden=True),
    ),
]
FoundBy = Annotated[
    str,
    Field(
        max_length=20,
        description="内容如何确定 · how the content was found",
        json_schema_extra=show_as("依据", "Found by", hidden=True),
    ),
]
Kind = Annotated[
    FileKind, Field(description="文件类型 · kind of file", json_schema_extra=show_as("类型", "Kind", hidden=True))
]
ToolLanguage = Annotated[
    Language, Field(description="语言 · language", json_schema_extra=show_as("语言", "Language", hidden=True))
]


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; the libraries for files are imported when one runs."""
    del context
    makers = (make_pptx, make_docx, make_pdf, make_xlsx)
    tools = [
        function_tool(find_content, idempotent=True, effects=_READS, timeout_s=_TIMEOUT_S),
        *(function_tool(one, name=one.__name__[5:], effects=_WRITES, timeout_s=_TIMEOUT_S) for one in makers),
    ]
    return add_titles(tools, _TITLES)


def find_content(
    context: ToolContext,
    description: Words,
    *,
    kind: Kind = "pptx",
    known: Known = "",
    previous: SkillName = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """按用户的话找到新文件的内容。Find the content of a new file: an outline in the words, a document or a report."""
    request = read_request(description, kind)
    content, source = match_content(description, context.workspace, known=known, previous=previous)
    return ToolResult(
        {
            "content": content or None,
            "unclear": not content,
            "source": source or "step",
            "title": request.title,
            "file_name": request.file_name,
            "options": list_options(context.workspace, language),
        }
    )


def make_pptx(
    context: ToolContext,
    content: ContentText,
    *,
    title: TitleText = "",
    file_name: FileName = "",
    found_by: FoundBy = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """由提纲、文件、研究结果或分析结果生成 PPT。Make slides from an outline, a document or a report."""
    return _make(context.workspace, "pptx", content, (title, file_name, found_by), language)


def make_docx(
    context: ToolContext,
    content: ContentText,
    *,
    title: TitleText = "",
    file_name: FileName = "",
    found_by: FoundBy = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """由提纲、文件、研究结果或分析结果生成 Word 文档。Make a Word document from an outline, a document or a report."""
    return _make(context.workspace, "docx", content, (title, file_name, found_by), language)


def make_pdf(
    context: ToolContext,
    content: ContentText,
    *,
    title: TitleText = "",
    file_name: FileName = "",
    found_by: FoundBy = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """由提纲、文件、研究结果或分析结果生成 PDF。Make a PDF from an outline, a document or a report."""
    return _make(context.workspace, "pdf", content, (title, file_name, found_by), language)


def make_xlsx(
    context: ToolContext,
    content: ContentText,
    *,
    title: TitleText = "",
    file_name: FileName = "",
    found_by: FoundBy = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """由表格、提纲、研究结果或分析结果生成 Excel。Make a workbook from tables, an outline, a document or a report."""
    return _make(context.workspace, "xlsx", content, (title, file_name, found_by), language)


def _make(workspace: Path, kind: FileKind, content: str, given: tuple[str, str, str], language: Language) -> ToolResult:
    title, file_name, found_by = given
    found = open_content(workspace, content, language)
    document = replace(found.document, title=title) if title.strip() else found.document
    data = create_file(document, kind)
    wanted = _clean_name(PurePosixPath(file_name).stem if file_name else document.title) or kind
    path = add_to_workspace(workspace, _FOLDER, partial(_choose_name, wanted, kind), data, WorkspaceQuota())
    name = PurePosixPath(path).name
    return ToolResult(
        {
            "file": path,
            "name": name,
            "kind": kind,
            "title": document.title,
            "content": found.id,
            "content_label": found.source,
            "count": _count(data, kind, document),
            "sources": len(document.sources),
            "summary": _summarize((name, kind, data), found._replace(document=document), found_by, language),
            "tables": [_list_parts(name, document, language)],
        }
    )


def _clean_name(text: str) -> str:
    return re.sub(r"[^\w\u4e00-\u9fff \-]+", "", text).strip().replace(" ", "-")[:_MAX_NAME_CHARS]


def _choose_name(wanted: str, kind: str, known: Sequence[str]) -> str:
    """A name that is free: a file is never overwritten."""
    taken = {one.casefold() for one in known}
    names = (f"{wanted}.{kind}", *(f"{wanted}-{number}.{kind}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name.casefold() not in taken)


def _count(data: bytes, kind: FileKind, document: NewDocument) -> int:
    """Slides, pages or sheets of the file as it is opened again; sections of a Word document."""
    match kind:
        case "pptx":
            from pptx import Presentation

            return len(Presentation(io.BytesIO(data)).slides)
        case "pdf":
            from pypdf import PdfReader

            return len(PdfReader(io.BytesIO(data)).pages)
        case "xlsx":
            from openpyxl import load_workbook

            return len(load_workbook(io.BytesIO(data), read_only=True).sheetnames)
        case "docx":
            return len(document.sections)


def _summarize(file: tuple[str, FileKind, bytes], content: Content, found_by: str, language: Language) -> str:
    name, kind, data = file
    document = content.document
    count = _count(data, kind, document)
    lines = [TEXTS.render(f"made_{kind}", language, name=name, count=count, source=content.source)]
    if document.subtitle and content.id in ("research", "data"):
        lines.insert(0, document.subtitle)
    if document.sources:
        lines.append(TEXTS.render("marks", language, count=len(document.sources)))
    if found_by == "assumption":
        lines.append(TEXTS.render("assumed", language))
    if kind == "pptx" and content.id == "outline" and len(document.sections) == 1:
        lines.append(TEXTS.render("flat", language))
    return "\n\n".join(lines)


def _name_block(block: NewBlock) -> str:
    """What a reader sees first of a block: its text, its title, or the heads of a table."""
    match block:
        case NewPoint():
            return block.text
        case NewTable():
            return block.title or " · ".join(block.heads)
        case _:
            return block.title


def _list_parts(name: str, document: NewDocument, language: Language) -> JsonObject:
    """Parts of the new file, so that the reader sees at once what is in it."""
    rows: list[JsonValue] = []
    for section in [one for one in document.sections if one.title or one.blocks][:_MAX_LISTED]:
        first = next(filter(None, map(_name_block, section.blocks)), TEXTS.render("only_heading", language))
        rows.append([section.title or document.title, str(len(section.blocks)), first[:80]])
    heads: list[JsonValue] = [TEXTS.render(code, language) for code in ("part", "points", "first")]
    return {"title": TEXTS.render("contents", language, name=name), "columns": heads, "rows": rows}

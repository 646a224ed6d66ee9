"""Parameters of the pack's tools, named for people in both languages."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic import JsonValue as PlanJson

from metier.language import Language
from metier.packs.office.conversation._documents import DocumentKind
from metier.tools import show_as

Words = Annotated[
    str,
    Field(max_length=20_000, description="用户的话 · the user's words", json_schema_extra=show_as("要求", "Request")),
]
DocumentId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=400,
        description="文件的路径或名称 · path or name of the document",
        json_schema_extra=show_as("文件", "Document"),
    ),
]
WrittenId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=400,
        description="文件的路径或名称 · path or name of the document",
        json_schema_extra=show_as("文件", "Document", hidden=True),  # a chip or the preview names it
    ),
]
Known = Annotated[
    str,
    Field(
        max_length=400,
        description="对话中已确定的文件 · settled before",
        json_schema_extra=show_as("已知文件", "Known document", hidden=True),
    ),
]
Task = Annotated[
    str,
    Field(max_length=64, description="技能 · id of the skill", json_schema_extra=show_as("任务", "Task", hidden=True)),
]
PatternId = Annotated[
    str,
    Field(
        max_length=400,
        description="作模板或样本的文件，none 为不用 · document that is the template or sample, none for none",
        json_schema_extra=show_as("模板或样本", "Template or sample", hidden=True),
    ),
]
PatternKind = Annotated[
    Literal["docx", "pptx"],
    Field(description="模板或样本的类型 · its kind", json_schema_extra=show_as("类型", "Kind", hidden=True)),
]
PlanName = Annotated[
    str,
    Field(
        max_length=40,
        description="propose_changes 或 submit_plan 返回的 plan · the `plan` that was returned",
        json_schema_extra=show_as("方案", "Plan", hidden=True),
    ),
]
Address = Annotated[
    str,
    Field(
        max_length=120,
        description="光标所在的位置，如 p12 · address of the cursor",
        json_schema_extra=show_as("光标位置", "Cursor", hidden=True),
    ),
]
Kinds = Annotated[
    list[DocumentKind],
    Field(
        max_length=4,
        description="能处理的文件类型 · kinds of documents that fit",
        json_schema_extra=show_as("类型", "Kinds", hidden=True),
    ),
]
SampleName = Annotated[
    str,
    Field(
        max_length=40,
        description="可用的示例 · sample that fits",
        json_schema_extra=show_as("示例", "Sample", hidden=True),
    ),
]
Subject = Annotated[
    Literal["", "bid", "contract", "exam", "meeting"],
    Field(description="文件是什么 · what the document is", json_schema_extra=show_as("内容", "Subject", hidden=True)),
]
PlanValue = Annotated[
    dict[str, PlanJson],
    Field(description="ah32.plan.v1 方案 · the plan as JSON", json_schema_extra=show_as("方案", "Plan", hidden=True)),
]
Mode = Annotated[
    Literal["direct", "tracked", "compare_table"],
    Field(
        description="写入方式：direct 直接，tracked 修订和批注，compare_table 文末对照表",
        json_schema_extra=show_as(
            "写入方式",
            "How",
            labels={
                "direct": {"zh": "直接写入", "en": "directly"},
                "tracked": {"zh": "修订和批注", "en": "tracked changes and comments"},
                "compare_table": {"zh": "文末对照表", "en": "comparison table at the end"},
            },
        ),
    ),
]
ToolLanguage = Annotated[
    Language,
    Field(description="语言 · language of the texts", json_schema_extra=show_as("语言", "Language", hidden=True)),
]

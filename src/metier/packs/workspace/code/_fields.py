"""Arguments of the code tools, with their titles for forms."""

from typing import Annotated, Final

from pydantic import Field

from metier.language import Language
from metier.packs.workspace.code._patch import MAX_PATCH_CHARS
from metier.packs.workspace.code._test_run import MAX_TIMEOUT_S
from metier.tools import show_as

_MAX_EDIT_CHARS: Final = 200_000

Words = Annotated[
    str,
    Field(
        max_length=MAX_PATCH_CHARS,
        description="用户的话 · the user's words",
        json_schema_extra=show_as("要求", "Request"),
    ),
]
Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="要找的文字，原样匹配 · text to find, as it stands",
        json_schema_extra=show_as("要找什么", "What to find"),
    ),
]
PatchText = Annotated[
    str,
    Field(
        max_length=MAX_PATCH_CHARS,
        description="统一格式的 diff · a unified diff",
        json_schema_extra=show_as("补丁", "Patch", hidden=True),
    ),
]
FilePath = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1_000,
        description="项目内的路径，如 src/app.py · path in the project",
        json_schema_extra=show_as("文件", "File", hidden=True),
    ),
]
OldText = Annotated[
    str,
    Field(
        max_length=_MAX_EDIT_CHARS,
        description="要替换的原文，在文件里只出现一次；新建文件时留空 · text to replace, once there; empty: new file",
        json_schema_extra=show_as("原文", "Old text", hidden=True),
    ),
]
NewText = Annotated[
    str,
    Field(
        max_length=_MAX_EDIT_CHARS,
        description="新文字 · new text",
        json_schema_extra=show_as("新文字", "New text", hidden=True),
    ),
]
OnlyTest = Annotated[
    str,
    Field(
        max_length=300,
        description="只运行这个测试：test_x 或 tests/test_a.py::test_x；留空运行全部 · one test, empty for all",
        json_schema_extra=show_as("测试", "Test", hidden=True),
    ),
]
Timeout = Annotated[
    int | None,
    Field(
        ge=1,
        le=MAX_TIMEOUT_S,
        description="秒数，留空用设置的时限 · seconds, empty for that of the settings",
        json_schema_extra=show_as("时限", "Time limit", hidden=True),
    ),
]
ProjectName = Annotated[
    str,
    Field(
        max_length=200,
        description="sample 或留空 · `sample`, or empty",
        json_schema_extra=show_as("项目", "Project", hidden=True),
    ),
]
ToolLanguage = Annotated[
    Language,
    Field(description="语言 · language of the texts", json_schema_extra=show_as("语言", "Language", hidden=True)),
]

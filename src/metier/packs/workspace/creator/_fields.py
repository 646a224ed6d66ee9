"""Arguments of the tools for new skills, with their titles for forms."""

from typing import Annotated

from pydantic import Field

from metier.language import Language
from metier.tools import show_as

_Line = Annotated[str, Field(min_length=1, max_length=300)]

Words = Annotated[
    str,
    Field(max_length=20_000, description="用户的话 · the user's words", json_schema_extra=show_as("要求", "Request")),
]
Title = Annotated[
    str,
    Field(
        min_length=1,
        max_length=60,
        description="技能的名称 · name of the skill",
        json_schema_extra=show_as("名称", "Name"),
    ),
]
Purpose = Annotated[
    str,
    Field(
        min_length=5,
        max_length=400,
        description="做什么、什么时候用，一句话 · what it does and when to use it, one sentence",
        json_schema_extra=show_as("用途", "Purpose"),
    ),
]
Examples = Annotated[
    list[_Line],
    Field(
        min_length=3,
        max_length=20,
        description="用户会怎么说，至少三句 · what users would say, at least three",
        json_schema_extra=show_as("示例说法", "What users say"),
    ),
]
Steps = Annotated[
    list[_Line],
    Field(
        min_length=1,
        max_length=20,
        description="怎么做，一步一行 · how it is done, a line a step",
        json_schema_extra=show_as("做法", "Steps"),
    ),
]
OtherTitle = Annotated[
    str,
    Field(
        max_length=60,
        description="另一种语言的名称，可留空 · name in the other language, may be empty",
        json_schema_extra=show_as("英文名称", "Chinese name"),
    ),
]
OtherPurpose = Annotated[
    str,
    Field(
        max_length=400,
        description="另一种语言的用途，可留空 · purpose in the other language, may be empty",
        json_schema_extra=show_as("英文用途", "Chinese purpose"),
    ),
]
Triggers = Annotated[
    list[_Line],
    Field(
        max_length=30,
        description="触发词，可留空 · trigger words, may be empty",
        json_schema_extra=show_as("触发词", "Triggers"),
    ),
]
Questions = Annotated[
    list[_Line],
    Field(
        max_length=8,
        description="开始前要问用户的问题，可留空 · questions to ask first, may be empty",
        json_schema_extra=show_as("要问的问题", "Questions to ask"),
    ),
]
ToolNames = Annotated[
    list[_Line],
    Field(
        max_length=30,
        description="允许使用的工具，可留空 · tools it may use, may be empty",
        json_schema_extra=show_as("允许的工具", "Allowed tools"),
    ),
]
DraftName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="draft_skill 返回的 id · the `id` that draft_skill returned",
        json_schema_extra=show_as("草稿", "Draft", hidden=True),
    ),
]
SkillName = Annotated[
    str,
    Field(
        max_length=100,
        description="技能的名称；留空为本对话最近安装的 · name of the skill; empty for the last one",
        json_schema_extra=show_as("技能", "Skill", hidden=True),
    ),
]
ToolLanguage = Annotated[
    Language,
    Field(description="语言 · language of the texts", json_schema_extra=show_as("语言", "Language", hidden=True)),
]

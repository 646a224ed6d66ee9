"""Parameters that several tools share, named for people in both languages."""

from typing import Annotated

from pydantic import Field

from metier.language import Language
from metier.tools import show_as

Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="用户的话 · user's words",
        json_schema_extra=show_as("你的话", "Your words"),
    ),
]
SummaryLanguage = Annotated[
    Language,
    Field(description="语言 · language", json_schema_extra=show_as("语言", "Language", hidden=True)),
]

"""Data analysis: profile, groups, trends and pivots of tables, reports that can be computed again, new files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from metier.bench import Figure
    from metier.pack import PackAnswer, PackContext, PackQuestion
    from metier.tools import Tool

__all__ = ["answer_from_file", "build_tools", "figures", "orders_conversion", "speaks_of_data"]


def build_tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the data tools."""
    from metier.packs.workspace.data._tools import build_tools as build

    return build(context)


def figures(data: "Path | None" = None) -> "Iterator[Figure]":
    """Measure a report on a large file and the memory of a million rows; no data folder is needed."""
    from metier.packs.workspace.data._figures import measure

    del data
    return measure()


def answer_from_file(question: "PackQuestion") -> "PackAnswer | None":
    """What the file under analysis says to a question; None if the message is no question about it."""
    from metier.packs.workspace.data.questions import answer_from_file as answer

    return answer(question)


def speaks_of_data(message: str, workspace: "Path") -> bool:
    """Whether a message wants the data analysed that lie in the conversation's folder."""
    from metier.packs.workspace.data.questions import speaks_of_data as speaks

    return speaks(message, workspace)


def orders_conversion(message: str, workspace: "Path") -> bool:
    """Whether a message asks to write the table that lies in the conversation's folder in another format."""
    from metier.packs.workspace.data.questions import orders_conversion as orders

    return orders(message, workspace)

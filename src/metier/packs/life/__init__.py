"""Life pack: bazi, zodiac, tarot, career and goals, computed first and explained sentence by sentence."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from typer import Typer

    from metier.bench import Figure
    from metier.pack import PackAnswer, PackContext, PackQuestion
    from metier.tools import Tool

__all__ = ["answer", "app", "claim", "figures", "measure_charts", "tools"]


def answer(question: "PackQuestion") -> "PackAnswer | None":
    """What was drawn or computed says of one of its parts; None for other messages and other skills."""
    from metier.packs.life.conversation import answer_follow_up

    return answer_follow_up(question)


def claim(message: str, workspace: "Path") -> str:
    """A question for the Sun sign of a day is one for the terms: it needs no birth data and no chart."""
    from metier.packs.life._sign_questions import asks_for_sign

    del workspace
    return "life_terms" if asks_for_sign(message) else ""


def tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the pack's tools; nothing heavy is imported before one runs."""
    from metier.packs.life.conversation import build_tools

    return build_tools(context)


def measure_charts(data: "Path | None") -> "Iterator[Figure]":
    """Measure the figures of charts and readings."""
    from metier.packs.life._chart_figures import measure

    return measure(data)


def figures(data: "Path | None") -> "Iterator[Figure]":
    """Measure the figures of the pack."""
    from metier.packs.life._figures import measure

    return measure(data)


def __getattr__(name: str) -> "Typer":
    """The command line is built when it is used: a pack costs nothing before."""
    if name == "app":
        from metier.packs.life._cli import app

        return app
    raise AttributeError(name)

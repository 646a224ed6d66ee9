"""PHM pack: diagnosis of rotating machines from vibration records, trends and remaining life."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from typer import Typer

    from metier.bench import Figure
    from metier.pack import PackAnswer, PackContext, PackQuestion
    from metier.tools import Tool

__all__ = ["answer", "app", "claim", "fallback_claim", "figures", "tools"]


def tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the pack's tools. Reports are written into the conversation's folder."""
    from metier.packs.phm.conversation import build_tools

    return build_tools(context)


def claim(message: str, workspace: "Path") -> str:
    """The diagnosis for nothing but a speed (转速是1480), the skill that computes for a question about a figure."""
    from metier.packs.phm._everyday import gives_only_speed
    from metier.packs.phm.requests import find_asked_skill

    del workspace
    return find_asked_skill(message) or ("bearing_diagnosis" if gives_only_speed(message) else "")


def answer(question: "PackQuestion") -> "PackAnswer | None":
    """A question about a value of the record, and another parameter of its analysis, are orders for the steps."""
    from metier.pack import PackAnswer
    from metier.packs.phm.requests import find_follow_up_skill

    has_record = any(question.facts.get(one) for one in ("asset", "gear"))
    skill = find_follow_up_skill(question.text, question.skill, has_record=has_record)
    return PackAnswer("", found=False, is_order=True, skill=skill) if skill else None


def fallback_claim(message: str, workspace: "Path") -> str:
    """The skill for a message that asks in everyday words how a named machine does."""
    from metier.packs.phm._everyday import find_everyday_skill

    return find_everyday_skill(message, workspace)


def figures(data: "Path | None") -> "Iterator[Figure]":
    """Measure the figures of the pack; public records are read from the data folder."""
    from metier.packs.phm._figures import measure

    return measure(data)


def __getattr__(name: str) -> "Typer":
    """The command line is built when it is used: a pack costs nothing before."""
    if name == "app":
        from metier.packs.phm._cli import app

        return app
    raise AttributeError(name)

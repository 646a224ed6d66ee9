"""Cards of nodes for a picture: title by category, thumbnail, one line of parameters or result, category and shape."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.language import Language, Sentences, shorten_text

if TYPE_CHECKING:
    from metier.flow.dag import Node

_MAX_LINE_CHARS: Final = 34
# Title bar and tint by category.
COLOURS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "input": ("#475569", "#F1F5F9"),
        "expand": ("#7C3AED", "#F5F3FF"),
        "transform": ("#0369A1", "#F0F9FF"),
        "aggregate": ("#047857", "#ECFDF5"),
        "multi": ("#B45309", "#FFFBEB"),
        "decision": ("#B91C1C", "#FEF2F2"),
    }
)
_WORDS: Final = Sentences(
    {
        "input": ("input", "输入"),
        "expand": ("expand", "展开"),
        "transform": ("transform", "变换"),
        "aggregate": ("aggregate", "聚合"),
        "multi": ("several inputs", "多输入"),
        "decision": ("decision", "判定"),
        "failed": ("failed", "失败"),
    }
)
_NOT_ASCII: Final = re.compile(r"[^\x20-\x7e]+")


@dataclass(frozen=True, slots=True)
class Card:
    """A node as it is drawn."""

    id: str
    title: str
    line: str
    footer: str
    category: str
    inputs: tuple[str, ...]
    is_failed: bool = False
    is_kept: bool = False
    points: tuple[float, ...] = ()


def make_card(
    node: "Node",
    title: str,
    line: str,
    points: Sequence[float] = (),
    *,
    language: Language = "en",
    is_kept: bool = False,
    ascii_only: bool = False,
) -> Card:
    """Card of a node with a line about its result; with `ascii_only`, what the font cannot show is left out."""
    shape = "×".join(map(str, node.shape)) or "1"
    parts = [_WORDS.render(node.category, language), shape]
    if node.state == "failed":
        parts[1] = _WORDS.render("failed", language)
    if node.elapsed_ms >= 1:
        parts.append(f"{node.elapsed_ms:.0f} ms")
    texts = [f"{node.id}  {title}", line, ", ".join(parts)]
    if ascii_only:
        texts = [text.replace("×", "x") for text in texts]
        texts = [_NOT_ASCII.sub("?", text) for text in texts]
    title, line, footer = (shorten_text(text, _MAX_LINE_CHARS) for text in texts)
    if ascii_only:
        title, line, footer = (text.replace("…", "...") for text in (title, line, footer))
    return Card(
        node.id,
        title,
        line,
        footer,
        node.category if node.category in COLOURS else "transform",
        node.inputs,
        node.state == "failed",
        is_kept,
        tuple(points),
    )

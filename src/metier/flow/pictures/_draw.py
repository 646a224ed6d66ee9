"""Draws DAGs with Graphviz: SVG with thumbnails inside, PNG; Mermaid text where Graphviz is not installed."""

import tempfile
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.errors import MissingExtra
from metier.flow.dag import sketch_node
from metier.flow.pictures._cards import COLOURS, Card, make_card
from metier.flow.pictures._graphviz import draw_graph
from metier.language import Language

if TYPE_CHECKING:
    from metier.flow.dag import DagTracker

_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_MIN_BYTES: Final = 200
_FONT: Final = "DejaVu Sans"
_CJK_FONTS: Final = (
    "NotoSansCJK",
    "NotoSansSC",
    "SourceHanSans",
    "wqy",
    "msyh",
    "PingFang",
    "simhei",
    "droidsansfallback",
)
_FONT_FOLDERS: Final = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts")
_THUMB_SIZE: Final = (150, 54)
_SCALE: Final = 3


def draw_dags(
    dags: Iterable["DagTracker"], kept: Mapping[str, str] | None = None, *, language: Language = "en"
) -> tuple[Card, ...]:
    """Cards of all nodes of several DAGs; what two DAGs have in common is drawn once. `kept` nodes are marked.

    Without a font for Chinese the titles are English whatever the language.
    """
    ascii_only = not has_cjk_font()
    spoken: Language = "en" if ascii_only else language
    first_of: dict[str, str] = {}
    renamed: dict[str, str] = {}
    cards: list[Card] = []
    for dag in dags:
        for node in dag.nodes.values():
            key = f"{node.name}:{node.digest}"
            renamed[node.id] = first_of.setdefault(key, node.id)
            if renamed[node.id] != node.id:
                continue
            title, line, points = dag.name_node(node, spoken), dag.describe_result(node, spoken), sketch_node(dag, node)
            is_kept = node.id in (kept or {})
            cards.append(make_card(node, title, line, points, language=spoken, is_kept=is_kept, ascii_only=ascii_only))
    return tuple(
        replace(one, inputs=tuple(dict.fromkeys(renamed.get(name, name) for name in one.inputs))) for one in cards
    )


@cache
def has_cjk_font() -> bool:
    """Whether a font with Chinese characters is installed; without one labels are English only, never boxes."""
    wanted = tuple(name.casefold() for name in _CJK_FONTS)
    for folder in map(Path, _FONT_FOLDERS):
        if folder.is_dir() and any(
            any(name in file.name.casefold() for name in wanted) for file in folder.rglob("*.[to]t[cf]")
        ):
            return True
    return False


def render_png(cards: Sequence[Card]) -> bytes:
    """Picture as PNG; `MissingExtra` without Graphviz. Never empty: the file is checked before it is returned."""
    content = _render(cards, "png")
    if not content.startswith(_PNG_SIGNATURE) or len(content) < _MIN_BYTES:
        raise MissingExtra("Graphviz drew no picture", hint="install metier[flow] again")
    return content


def render_svg(cards: Sequence[Card]) -> str:
    """Picture as one SVG with its thumbnails inside; `MissingExtra` without Graphviz."""
    text = _render(cards, "svg").decode("utf-8")
    if "<svg" not in text or "</svg>" not in text:
        raise MissingExtra("Graphviz drew no picture", hint="install metier[flow] again")
    return text


def render_mermaid(cards: Sequence[Card]) -> str:
    """The DAG as Mermaid text, for Markdown and where there is no Graphviz."""
    lines = ["flowchart LR"]
    for card in cards:
        label = f"{card.title}<br/>{card.line}".replace('"', "'")
        lines.append(f'    {card.id}["{label}"]')
        lines += [f"    {name} --> {card.id}" for name in card.inputs]
    for category, (bar, tint) in COLOURS.items():
        names = ",".join(card.id for card in cards if card.category == category and not card.is_failed)
        if names:
            lines += [f"    classDef {category} fill:{tint},stroke:{bar}", f"    class {names} {category}"]
    failed = ",".join(card.id for card in cards if card.is_failed)
    if failed:
        lines += ["    classDef failed stroke:#B91C1C,stroke-dasharray:4 3", f"    class {failed} failed"]
    return "\n".join(lines)


def _render(cards: Sequence[Card], form: str) -> bytes:
    try:
        import pygraphviz
    except ImportError as error:
        raise MissingExtra("pictures of graphs need pygraphviz", hint="pip install 'metier[flow]'") from error
    with tempfile.TemporaryDirectory(prefix="metier-flow-") as folder:
        thumbs = {card.id: path for card in cards if (path := _write_thumbnail(Path(folder), card))}
        graph = pygraphviz.AGraph(directed=True, strict=False)
        graph.graph_attr.update(
            rankdir="LR", nodesep="0.22", ranksep="0.42", dpi="130", splines="spline", bgcolor="white"
        )
        graph.node_attr.update(shape="plain", fontname=_FONT)
        graph.edge_attr.update(color="#94A3B8", arrowsize="0.6")
        for card in cards:
            graph.add_node(card.id, label=_label(card, thumbs.get(card.id)))
        known = {card.id for card in cards}
        kept = _find_kept_path(cards)
        for card in cards:
            for name in card.inputs:
                if name in known:
                    strong = {"color": "#B91C1C", "penwidth": "2"} if card.id in kept and name in kept else {}
                    graph.add_edge(name, card.id, **strong)
        content = draw_graph(graph, form)
        return _inline(content, thumbs.values()) if form == "svg" else content


def _find_kept_path(cards: Sequence[Card]) -> frozenset[str]:
    """Kept nodes and all they were made of: the path that carried the verdict."""
    by_id = {card.id: card for card in cards}
    waiting = [card.id for card in cards if card.is_kept]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in by_id and name not in found:
            found.add(name)
            waiting.extend(by_id[name].inputs)
    return frozenset(found)


def _label(card: Card, thumbnail: Path | None) -> str:
    bar, tint = COLOURS[card.category]
    border = ' STYLE="DASHED" COLOR="#B91C1C"' if card.is_failed else f' COLOR="{bar}"'
    weight = "3" if card.is_kept else "1"
    rows = [
        f'<TR><TD BGCOLOR="{bar}" ALIGN="LEFT"><FONT COLOR="white" POINT-SIZE="11"><B>{escape(card.title)}</B></FONT>'
        "</TD></TR>"
    ]
    if thumbnail is not None:
        width, height = _THUMB_SIZE
        image = f'<IMG SCALE="BOTH" SRC="{thumbnail}"/>'
        rows.append(f'<TR><TD FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}">{image}</TD></TR>')
    if card.line:
        rows.append(f'<TR><TD ALIGN="LEFT"><FONT POINT-SIZE="10">{escape(card.line)}</FONT></TD></TR>')
    footer = f'<FONT POINT-SIZE="9" COLOR="#64748B">{escape(card.footer)}</FONT>'
    rows.append(f'<TR><TD ALIGN="LEFT">{footer}</TD></TR>')
    head = f'<TABLE BORDER="{weight}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" BGCOLOR="{tint}"{border}>'
    return f"<{head}{''.join(rows)}</TABLE>>"


def _write_thumbnail(folder: Path, card: Card) -> Path | None:
    """Thumbnail of the node's own data; None without data or without Pillow."""
    if len(card.points) < 3:
        return None
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        return None
    width, height = (size * _SCALE for size in _THUMB_SIZE)
    picture = Image.new("RGB", (width, height), COLOURS[card.category][1])
    low, high = min(card.points), max(card.points)
    span = (high - low) or 1.0
    last = len(card.points) - 1
    line = [
        (8 + at * (width - 16) / last, height - 10 - (value - low) / span * (height - 20))
        for at, value in enumerate(card.points)
    ]
    ImageDraw.Draw(picture).line(line, fill=COLOURS[card.category][0], width=4, joint="curve")
    path = folder / f"{card.id}.png"
    picture.save(path)
    return path


def _inline(content: bytes, files: Iterable[Path]) -> bytes:
    """Put the thumbnails into the SVG: links to files of this machine would show nothing elsewhere."""
    for file in files:
        data = b"data:image/png;base64," + b64encode(file.read_bytes())
        content = content.replace(str(file).encode(), data)
    return content

"""Writes reports: Markdown, HTML with the pictures inside, or PDF."""

import base64
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from metier.errors import InvalidInput, MissingExtra
from metier.language import Language
from metier.packs.phm.diagnosis import Diagnosis
from metier.packs.phm.loaders import Record
from metier.packs.phm.reports._plots import draw_envelope, draw_steps
from metier.packs.phm.reports._text import build_markdown

_STYLE: Final = (
    "body{font:15px/1.6 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#0f172a}"
    "table{border-collapse:collapse;font-size:13px}td,th{border:1px solid #cbd5e1;padding:.25rem .5rem;text-align:left}"
    "img{max-width:100%}h1{font-size:1.4rem}h2{font-size:1.1rem}"
)


def write_report(path: Path, results: Sequence[tuple[Record, Diagnosis]], language: Language) -> Path:
    """Write the report of one or several records; the suffix says the format."""
    suffix = path.suffix.lower()
    if suffix not in (".html", ".htm", ".pdf", ".md"):
        raise InvalidInput(
            f"a report is no {suffix or 'file without a suffix'}", hint="report.html, report.pdf, report.md"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [(build_markdown(record, found, language), _draw(record, found)) for record, found in results]
    if suffix == ".md":
        path.write_text("\n".join(text for text, _ in parts), "utf-8")
    elif suffix == ".pdf":
        path.write_bytes(_to_pdf(parts))
    else:
        path.write_text(_to_html(parts, language), "utf-8")
    return path


def _draw(record: Record, found: Diagnosis) -> Mapping[str, bytes]:
    pictures = {"envelope spectrum": draw_envelope(record, found), "steps": draw_steps(found)}
    return {title: picture for title, picture in pictures.items() if picture is not None}


def _to_html(parts: Sequence[tuple[str, Mapping[str, bytes]]], language: Language) -> str:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    bodies = []
    for text, pictures in parts:
        images = "".join(
            f'<p><img alt="{title}" src="data:image/png;base64,{base64.b64encode(one).decode()}"></p>'
            for title, one in pictures.items()
        )
        bodies.append(reader.render(text) + images)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="{language}"><head>{head}</head><body>{"<hr>".join(bodies)}</body></html>\n'


def _to_pdf(parts: Sequence[tuple[str, Mapping[str, bytes]]]) -> bytes:
    try:
        from reportlab.lib.pagesizes import A4
        from reportlab.lib.styles import ParagraphStyle
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.cidfonts import UnicodeCIDFont
        from reportlab.platypus import Image, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle
    except ImportError as error:
        raise MissingExtra("a PDF report needs reportlab", hint="pip install metier[exports]") from error
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    plain = ParagraphStyle("plain", fontName="STSong-Light", fontSize=10, leading=15, wordWrap="CJK")
    large = ParagraphStyle("large", parent=plain, fontSize=14, leading=20, spaceBefore=6)
    flow: list[object] = []
    for text, pictures in parts:
        rows: list[list[Paragraph]] = []
        for line in text.splitlines():
            if line.startswith("|"):
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                if not set(line) <= {"|", "-"}:
                    rows.append([Paragraph(cell, plain) for cell in cells])
            elif line.strip():
                flow.append(Paragraph(_bold(line.lstrip("#- ")), large if line.startswith("#") else plain))
        if rows:
            grid = TableStyle([("GRID", (0, 0), (-1, -1), 0.4, "#cbd5e1")])
            flow += [Spacer(1, 6), Table(rows, style=grid, repeatRows=1)]
        for picture in pictures.values():
            image = Image(io.BytesIO(picture))
            scale = min(1.0, 480 / image.drawWidth)
            image.drawWidth, image.drawHeight = image.drawWidth * scale, image.drawHeight * scale
            flow += [Spacer(1, 8), image]
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4, title="PHM").build(flow)
    return buffer.getvalue()


def _bold(line: str) -> str:
    parts = line.replace("&", "&amp;").replace("<", "&lt;").split("**")
    return "".join(f"<b>{part}</b>" if at % 2 else part for at, part in enumerate(parts))

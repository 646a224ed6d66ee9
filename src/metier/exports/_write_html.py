"""Document as one HTML file: styles and pictures are inside, no script, nothing is loaded from anywhere."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from metier.exports._blocks import (
    Block,
    DrawingBlock,
    ExportDocument,
    HeadingBlock,
    ImageBlock,
    ListBlock,
    TableBlock,
    TextBlock,
    TextRun,
)
from metier.exports._svg import write_svg
from metier.language import choose

_STYLE: Final = """
body{font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif;color:#1d232b;max-width:52rem;
margin:2rem auto;padding:0 1rem}h1{font-size:1.6rem}
h2{font-size:1.25rem;margin-top:2.2rem;border-bottom:1px solid #d8dde3}h3{font-size:1.08rem}h4,h5{font-size:1rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:.4rem 0}
th,td{border:1px solid #d8dde3;padding:.25rem .5rem;text-align:left;vertical-align:top}th{background:#f1f4f7}
td.n{text-align:right;font-variant-numeric:tabular-nums}.note{color:#5a6572;font-size:13px}
.question,.user{border-left:3px solid #2f6fdb;padding-left:.7rem}pre{background:#f1f4f7;padding:.7rem;overflow-x:auto}
figure{margin:1rem 0}figcaption{font-weight:600}svg,img{max-width:100%;height:auto}
@media print{body{margin:0;max-width:none}figure,tr{break-inside:avoid}}
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def write_html(document: ExportDocument) -> bytes:
    """Write the document as a self-contained page."""
    title = escape(document.title)
    language = choose(document.language, en="en", zh="zh-CN")
    body = "\n".join(part for block in document.blocks for part in _write_block(block))
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    ).encode()


def _write_block(block: Block) -> Iterator[str]:
    if isinstance(block, HeadingBlock):
        yield f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    elif isinstance(block, TextBlock) and block.tone == "code":
        yield f"<pre>{escape(block.text)}</pre>"
    elif isinstance(block, TextBlock):
        kind = "" if block.tone == "plain" else f' class="{block.tone}"'
        yield f"<p{kind}>{_write_runs(block.runs)}</p>"
    elif isinstance(block, ListBlock):
        name = "ol" if block.is_numbered else "ul"
        yield f"<{name}>{''.join(f'<li>{_write_runs(item)}</li>' for item in block.items)}</{name}>"
    elif isinstance(block, TableBlock):
        yield from _write_table(block)
    else:
        inside = write_svg(block.drawing) if isinstance(block, DrawingBlock) else _write_image(block)
        note = f'<p class="note">{escape(block.note)}</p>' if isinstance(block, DrawingBlock) and block.note else ""
        yield f"<figure><figcaption>{escape(block.title)}</figcaption>{inside}{note}</figure>"


def _write_image(block: ImageBlock) -> str:
    content = b64encode(block.content).decode()
    return f'<img alt="{escape(block.title)}" src="data:{block.media_type};base64,{content}">'


def _write_runs(runs: Sequence[TextRun]) -> str:
    return "".join(_write_run(run) for run in runs)


def _write_run(run: TextRun) -> str:
    text = escape(run.text).replace("\n", "<br>")
    return f"<strong>{text}</strong>" if run.bold else f"<code>{text}</code>" if run.code else text


def _write_table(block: TableBlock) -> Iterator[str]:
    if block.title:
        yield f"<h4>{escape(block.title)}</h4>"
    heads = "".join(f"<th>{escape(head)}</th>" for head in block.heads)
    yield f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>'
    for row in block.rows:
        cells = zip(row, block.numeric, strict=False)
        yield "<tr>" + "".join(f"<td{' class=n' if one else ''}>{escape(cell)}</td>" for cell, one in cells) + "</tr>"
    yield "</tbody></table></div>"
    if block.note:
        yield f'<p class="note">{escape(block.note)}</p>'

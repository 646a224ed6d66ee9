"""SVG bar charts for light and dark pages, with a text description for screen readers."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

_WIDTH: Final = 900
_COLUMNS: Final = 2
_GAP: Final = 24
_LABEL: Final = 205
_VALUE: Final = 40
_LINE: Final = 18
_HEAD: Final = 30
_TOP: Final = 54

_STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 16px; font-weight: 600; }
.panel { font-size: 13px; font-weight: 600; }
.note, .value { fill: #57606a; }
.ours { fill: #2f6fdb; }
.theirs { fill: #9aa4af; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .note, .value { fill: #9da7b3; }
  .ours { fill: #5b95f5; }
  .theirs { fill: #6b7682; }
}
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """Labelled value from 0 to 100; `ours` is coloured."""

    label: str
    value: float
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Titled group of bars."""

    title: str
    bars: tuple[Bar, ...]


def draw_bar_chart(title: str, note: str, panels: Sequence[Panel]) -> str:
    """Draw the panels in two columns as one SVG document."""
    width = (_WIDTH - _GAP * (_COLUMNS + 1)) // _COLUMNS
    drawn: list[str] = []
    top = _TOP
    for start in range(0, len(panels), _COLUMNS):
        row = panels[start : start + _COLUMNS]
        for column, panel in enumerate(row):
            drawn.append(_draw_panel(panel, _GAP + column * (width + _GAP), top, width))
        top += _HEAD + _LINE * max(len(panel.bars) for panel in row) + _GAP
    said = "; ".join(f"{panel.title}: {', '.join(_describe_bar(bar) for bar in panel.bars)}" for panel in panels)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" width="{_WIDTH}" height="{top}" '
            'role="img" aria-labelledby="chart-title chart-values">',
            f'<title id="chart-title">{escape(title)}</title>',
            f'<desc id="chart-values">{escape(said)}</desc>',
            f"<style>{_STYLE}</style>",
            f'<text class="title" x="{_GAP}" y="24">{escape(title)}</text>',
            f'<text class="note" x="{_GAP}" y="42">{escape(note)}</text>',
            *drawn,
            "</svg>",
            "",
        ]
    )


def _draw_panel(panel: Panel, left: int, top: int, width: int) -> str:
    lines = [f'<text class="panel" x="{left}" y="{top + 18}">{escape(panel.title)}</text>']
    room = width - _LABEL - _VALUE
    for number, bar in enumerate(panel.bars):
        y = top + _HEAD + number * _LINE
        long = room * min(max(bar.value, 0.0), 100.0) / 100
        start = left + _LABEL
        kind = "ours" if bar.ours else "theirs"
        lines += [
            f'<text x="{start - 6}" y="{y + 10}" text-anchor="end">{escape(bar.label)}</text>',
            f'<rect class="{kind}" x="{start}" y="{y}" width="{long:.1f}" height="{_LINE - 6}" rx="2"/>',
            f'<text class="value" x="{start + long + 5:.1f}" y="{y + 10}">{bar.value:.1f}</text>',
        ]
    return "\n".join(lines)


def _describe_bar(bar: Bar) -> str:
    return f"{bar.label} {bar.value:.1f} %"

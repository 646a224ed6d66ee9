"""Faces of the cards and the picture of a spread, as SVG drawn by code."""

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from metier.language import Language
from metier.packs.life.tarot._deck import DrawnCard, TarotCard
from metier.packs.life.tarot._draw import Draw
from metier.packs.life.tarot._emblems import COURT, MAJORS, SUITS

_WIDTH: Final = 180
_HEIGHT: Final = 300
_GAP: Final = 34
_CAPTION: Final = 54
_INKS: Final[Mapping[str, str]] = MappingProxyType(
    {"major": "#4b3f72", "wands": "#a2512b", "cups": "#2c6e8f", "swords": "#55606e", "pentacles": "#54763a"}
)
_PIPS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = MappingProxyType(
    {
        1: ((0, 0),),
        2: ((0, -45), (0, 45)),
        3: ((0, -62), (0, 0), (0, 62)),
        4: ((-32, -45), (32, -45), (-32, 45), (32, 45)),
        5: ((-32, -58), (32, -58), (0, 0), (-32, 58), (32, 58)),
        6: ((-32, -60), (32, -60), (-32, 0), (32, 0), (-32, 60), (32, 60)),
        7: ((-32, -66), (32, -66), (0, -33), (-32, 0), (32, 0), (-32, 62), (32, 62)),
        8: ((-32, -72), (32, -72), (-32, -24), (32, -24), (-32, 24), (32, 24), (-32, 72), (32, 72)),
        9: ((-32, -74), (32, -74), (-32, -28), (32, -28), (0, 0), (-32, 28), (32, 28), (-32, 74), (32, 74)),
        10: (
            *((-32, -76), (32, -76), (0, -52), (-32, -28), (32, -28)),
            *((-32, 28), (32, 28), (0, 52), (-32, 76), (32, 76)),
        ),
    }
)
_ROMAN: Final = (
    *("0", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"),
    *("XVI", "XVII", "XVIII", "XIX", "XX", "XXI"),
)
_FONT: Final = "font-family=\"'Noto Serif SC','Songti SC',Georgia,serif\""


def draw_spread(draw: Draw, language: Language) -> str:
    """The spread as one SVG: each card at its place with its position and name below."""
    places = draw.spread.places
    step_x, step_y = _WIDTH + _GAP, _HEIGHT + _GAP + _CAPTION
    width = max(x for x, _, _ in places) * step_x + _WIDTH + 2 * _GAP
    height = max(y for _, y, _ in places) * step_y + _HEIGHT + _CAPTION + 2 * _GAP
    parts = []
    shown = zip(draw.positions, places, strict=True)
    for number, ((position, drawn), (column, row, turned)) in enumerate(shown, 1):
        x, y = _GAP + column * step_x, _GAP + row * step_y
        centre = f"{x + _WIDTH / 2:.1f} {y + _HEIGHT / 2:.1f}"
        turn = f' transform="rotate(90 {centre})"' if turned else ""
        parts.append(f"<g{turn}>{_place_card(drawn, x, y, language)}</g>")
        below = y + _HEIGHT + (20 if not turned else 72)
        label = f"{number}. {position.title.text(language)}"
        if not turned:
            parts.append(_write(label, x + _WIDTH / 2, below, 15, "#3a3428"))
            parts.append(_write(drawn.title(language), x + _WIDTH / 2, below + 20, 13, "#7a6f5d"))
        else:
            text = f"{label} · {drawn.title(language)}"
            parts.append(_write(text, x + _WIDTH / 2, y - 10, 12, "#7a6f5d"))
    title = escape(draw.spread.title.text(language))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img"><title>{title}</title>'
        f'<rect width="100%" height="100%" rx="18" fill="#f1ece1"/>{"".join(parts)}</svg>'
    )


def _place_card(drawn: DrawnCard, x: float, y: float, language: Language) -> str:
    turn = f" rotate(180 {_WIDTH / 2} {_HEIGHT / 2})" if drawn.is_reversed else ""
    return f'<g transform="translate({x:.1f} {y:.1f}){turn}">{draw_face(drawn.card, language)}</g>'


def draw_face(card: TarotCard, language: Language) -> str:
    """One face in a box of 180 by 300, upright."""
    ink = _INKS[card.suit]
    number = _ROMAN[card.number] if card.suit == "major" or card.number in _PIPS else ""
    frame = (
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="12" fill="#fffdf7" stroke="{ink}" stroke-width="2"/>'
        f'<rect x="8" y="8" width="{_WIDTH - 16}" height="{_HEIGHT - 16}" rx="8" fill="none" stroke="#c9a45c"/>'
    )
    style = f'fill="none" stroke="{ink}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round" color="{ink}"'
    centre = f"translate({_WIDTH / 2} {_HEIGHT / 2 - 4})"
    art = f'<g transform="{centre}" {style}>{_draw_art(card)}</g>'
    name = card.name.text(language)
    written = _write(number, _WIDTH / 2, 34, 16, ink) + _write(name, _WIDTH / 2, _HEIGHT - 22, 14, ink)
    return frame + art + written


def _draw_art(card: TarotCard) -> str:
    if card.suit == "major":
        return f'<circle r="76" stroke-width="1" stroke="#c9a45c"/>{MAJORS[card.number]}'
    sign = SUITS[card.suit]
    if card.number in COURT:
        return f'{COURT[card.number]}<g transform="translate(0 80)">{sign}</g>'
    size = 2.6 if card.number == 1 else 0.9
    return "".join(f'<g transform="translate({x} {y}) scale({size})">{sign}</g>' for x, y in _PIPS[card.number])


def _write(text: str, x: float, y: float, size: int, colour: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{size}" fill="{colour}" {_FONT}>'
        f"{escape(text)}</text>"
    )

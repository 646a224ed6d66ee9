"""Faces of the cards and the picture of a spread, as SVG drawn by code."""

from collections.abc import Mapping
from html import escape
from math import ceil
from types import MappingProxyType
from typing import Final

from metier.language import Language
from metier.packs.life.tarot._deck import DrawnCard, TarotCard
from metier.packs.life.tarot._draw import Draw
from metier.packs.life.tarot._emblems import COURT, MAJORS, SUITS

_WIDTH: Final = 180
_HEIGHT: Final = 300
_GAP: Final = 34
# Captions are at least so many pixels high where the picture is as wide as on a phone.
_READABLE: Final = 10
_PHONE: Final = 340
_LEAST_SIZE: Final = 15
_LINE: Final = 1.25
_DARK: Final = "#3a3428"
_PALE: Final = "#7a6f5d"
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
    """The spread as one SVG: each card at its place with its position and name below, readable on a phone."""
    places = draw.spread.places
    step_x = _WIDTH + _GAP
    columns = {x for x, _, _ in places}
    width = max(columns) * step_x + _WIDTH + 2 * _GAP
    size = max(_LEAST_SIZE, ceil(_READABLE * width / _PHONE))
    room = min([b - a for a in columns for b in columns if b > a], default=1.0) * step_x - _GAP / 4
    labels = [f"{at}. {position.title.text(language)}" for at, (position, _) in enumerate(draw.positions, 1)]
    captions = [
        [
            *((line, _DARK) for line in _break_text(label, size, room)),
            *((line, _PALE) for line in _break_text(drawn.title(language), size, room)),
        ]
        for label, (_, drawn) in zip(labels, draw.positions, strict=True)
    ]
    upright = [lines for lines, (_, _, turned) in zip(captions, places, strict=True) if not turned]
    below = max(map(len, upright)) * size * _LINE + _GAP / 2
    step_y = _HEIGHT + _GAP + below
    height = max(y for _, y, _ in places) * step_y + _HEIGHT + below + 2 * _GAP
    parts = []
    shown = zip(draw.positions, places, labels, captions, strict=True)
    for (_, drawn), (column, row, turned), label, lines in shown:
        x, y = _GAP + column * step_x, _GAP + row * step_y
        middle = x + _WIDTH / 2
        turn = f' transform="rotate(90 {middle:.1f} {y + _HEIGHT / 2:.1f})"' if turned else ""
        parts.append(f"<g{turn}>{_place_card(drawn, x, y, language)}</g>")
        if turned:  # the card across another has its caption above both
            parts.append(_write(f"{label} · {drawn.title(language)}", middle, y - 10, size, _PALE))
            continue
        for at, (line, colour) in enumerate(lines, 1):
            parts.append(_write(line, middle, y + _HEIGHT + at * size * _LINE, size, colour))
    title = escape(draw.spread.title.text(language))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img"><title>{title}</title>'
        f'<rect width="100%" height="100%" rx="18" fill="#f1ece1"/>{"".join(parts)}</svg>'
    )


def _break_text(text: str, size: int, room: float) -> list[str]:
    """Lines of a text, broken at blanks and before a bracket where it is wider than the room."""
    lines = [""]
    for word in text.replace("（", " （").split():
        joined = f"{lines[-1]}{'' if word.startswith('（') else ' '}{word}".strip()
        if lines[-1] and _measure_text(joined, size) > room:
            lines.append(word)
        else:
            lines[-1] = joined
    return lines


def _measure_text(text: str, size: int) -> float:
    """About how wide a text is: a Chinese character is as wide as high, a letter half as wide."""
    return size * sum(1.0 if ord(letter) > 0x2E80 else 0.5 for letter in text)


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

"""Picture of a spread: its captions can be read on a phone and cover neither a card, an edge nor each other."""

import re

from metier.language import Language
from metier.packs.life.tarot import SPREADS, Commitment, draw_from, draw_spread

LANGUAGES: tuple[Language, ...] = ("zh", "en")
PHONE = 340
CARD = (180.0, 300.0)
TEXT = re.compile(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle" font-size="(\d+)"[^>]*>([^<]*)</text>')
PLACED = re.compile(r'<g( transform="rotate[^"]*")?><g transform="translate\(([\d.]+) ([\d.]+)\)')
Box = tuple[float, float, float, float]


def _read_captions(svg: str) -> list[tuple[float, float, int, str]]:
    """Texts that are on no card; those of a card come before the end of its group."""
    outside = re.sub(r"<g(?: transform=\"rotate[^\"]*\")?><g transform=\"translate.*?</text></g></g>", "", svg)
    return [(float(x), float(y), int(size), text) for x, y, size, text in TEXT.findall(outside) if text]


def _box(x: float, y: float, size: int, text: str) -> Box:
    half = size * sum(1.0 if ord(letter) > 0x2E80 else 0.45 for letter in text) / 2
    return x - half, y - 0.75 * size, x + half, y + 0.15 * size


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_captions_of_a_spread_are_readable_on_a_phone_and_cover_nothing() -> None:
    for name in SPREADS:
        for seed in range(12):
            drawn = draw_from(Commitment("x", f"{seed:02d}" * 16, name), "2026-01-01")
            for language in LANGUAGES:
                svg = draw_spread(drawn, language)
                width, height = (float(one) for one in re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
                captions = _read_captions(svg)
                assert len(captions) >= 2 * len(drawn.cards) - 1
                assert min(size for *_, size, _ in captions) * min(1.0, PHONE / width) >= 10
                boxes = [_box(*one) for one in captions]
                assert all(box[0] >= 0 and box[2] <= width and box[3] <= height for box in boxes), (name, captions)
                cards = [
                    (float(x), float(y), float(x) + CARD[0], float(y) + CARD[1])
                    for turned, x, y in PLACED.findall(svg)
                    if not turned
                ]
                others = [(box, one) for at, box in enumerate(boxes) for one in (*boxes[:at], *cards)]
                assert not any(_overlap(box, one) for box, one in others), (name, language, captions)

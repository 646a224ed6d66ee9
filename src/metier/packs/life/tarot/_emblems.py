"""Emblems of the major arcana and signs of the suits: line drawings around (0, 0), about 120 units wide."""

from collections.abc import Mapping
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final


def draw_ray_circle(count: int, inner: float, outer: float) -> str:
    """Rays around the centre."""
    rays = []
    for at in range(count):
        angle = 2 * pi * at / count - pi / 2
        x, y = cos(angle), sin(angle)
        rays.append(f"M{x * inner:.1f} {y * inner:.1f}L{x * outer:.1f} {y * outer:.1f}")
    return f'<path d="{"".join(rays)}"/>'


def draw_star(points: int, outer: float, inner: float, x: float = 0, y: float = 0) -> str:
    """A star with this many points."""
    corners = []
    for at in range(points * 2):
        angle = pi * at / points - pi / 2
        radius = outer if at % 2 == 0 else inner
        corners.append(f"{x + cos(angle) * radius:.1f},{y + sin(angle) * radius:.1f}")
    return f'<polygon points="{" ".join(corners)}"/>'


def _circle(x: float, y: float, radius: float, *, filled: bool = False) -> str:
    fill = ' fill="currentColor"' if filled else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"{fill}/>'


def _path(d: str) -> str:
    return f'<path d="{d}"/>'


MAJORS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: _path("M-50 50L-10 50L10 20L50 20M-8 50L-8 10M-8 10L-26 34M-8 10L14 -10")
        + _circle(-8, -6, 12)
        + draw_star(8, 12, 5, 34, -42),
        1: _path("M-30 -44C-55 -60 -55 -20 -30 -34C0 -50 0 -20 30 -34C55 -20 55 -60 30 -44C0 -30 0 -60 -30 -44Z")
        + _path("M-50 44L50 44M0 44L0 -14")
        + _circle(-32, 32, 9)
        + _path("M22 40L40 14M24 18L40 36"),
        2: _path("M-44 56L-44 -50M44 56L44 -50M-52 -50L-36 -50M36 -50L52 -50M-52 56L-36 56M36 56L52 56")
        + _path("M-20 -6A26 26 0 1 0 20 -6A20 20 0 1 1 -20 -6Z")
        + _circle(0, -24, 8),
        3: _circle(0, -20, 26)
        + _path("M0 6L0 56M-20 32L20 32M-26 -46L-14 -58L0 -48L14 -58L26 -46")
        + _path("M-50 56C-46 30 -40 20 -34 10M50 56C46 30 40 20 34 10"),
        4: _path("M-34 56L-34 -20L34 -20L34 56M-34 10L34 10M-34 -20L-44 -44M34 -20L44 -44")
        + _path("M-18 -30L-18 -48L-8 -38L0 -52L8 -38L18 -48L18 -30Z"),
        5: _path("M0 -56L0 56M-14 -40L14 -40M-22 -24L22 -24M-30 -8L30 -8") + _circle(-34, 40, 12) + _circle(34, 40, 12),
        6: _path("M0 52C-60 10 -40 -34 0 -8C40 -34 60 10 0 52Z") + draw_ray_circle(12, 60, 66) + _circle(0, -40, 8),
        7: _path("M-40 20L40 20L30 -20L-30 -20ZM-30 -20L-30 -44M30 -20L30 -44M-40 -44L40 -44")
        + _circle(-26, 38, 16)
        + _circle(26, 38, 16)
        + draw_star(4, 8, 3, 0, -4),
        8: _path("M-46 20C-46 -40 46 -40 46 20C46 50 20 56 0 56C-20 56 -46 50 -46 20Z")
        + _circle(-16, 10, 4, filled=True)
        + _circle(16, 10, 4, filled=True)
        + _path("M-10 28L10 28L0 38ZM-22 -48C-38 -62 -38 -40 -22 -46C0 -56 0 -40 22 -48C38 -40 38 -62 22 -46"),
        9: _path("M-20 56L-20 -10C-20 -50 30 -50 30 -10L30 56ZM-46 56L-46 -40")
        + _path("M-58 -10L-34 -10L-34 -34L-58 -34Z")
        + draw_star(6, 9, 4, -46, -22),
        10: _circle(0, 0, 52) + _circle(0, 0, 36) + _circle(0, 0, 8) + draw_ray_circle(8, 8, 36),
        11: _path("M0 -56L0 44M-46 -34L46 -34M-24 56L24 56M0 44L-24 56M0 44L24 56")
        + _path("M-62 4A17 17 0 0 0 -30 4ZM-46 -34L-62 4M-46 -34L-30 4M30 4A17 17 0 0 0 62 4ZM46 -34L30 4M46 -34L62 4"),
        12: _path("M-50 -56L50 -56M0 -56L0 10M0 10L-20 -14L0 -14M-20 34L0 10L20 34Z") + _circle(0, 46, 12),
        13: _path("M-50 56C-20 40 20 40 50 56M0 46L0 0M0 20C-22 16 -26 0 -22 -8C-6 -6 0 6 0 20")
        + _path("M0 8C20 4 26 -10 22 -20C8 -18 0 -8 0 8")
        + _path("M-44 -30A44 44 0 0 1 44 -30")
        + _circle(0, -44, 7),
        14: _path("M-50 -30L-18 -30L-22 0L-46 0ZM18 20L50 20L46 50L22 50Z")
        + _path("M-30 0C-20 30 10 -10 30 20M-20 -4C-6 22 16 -8 38 18"),
        15: _circle(-30, 34, 16)
        + _circle(30, 34, 16)
        + _path("M-16 34L16 34M-30 18L-10 -20M30 18L10 -20M-10 -20L10 -20L0 -44ZM-10 -20L-34 -50M10 -20L34 -50"),
        16: _path("M-26 56L-20 -30L20 -30L26 56ZM-26 -30L-26 -44L26 -44L26 -30M-6 10L6 10L6 26L-6 26Z")
        + _path("M40 -60L22 -34L36 -34L18 -6"),
        17: draw_star(8, 40, 14, 0, -14)
        + draw_star(5, 9, 4, -44, 20)
        + draw_star(5, 9, 4, 44, 20)
        + _path("M-50 54C-30 44 -10 62 10 52C26 46 38 58 50 52"),
        18: _path("M12 -54A34 34 0 1 0 12 10A26 26 0 1 1 12 -54Z")
        + _path("M-54 56L-42 22L-30 56M54 56L42 22L30 56M-12 56C-8 36 8 36 12 56"),
        19: _circle(0, -6, 24) + draw_ray_circle(16, 32, 54),
        20: _path("M-40 -30L20 -50L20 -6L-40 -22ZM20 -50L36 -56L36 0L20 -6")
        + _path(
            "M-30 56L-30 30M0 56L0 22M30 56L30 30M-30 30L-40 16M-30 30L-20 16"
            "M0 22L-10 8M0 22L10 8M30 30L20 16M30 30L40 16"
        ),
        21: '<ellipse cx="0" cy="0" rx="38" ry="52"/><ellipse cx="0" cy="0" rx="30" ry="44"/>'
        + draw_star(4, 24, 8)
        + _circle(-52, -52, 6)
        + _circle(52, -52, 6)
        + _circle(-52, 52, 6)
        + _circle(52, 52, 6),
    }
)
SUITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "wands": _path("M-4 18L-4 -14L4 -14L4 18ZM0 -14C-10 -20 -6 -26 0 -20C6 -26 10 -20 0 -14M4 0L10 -6"),
        "cups": _path("M-12 -16L12 -16C12 2 6 6 0 6C-6 6 -12 2 -12 -16ZM0 6L0 14M-8 18L8 18L0 14Z"),
        "swords": _path("M0 -20L4 -12L4 8L-4 8L-4 -12ZM-10 8L10 8M0 8L0 18"),
        "pentacles": _circle(0, 0, 14) + draw_star(5, 12, 5),
    }
)
COURT: Final[Mapping[int, str]] = MappingProxyType(
    {
        11: _circle(0, -26, 14) + _path("M-24 40C-24 6 24 6 24 40Z"),
        12: _path("M-34 40L-20 0L16 0L34 40M16 0L30 -34L44 -26M30 -34L24 -46") + _circle(-6, -18, 12),
        13: _circle(0, -20, 16) + _path("M-30 46C-30 6 30 6 30 46ZM-16 -40L-8 -52L0 -42L8 -52L16 -40"),
        14: _circle(0, -18, 17)
        + _path("M-36 48L-26 8L26 8L36 48ZM-20 -36L-20 -56L-10 -46L0 -60L10 -46L20 -56L20 -36Z"),
    }
)

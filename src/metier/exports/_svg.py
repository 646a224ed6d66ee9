"""Drawing as SVG, for pages."""

from collections.abc import Iterator
from html import escape

from metier.exports._drawing import BoxShape, DotShape, Drawing, LabelShape, PathShape, Shape
from metier.exports._scales import PAPER, find_dark_colour


def write_svg(drawing: Drawing) -> str:
    """SVG of a drawing for a page of white paper, without scripts, styles or links."""
    return _write_root(drawing, "".join(part for shape in drawing.shapes for part in _write_shape(shape)))


def write_themed_svg(drawing: Drawing) -> str:
    """SVG of a drawing as a picture of its own: with its ground, light or dark as where it is shown."""
    ground = BoxShape(0, 0, drawing.width, drawing.height, PAPER)
    shapes = (ground, *drawing.shapes)
    rules = "".join(_write_dark_rule(one) for one in sorted({one for shape in shapes for one in _list_colours(shape)}))
    style = f"<style>:root{{color-scheme:light dark}}@media(prefers-color-scheme:dark){{{rules}}}</style>"
    return _write_root(drawing, style + "".join(part for shape in shapes for part in _write_shape(shape)))


def _write_root(drawing: Drawing, inside: str) -> str:
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" role="img"'
    title = f"<title>{escape(drawing.description)}</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{title}{inside}</svg>'


def _write_dark_rule(colour: str) -> str:
    dark = find_dark_colour(colour)
    return f'[fill="{colour}"]{{fill:{dark}}}[stroke="{colour}"]{{stroke:{dark}}}'


def _list_colours(shape: Shape) -> Iterator[str]:
    if isinstance(shape, PathShape):
        yield shape.colour
        if shape.fill:
            yield shape.fill
    else:
        yield shape.colour if isinstance(shape, LabelShape) else shape.fill


def _write_shape(shape: Shape) -> Iterator[str]:
    if isinstance(shape, BoxShape):
        place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
        yield f'<rect {place} fill="{shape.fill}"/>'
    elif isinstance(shape, DotShape):
        yield f'<circle cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:g}" fill="{shape.fill}"/>'
    elif isinstance(shape, PathShape):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
        dash = ' stroke-dasharray="6 4"' if shape.is_dashed else ""
        name = "polygon" if shape.fill else "polyline"
        style = f'fill="{shape.fill or "none"}" stroke="{shape.colour}" stroke-width="{shape.width:g}"{dash}'
        yield f'<{name} points="{points}" {style}/>'
    else:
        place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.size:g}" text-anchor="{shape.anchor}"'
        yield f'<text {place} fill="{shape.colour}">{escape(shape.text)}</text>'

"""Drawing as SVG, for pages."""

from collections.abc import Iterator
from html import escape

from metier.exports._drawing import BoxShape, DotShape, Drawing, PathShape, Shape


def write_svg(drawing: Drawing) -> str:
    """SVG of a drawing, without scripts, styles or links."""
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" role="img"'
    shapes = "".join(part for shape in drawing.shapes for part in _write_shape(shape))
    title = f"<title>{escape(drawing.description)}</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{title}{shapes}</svg>'


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

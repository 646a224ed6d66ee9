"""Drawing as a PNG picture, for documents that cannot hold shapes."""

import math
import struct
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Final

from metier.exports._drawing import BoxShape, DotShape, Drawing, LabelShape, PathShape
from metier.exports._fonts import FONT_FILE

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

_SCALE: Final = 2.0
_MAX_PIXELS: Final = 40_000_000
_MAX_SIDE: Final = 2_000
_ANCHORS: Final = (("start", "ls"), ("middle", "ms"), ("end", "rs"))


def draw_png(drawing: Drawing) -> bytes:
    """PNG of a drawing in twice its size, so that it stays sharp in print."""
    from PIL import Image
    from PIL.ImageDraw import Draw

    image = Image.new("RGB", (round(drawing.width * _SCALE), round(drawing.height * _SCALE)), "#ffffff")
    canvas = Draw(image)
    for shape in drawing.shapes:
        if isinstance(shape, BoxShape):
            right, bottom = shape.x + shape.width, shape.y + shape.height
            canvas.rectangle([shape.x * _SCALE, shape.y * _SCALE, right * _SCALE, bottom * _SCALE], fill=shape.fill)
        elif isinstance(shape, DotShape):
            left, top, size = (shape.x - shape.radius) * _SCALE, (shape.y - shape.radius) * _SCALE, shape.radius * 2
            canvas.ellipse([left, top, left + size * _SCALE, top + size * _SCALE], fill=shape.fill)
        elif isinstance(shape, PathShape):
            _draw_path(canvas, shape)
        else:
            _draw_label(canvas, shape)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def shrink_picture(content: bytes, media_type: str) -> bytes | None:
    """A picture decoded and written anew in the size of a page; None if it cannot be shown.

    The libraries that write documents fail at damaged pictures, and unpack whatever size a picture says it has.
    """
    from PIL import Image

    if media_type == "image/png" and _count_png_pixels(content) > _MAX_PIXELS:
        return None
    try:
        with Image.open(BytesIO(content), formats=("PNG", "JPEG")) as image:
            if image.width * image.height > _MAX_PIXELS:
                return None
            image.thumbnail((_MAX_SIDE, _MAX_SIDE))
            file = BytesIO()
            shown = image.convert("RGBA" if image.has_transparency_data else "RGB")
            shown.save(file, "PNG" if image.format == "PNG" or image.has_transparency_data else "JPEG")
    except (OSError, ValueError, SyntaxError, struct.error, ZeroDivisionError, Image.DecompressionBombError):
        return None
    return file.getvalue()


def _count_png_pixels(content: bytes) -> int:
    return int.from_bytes(content[16:20]) * int.from_bytes(content[20:24])


def _draw_path(canvas: "ImageDraw", shape: PathShape) -> None:
    points = [(x * _SCALE, y * _SCALE) for x, y in shape.points]
    width = max(1, round(shape.width * _SCALE))
    if shape.fill:
        canvas.polygon(points, fill=shape.fill, outline=shape.colour)
    elif shape.is_dashed and len(points) == 2:
        _draw_dashes(canvas, points[0], points[1], shape.colour, width)
    elif len(points) > 1:
        canvas.line(points, fill=shape.colour, width=width)


def _draw_dashes(
    canvas: "ImageDraw", start: tuple[float, float], end: tuple[float, float], colour: str, width: int
) -> None:
    length = math.dist(start, end)
    for at in range(0, math.ceil(length), 20):
        shares = (at / length, min(at + 12, length) / length)
        points = [(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in shares]
        canvas.line(points, fill=colour, width=width)


def _draw_label(canvas: "ImageDraw", shape: LabelShape) -> None:
    font = _load_font(round(shape.size * _SCALE))
    anchor = dict(_ANCHORS)[shape.anchor]
    canvas.text((shape.x * _SCALE, shape.y * _SCALE), shape.text, fill=shape.colour, font=font, anchor=anchor)


@lru_cache(maxsize=8)
def _load_font(size: int) -> "FreeTypeFont":
    from PIL.ImageFont import truetype

    return truetype(str(FONT_FILE), size)

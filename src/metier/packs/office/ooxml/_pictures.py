"""Pictures that a plan names: local files beside the document, never an address of the network."""

import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

MAX_PICTURE_BYTES: Final = 20 * 1024 * 1024
_ENDINGS: Final[Mapping[str, str]] = MappingProxyType({"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "BMP": "bmp"})


class PictureProblem(Exception):
    """Why a picture cannot be taken: `remote`, `outside`, `missing`, `too_large` or `not_a_picture`."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and its natural size in pixels at 96 dots per inch."""

    content: bytes
    ending: str
    width_px: int
    height_px: int

    @property
    def media_type(self) -> str:
        return f"image/{self.ending}"


def read_picture(path: str, folder: Path) -> Picture:
    """Read a picture of the document's folder; `PictureProblem` says why not."""
    from PIL import Image

    if "://" in path or path.startswith(("\\\\", "//")):
        raise PictureProblem("remote")
    root = folder.resolve()
    file = (root / path).resolve()
    if not file.is_relative_to(root):
        raise PictureProblem("outside")
    if not file.is_file():
        raise PictureProblem("missing")
    if file.stat().st_size > MAX_PICTURE_BYTES:
        raise PictureProblem("too_large")
    content = file.read_bytes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content)) as image:
                image.verify()
                ending = _ENDINGS.get(image.format or "")
                width, height = image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise PictureProblem("not_a_picture") from None
    if ending is None:
        raise PictureProblem("not_a_picture")
    return Picture(content, ending, width, height)

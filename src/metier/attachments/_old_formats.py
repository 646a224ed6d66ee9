"""Files of old Office and of WPS's own formats: told from their content, with the format to save them as."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.errors import FileLocked, FileTypeRefused, InvalidInput

__all__ = ["OLD_ENDINGS", "OldSheetFormat", "OldSlidesFormat", "OldTextFormat", "describe_old_format"]


class OldTextFormat(FileTypeRefused):
    """A text document is in a format of old Word or of WPS Writer: it is saved as docx first."""

    code = "old_text_format"


class OldSheetFormat(FileTypeRefused):
    """A workbook is in a format of old Excel or of WPS Spreadsheets: it is saved as xlsx first."""

    code = "old_sheet_format"


class OldSlidesFormat(FileTypeRefused):
    """A presentation is in a format of old PowerPoint or of WPS Presentation: it is saved as pptx first."""

    code = "old_slides_format"


_LOCKED_HINT: Final = "save it as docx, xlsx or pptx without a password"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
# What old Office and WPS call the main part of a file; WPS keeps .wps, .et and .dps under the same names.
_OLD_PARTS: Final[tuple[tuple[str, type[FileTypeRefused]], ...]] = (
    ("WordDocument", OldTextFormat),
    ("Workbook", OldSheetFormat),
    ("PowerPoint Document", OldSlidesFormat),
)
OLD_ENDINGS: Final[Mapping[str, type[FileTypeRefused]]] = MappingProxyType(
    {
        **dict.fromkeys(("doc", "dot", "wps", "wpt"), OldTextFormat),
        **dict.fromkeys(("xls", "xlt", "et", "ett"), OldSheetFormat),
        **dict.fromkeys(("ppt", "pps", "pot", "dps", "dpt"), OldSlidesFormat),
    }
)
_SAVE_AS: Final[Mapping[type[FileTypeRefused], str]] = MappingProxyType(
    {OldTextFormat: "docx", OldSheetFormat: "xlsx", OldSlidesFormat: "pptx"}
)


def describe_old_format(name: str, ending: str, content: bytes) -> InvalidInput:
    """Why a compound file is not taken: Office writes it with a password, and for old versions; WPS for its own."""
    found = next((kind for part, kind in _OLD_PARTS if part.encode("utf-16-le") in content), None)
    kind = found or OLD_ENDINGS.get(ending)
    if kind is None or _ENCRYPTED in content:
        return FileLocked(f"{name[:80]!r} is protected by a password", hint=_LOCKED_HINT)
    wanted = _SAVE_AS[kind]
    return kind(f"{name[:80]!r} is in a format of old Office or of WPS", hint=f"open it and save it as {wanted}")

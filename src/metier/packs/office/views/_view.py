"""Chooses the viewer of a file."""

from pathlib import Path

from metier.json_values import JsonObject


def view_file(file: Path) -> JsonObject | None:
    """Blocks of a docx, xlsx or pptx; None for other files."""
    match file.suffix.lower():
        case ".docx":
            from metier.packs.office.views._docx import view_docx

            return view_docx(file)
        case ".xlsx":
            from metier.packs.office.views._sheets import view_workbook

            return view_workbook(file)
        case ".pptx":
            from metier.packs.office.views._slides import view_slides

            return view_slides(file)
        case _:
            return None

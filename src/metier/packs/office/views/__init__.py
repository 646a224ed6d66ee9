"""Documents as blocks that a page can show without LibreOffice: no markup of the file, no scripts, nothing remote."""

from metier.packs.office.views._exact import ExactView, find_office_program, render_exact
from metier.packs.office.views._view import view_file

__all__ = ["ExactView", "find_office_program", "render_exact", "view_file"]

"""Orders for a table of the conversation: a plain conversion, or figures of columns that it has."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.attachments import list_attachments
from metier.packs.workspace.data._files import list_own_files, name_file
from metier.packs.workspace.data._open_table import OpenTables
from metier.packs.workspace.data._request import find_format, is_only_conversion, mask_names, read_requests
from metier.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.packs.workspace.data._columns import DataColumn
    from metier.packs.workspace.data._summary import Typed

TABLES: Final = OpenTables()
_ENDINGS: Final = (".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".xlsm")
_OTHER_CONTENT: Final = (".docx", ".pptx", ".pdf", ".md", ".txt")
_MAX_CHARS: Final = 120
_MAX_BYTES: Final = 8_000_000


def orders_conversion(message: str, workspace: Path) -> bool:
    """Whether a message asks, to its last word, to write the newest table of the folder in another format."""
    said = message.strip().lower()
    own = [path for path in list_own_files(workspace) if path.suffix.lower() in _ENDINGS]
    if not own or len(said) > _MAX_CHARS or "\n" in said:
        return False
    masked, named = mask_names(said, own)
    if not is_only_conversion(masked):
        return False
    attached = [one for one in list_attachments(workspace) if Path(one.name).suffix.lower() in _OTHER_CONTENT]
    newest = max((_find_time(workspace / one.path) for one in attached), default=0)
    file = named or own[-1]
    is_other = find_format(masked, "") != file.suffix.lower().lstrip(".")
    return (is_other or len(own) > 1) and (named is not None or _find_time(own[-1]) >= newest)


def _find_time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def names_figures(message: str, columns: "Sequence[DataColumn]") -> bool:
    """Whether a message asks for figures by a column, and names both as the table has them: 按城市汇总金额."""
    asked = read_requests(message, columns)
    return all(
        one.question is None and one.keys and (one.measures or one.stats) and one.tasks != ("overview",)
        for one in asked
    )


def orders_figures(message: str, workspace: Path) -> bool:
    """Whether a message asks for figures of columns that the newest table of the folder has."""
    table = open_newest(workspace) if len(message) <= _MAX_CHARS and "\n" not in message else None
    return table is not None and names_figures(message, table.columns)


def open_newest(workspace: Path) -> "Typed | None":
    """The newest table of the folder; None if there is none, or it is large or cannot be read."""
    own = [path for path in list_own_files(workspace) if path.suffix.lower() in _ENDINGS]
    try:
        if not own or own[-1].stat().st_size > _MAX_BYTES:
            return None
        return TABLES.open(workspace / name_file(own[-1], workspace), workspace, "zh")
    except (ToolError, OSError):
        return None

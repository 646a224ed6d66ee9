"""Names of columns that a plan does not have as they were read."""

from collections.abc import Sequence

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_tables
from metier.packs.office.drafting.columns._read import NamedColumns

__all__ = ["find_unwritten"]


def find_unwritten(columns: Sequence[NamedColumns], steps: Sequence[JsonObject]) -> NamedColumns | None:
    """The first list of columns that is no header of the plan; None if each is, or is of a text without a table."""
    headers = [[cell.strip() for cell in table[0]] for table in list_tables(steps) if table]
    wanted = columns if headers else [one for one in columns if one.is_of_table]
    return next(
        (one for one in wanted if not one.names or not any(_has(header, one.names) for header in headers)), None
    )


def _has(header: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a header begins with these names; numbers may stand before them and sums behind."""
    wanted = [" ".join(name.split()).casefold() for name in names]
    shown = [" ".join(cell.split()).casefold() for cell in header]
    return shown[: len(wanted)] == wanted or shown[1 : len(wanted) + 1] == wanted

"""What one clause of a message edits, and what its rule knows beside it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from metier.json_values import JsonObject
from metier.packs.office._pieces import TextPiece
from metier.packs.office.orders._context import OrderContext
from metier.packs.office.orders.documents import DocumentView

__all__ = ["EditCall", "EditRule", "LineEdit"]


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Steps of one clause.

    `is_open`: its last words are to be written and stand without quotation marks. `is_new`: it writes a new line, which
    a look of the next clause may be for. `lines` are the lines it is about. `is_section`: a heading goes with its text.
    """

    steps: tuple[JsonObject, ...]
    lines: tuple[TextPiece, ...] = ()
    is_open: bool = False
    is_new: bool = False
    is_label: bool = False
    is_section: bool = False


@dataclass(frozen=True, slots=True)
class EditCall:
    """The document, all of the message, and the edit of the clause before."""

    context: OrderContext
    view: DocumentView
    message: str
    before: LineEdit | None = None
    mark: str = ""  # the mark behind the clause


EditRule: TypeAlias = Callable[[EditCall, str], "LineEdit | None"]

"""Questions and requests as they come from a conversation: which file is meant, and whether it is asked at all."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.pack import PackAnswer, PackQuestion
from metier.packs.workspace.data._conditions import leaves_lines_out
from metier.packs.workspace.data._files import describe_file, list_own_files, locate_file
from metier.packs.workspace.data._names import find_hits
from metier.packs.workspace.data.questions._answers import answer_question
from metier.packs.workspace.data.questions._lexicon import ASKS, LOOKS_AT_DATA, ORDERS
from metier.packs.workspace.data.questions._orders import TABLES, names_figures, open_newest, orders_figures
from metier.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.language import Language
    from metier.packs.workspace.data._columns import DataColumn

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_LATIN: Final = re.compile(r"[A-Za-z]{2,}\W+[A-Za-z]{2,}")
_MAX_CHARS: Final = 160
_PLAIN_ENDINGS: Final = (".csv", ".tsv", ".json", ".jsonl")


def is_question(message: str, columns: "Sequence[DataColumn]" = ()) -> bool:
    """Whether a message asks something of the data rather than ordering an analysis.

    Names and values of the columns are no words of an order: 图书 and "report covers" are goods.
    """
    said = message.strip()
    _, masked = find_hits(said, columns)
    return _may_ask(said) and not ORDERS.search(masked)


def _may_ask(message: str) -> bool:
    said = message.strip()
    return len(said) <= _MAX_CHARS and "\n" not in said and ASKS.search(said) is not None


def _find_language(question: PackQuestion, columns: "Sequence[DataColumn]") -> "Language":
    """The language of the words that are not names of the data: an English question stays one with a Chinese name."""
    _, masked = find_hits(question.text, columns)
    return "en" if not _HAN.search(masked) and _LATIN.search(masked) else question.language


def answer_from_file(question: PackQuestion) -> PackAnswer | None:
    """The answer from the file that the conversation is about; None if the message does not ask about it."""
    name = question.facts.get("data_file")
    if not isinstance(name, str) or not name or len(question.text) > _MAX_CHARS:
        return None
    try:
        path = locate_file(name, question.workspace, question.language)
        table = TABLES.open(path, question.workspace, question.language)
    except (ToolError, OSError):
        return None
    if leaves_lines_out(question.text):
        return PackAnswer("", found=False, is_order=True)  # the skill computes anew from the file
    if not is_question(question.text, table.columns):
        is_order = not _may_ask(question.text) and names_figures(question.text, table.columns)
        return PackAnswer("", found=False, is_order=True) if is_order else None
    language = _find_language(question, table.columns)
    found = answer_question(question.text, table, describe_file(name, language), language)
    if not found.is_about_data:
        return None
    return PackAnswer(found.text, found=found.found, is_final=found.lacks_column)


def speaks_of_data(message: str, workspace: Path) -> bool:
    """Whether a message wants data looked at, and a file that is nothing but data lies in the folder.

    One that asks for figures by name is meant for the newest table, be it a workbook.
    """
    if not LOOKS_AT_DATA.search(message):
        return orders_figures(message, workspace) or _asks_newest(message, workspace)
    own = list_own_files(workspace)
    return bool(own) and own[-1].suffix.lower() in _PLAIN_ENDINGS


def _asks_newest(message: str, workspace: Path) -> bool:
    """Whether a message asks for a figure of the newest table that has its answer there.

    It names a column or a value of the table, unless the newest file is nothing but data: 一共多少钱, "the total?".
    """
    table = open_newest(workspace) if _may_ask(message) else None
    if table is None or not is_question(message, table.columns):
        return False
    own = list_own_files(workspace)
    is_plain = bool(own) and own[-1].suffix.lower() in _PLAIN_ENDINGS
    if not is_plain and not find_hits(message, table.columns)[0]:
        return False
    return answer_question(message, table, "", "zh").found

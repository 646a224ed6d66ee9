"""Questions and requests as they come from a conversation: which file is meant, and whether it is asked at all."""

from pathlib import Path
from typing import Final

from metier.pack import PackAnswer, PackQuestion
from metier.packs.workspace.data._files import describe_file, list_own_files, locate_file
from metier.packs.workspace.data._open_table import OpenTables
from metier.packs.workspace.data.questions._answers import answer_question
from metier.packs.workspace.data.questions._lexicon import ASKS, LOOKS_AT_DATA, ORDERS
from metier.tools import ToolError

_TABLES: Final = OpenTables()
_MAX_CHARS: Final = 160
_PLAIN_ENDINGS: Final = (".csv", ".tsv", ".json", ".jsonl")


def is_question(message: str) -> bool:
    """Whether a message asks something of the data rather than ordering an analysis."""
    said = message.strip()
    return len(said) <= _MAX_CHARS and "\n" not in said and ASKS.search(said) is not None and not ORDERS.search(said)


def answer_from_file(question: PackQuestion) -> PackAnswer | None:
    """The answer from the file that the conversation is about; None if the message does not ask about it."""
    name = question.facts.get("data_file")
    if not isinstance(name, str) or not name or not is_question(question.text):
        return None
    try:
        path = locate_file(name, question.workspace, question.language)
        table = _TABLES.open(path, question.workspace, question.language)
    except (ToolError, OSError):
        return None
    found = answer_question(question.text, table, describe_file(name, question.language), question.language)
    if not found.is_about_data:
        return None
    return PackAnswer(found.text, found=found.found, is_final=found.lacks_column)


def speaks_of_data(message: str, workspace: Path) -> bool:
    """Whether a message wants data looked at, and a file that is nothing but data lies in the folder."""
    if not LOOKS_AT_DATA.search(message):
        return False
    own = list_own_files(workspace)
    return bool(own) and own[-1].suffix.lower() in _PLAIN_ENDINGS

"""Whether a message speaks of changing a document that lies in the conversation, understood or not."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from metier.errors import MetierError
from metier.packs.office.conversation._documents import list_documents, remove_mentions
from metier.packs.office.conversation._reading import read_document
from metier.textsearch import to_simplified

__all__ = ["speaks_of_document"]

_MAX_DOCUMENTS: Final = 4
_MAX_BYTES: Final = 3_000_000
_MIN_NAME: Final = 2


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    """Patterns of the kinds of words; English ones stand as whole words."""
    given = tomllib.loads(files(__package__).joinpath("change_words.toml").read_text("utf-8"))
    return {
        name: re.compile(
            "|".join(rf"\b(?:{one})\b" if one[0].isascii() and one[0].isalpha() else one for one in words), re.I
        )
        for name, words in given.items()
    }


def speaks_of_document(message: str, workspace: Path) -> bool:
    """Whether a message has a verb of changing and names a thing of a document, or what stands in this one."""
    words, forms = to_simplified(remove_mentions(message)).strip(), _forms()
    known = list_documents(workspace)[:_MAX_DOCUMENTS]
    is_change = forms["verbs"].search(words) is not None
    if not known or not (is_change or forms["light_verbs"].search(words)):
        return False
    if forms["other_work"].search(words) or forms["questions"].search(words):
        return False
    if forms["things"].search(words) or re.search(r"\b[A-Z]{1,2}[1-9]\d{0,4}\b", words):
        return True
    if is_change and forms["pronouns"].search(words):
        return True
    for document in known:
        try:
            file = workspace / document.current
            if file.stat().st_size > _MAX_BYTES:
                continue
            reading = read_document(workspace, document, with_others=False)
        except (MetierError, OSError):
            continue
        heads = [one.line for one in reading.pieces if one.level] + [one.title for one in reading.slides]
        cells = [str(one.value) for sheet in reading.sheets for one in sheet.cells[:200] if isinstance(one.value, str)]
        if any(len(one.strip()) >= _MIN_NAME and one.strip().lower() in words.lower() for one in (*heads, *cells)):
            return True
    return False

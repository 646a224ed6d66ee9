"""Columns and headings that are words of a sentence: 热闹一点, 插, “a formal tone”."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_rows

__all__ = ["find_spoken_column"]

_SPOKEN: Final = re.compile(
    r"[插做加建画写放请把要给帮]|[\u4e00-\u9fff]{1,6}(?:一[点些]|点儿)|"
    r"(?:an?|another|one) (?:[a-z]+ )?(?:paragraph|heading|list|chart|table|title|sentence|footer|header)"
)
_MANNER: Final = re.compile(
    r"#+ (?:an? )?(?:[a-z]+ )?(?:tone|style|wording|language|sentences|layout|font|spelling|margins)", re.IGNORECASE
)


def find_spoken_column(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """The first column or heading that is a bare verb, another piece or a manner, and no quotation."""
    quotes = {one.text for one in text.quotes}
    for step in steps:
        said = str(step.get("text") or "")
        if _MANNER.fullmatch(said) and said.lstrip("# ") not in quotes and not _is_capital(text, said.lstrip("# ")):
            return said.lstrip("# ")
        for cell in next(iter(list_rows(step)), []):
            if cell not in quotes and _SPOKEN.fullmatch(cell.strip()):
                return cell.strip()
    return ""


def _is_capital(text: RequestText, said: str) -> bool:
    """Whether a name begins with a capital letter where the request says it: House style."""
    return said[:1].isupper() and said in text.raw

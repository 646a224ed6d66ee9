"""Messages about a new sheet whose clauses stand in another order than columns, rows and what is computed."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CHINESE, RequestText

__all__ = ["list_orders"]

# The names of the columns before their count: 姓名、销售额、提成三列.
_COUNTED: Final = re.compile(
    rf"(?<=[,，。:\"])\s*(?P<names>[^,，。;:\"、\s]+(?:、[^,，。;:\"、\s]+)+?)(?P<count>{COUNT})个?[列栏][,，。:]"
)
_COMPUTES: Final = re.compile(
    r"公式|[乘减加]以?|除以|百分之|\b(?:times|minus|plus|less|divided by|multiplied by|formula)\b", re.IGNORECASE
)
_ROWS: Final = re.compile(
    r"(?:(?<=[,，:。.\s])|^)(?:(?!\s+\d)[^\d,，。;:\n]+\d[\d.]*[,，])+"
    r"(?!\s+\d)[^\d,，。;:\n]+\d[\d.]*(?=[,，]\s*[^\d,，。;:\n]+(?:[,，。;.\n]|$))"
)
_SIGN: Final = re.compile(r"[,，。;]\s*|\.\s+|:\s*")
_MAX_MOVED: Final = 4


def list_orders(said: str) -> Iterator[str]:
    """A message as it stands, then with each clause that says how a column is computed behind all others."""
    named = _name_columns(said)
    yield from dict.fromkeys(cut for one in (said, named, *_move_clauses(named)) for cut in (one, _end_rows(one)))


def _end_rows(said: str) -> str:
    """A full stop behind rows between commas, where a clause that is no row goes on: 郝佳400，邢斌250，就两个人."""
    mask = RequestText(said).mask
    found = next((one for one in _ROWS.finditer(mask) if mask[one.end() :].strip(" ,，。.")), None)
    if found is None:
        return said
    stop = "。" if CHINESE.search(said) else ". "
    return f"{said[: found.end()]}{stop}{said[found.end() :].lstrip(' ,，')}"


def _name_columns(said: str) -> str:
    """姓名、提成两列 as 列为姓名、提成."""
    mask = RequestText(said).mask
    found = _COUNTED.search(mask)
    if found is None or read_count(found["count"]) != len(found["names"].split("、")):
        return said
    return f"{said[: found.start()]}列为{said[slice(*found.span('names'))]}：{said[found.end() :]}"


def _move_clauses(said: str) -> Iterator[str]:
    mask = RequestText(said).mask
    cuts = [one.span() for one in _SIGN.finditer(mask)]
    stop = "。" if CHINESE.search(said) else ". "
    inner = [(end, start) for (_, end), (start, _) in pairwise(cuts) if _COMPUTES.search(mask, end, start)]
    for start, end in inner[:_MAX_MOVED]:
        before, after = said[:start].rstrip(), said[end:].lstrip(" ,，。.;")
        before = before if before.endswith((":", "：")) else f"{before.rstrip(' ,，。.;')}{stop}"
        yield f"{before}{after.rstrip(' ,，。.')}{stop}{said[start:end].strip()}"

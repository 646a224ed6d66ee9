"""Messages about a new sheet whose clauses stand in another order than columns, rows and what is computed."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CHINESE, RequestText

__all__ = ["list_orders"]

# The names of the columns before their count: 姓名、销售额、提成三列.
_COUNTED: Final = re.compile(rf"(?P<names>\S*、\S*?)(?P<count>{COUNT})个?[列栏]")
_COMPUTES: Final = re.compile(
    r"公式|[乘减加]以?|除以|百分之|\b(?:times|minus|plus|less|divided by|multiplied by|formula)\b", re.IGNORECASE
)
# A row between commas: a name and a number behind it.
_ROW: Final = re.compile(r"[^\d]*[^\d\s]\s*\d[\d.]*")
_SIGN: Final = re.compile(r"[,，。;]\s*|\.\s+|:\s*")
_MAX_MOVED: Final = 4


def list_orders(said: str) -> Iterator[str]:
    """A message as it stands, then with each clause that says how a column is computed behind all others."""
    named = _name_columns(said)
    yield from dict.fromkeys(cut for one in (said, named, *_move_clauses(named)) for cut in (one, _end_rows(one)))


def _end_rows(said: str) -> str:
    """A full stop behind rows between commas, where a clause that is no row goes on: 郝佳400，邢斌250，就两个人."""
    mask = RequestText(said).mask
    rows = 0
    for (start, end), (behind, stop) in pairwise(_list_clauses(mask)):
        rows = rows + 1 if _ROW.fullmatch(mask, start, end) else 0
        if rows > 1 and mask[end] in ",，" and not re.search(r"\d", mask[behind:stop]):
            return f"{said[:end]}{_stop(said)}{said[behind:]}"
    return said


def _name_columns(said: str) -> str:
    """姓名、提成两列 as 列为姓名、提成."""
    mask = RequestText(said).mask
    for start, end in _list_clauses(mask)[1:]:
        found = _COUNTED.fullmatch(mask, start, end)
        if found is not None and read_count(found["count"]) == len(found["names"].split("、")):
            return f"{said[:start]}列为{said[slice(*found.span('names'))]}：{said[end:].lstrip(',，。:： ')}"
    return said


def _list_clauses(mask: str) -> list[tuple[int, int]]:
    cuts = [one.span() for one in _SIGN.finditer(mask)]
    return list(zip([0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(mask)], strict=True))


def _stop(said: str) -> str:
    return "。" if CHINESE.search(said) else ". "


def _move_clauses(said: str) -> Iterator[str]:
    mask = RequestText(said).mask
    inner = [one for one in _list_clauses(mask)[1:-1] if _COMPUTES.search(mask, *one)]
    for start, end in inner[:_MAX_MOVED]:
        before, after = said[:start].rstrip(), said[end:].lstrip(" ,，。.;")
        before = before if before.endswith((":", "：")) else f"{before.rstrip(' ,，。.;')}{_stop(said)}"
        yield f"{before}{after.rstrip(' ,，。.')}{_stop(said)}{said[start:end].strip()}"

"""Numbers of a request that its plan neither writes nor counts, and rows whose numbers stand beside another name."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import read_amount
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_lines, list_rows
from metier.packs.office.drafting._wording import drop_asides

__all__ = ["NUMBER", "join_values", "list_displaced", "list_unused_numbers"]

_ANY_NUMBER: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
NUMBER: Final = re.compile(r"(?<![A-Za-z\d.#])\d+(?:,\d{3})*(?:\.\d+)?%?(?![.\d]|[A-Za-z\d]*[A-Za-z])")
_MARK: Final = re.compile(r"[)）、.](?!\d)")
_DIGITS: Final = frozenset("123456789")
_NUMBERED: Final = re.compile(r"\s*(?:这样|地|的)?(?:顺着)?(?:排|列|编|标|往下|下来)")


def list_unused_numbers(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """Numbers of the request, outside of its quotations, that the plan neither writes nor counts."""
    counts = {len(actions), sum(str(one.get("text") or "").startswith("#") for one in actions)}
    for action in actions:
        rows = list_rows(action)
        counts |= {
            len(rows),
            len(rows) - 1,
            len(rows) - 2,
            *(len(row) for row in rows),
            *(len(row) - 1 for row in rows),
        }
        counts.add(len(list_lines(action)))
    known = {str(one) for one in counts} | _read_numbers(join_values(actions))
    kept = RequestText(drop_asides(request.raw)).mask
    for found in NUMBER.finditer(kept):
        number = _normalise(found[0])
        is_run = len(number) > 1 and "123456789".startswith(number)  # 1234排下来
        after = _NUMBERED if is_run else _MARK
        is_mark = (is_run or number in _DIGITS) and after.match(kept, found.end())
        if number not in known and not is_mark:
            yield found[0]


def list_displaced(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """Rows whose numbers stand beside another name in the request, where it names every row."""
    said = _read_numbers(request.raw)
    for action in actions:
        rows = list_rows(action)
        named = [row for row in rows[1:] if len(row) > 1 and _read_numbers(" ".join(row[1:])) & said]
        if not named or any(not row[0].strip() or row[0] not in request.raw for row in named):
            continue
        for row in named:
            if not _stand_beside(request.raw, row[0], _read_numbers(" ".join(row[1:]))):
                yield row[0]


def _stand_beside(request: str, name: str, numbers: set[str]) -> bool:
    for found in re.finditer(re.escape(name), request):
        before = [one[0] for one in _ANY_NUMBER.finditer(request, 0, found.start())]
        after = _ANY_NUMBER.search(request, found.end())
        if any(_normalise(one) in numbers for one in (*before[-1:], *([after[0]] if after else []))):
            return True
    return False


def _read_numbers(text: str) -> set[str]:
    return {_normalise(one[0]) for one in _ANY_NUMBER.finditer(text)}


def _normalise(number: str) -> str:
    return format(read_amount(number.rstrip("%")).normalize(), "f")


def join_values(actions: Sequence[JsonObject]) -> str:
    parts = [str(value) for one in actions for name, value in one.items() if name not in ("id", "op")]
    return "\n".join(parts).lower()

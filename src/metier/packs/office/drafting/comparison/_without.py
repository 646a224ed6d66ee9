"""A request without a part that cannot be done: what is left, where the part is a clause or several by itself."""

import re
from typing import Final

__all__ = ["leave_out"]

_BEFORE: Final = (
    r"(?P<sign>[,，。;；!！?？\n]|(?<=[^\d])\.(?=\s))\s*"
    r"(?:(?:and|but|then|also|plus|并且?|而且|同时|另外|还要?|再)\s*)?"
)
_AFTER: Final = r"\s*(?:[,，。;；!！?？\n]+|\.(?=\s|$)|$)"
_EDGES: Final = " \t,，。.;；!！?？\n"


def leave_out(request: str, part: str) -> str:
    """The request without these clauses; empty if the part is no whole clause, or stands at the very beginning."""
    wanted = part.strip(_EDGES)
    found = re.search(rf"{_BEFORE}{re.escape(wanted)}{_AFTER}", request, re.IGNORECASE) if wanted else None
    if found is None:
        return ""
    before, after = request[: found.start()].rstrip(_EDGES), request[found.end() :].strip()
    sign = f"{found['sign']} " if found["sign"].isascii() else found["sign"]
    return f"{before}{sign}{after}" if after else before

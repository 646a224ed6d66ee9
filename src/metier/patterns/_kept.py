"""How many compiled patterns Python keeps for `re.search` and the like."""

import re
from typing import Final

_MAX_KEPT: Final = 8_000  # the rules of all packs have 2,000 and put some more together; each takes a kilobyte


def keep_patterns() -> None:
    """Let `re` keep every pattern of the rules; for the start of a process that answers messages.

    Its own 512 are fewer than a few requests for documents use: each request compiled twenty of them again, which was
    a third of its work.
    """
    if vars(re).get("_MAXCACHE", _MAX_KEPT) < _MAX_KEPT:  # private, but the same in every Python since 2.0
        vars(re)["_MAXCACHE"] = _MAX_KEPT

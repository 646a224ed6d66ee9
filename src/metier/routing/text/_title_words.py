"""Words of a skill's title in a message."""

import re
from collections.abc import Collection

from metier.textsearch import extract_terms, has_cjk

_LATIN_WORD = re.compile("[A-Za-z]{3}")


def compute_title_share(title: str, message: str, words: Collection[str]) -> float | None:
    """Compute the share of a title's words among `words`, the terms of the message.

    Only words in a script that the message uses are counted; None if there are none, since nothing can be compared.
    """
    scripts = {True: has_cjk(message), False: bool(_LATIN_WORD.search(message))}
    counted = {word for word in extract_terms(title).words if scripts[has_cjk(word)]}
    return len(counted.intersection(words)) / len(counted) if counted else None

"""How a text is folded before it is compared with rules."""

from typing import Final

from metier.patterns import compile_later
from metier.textsearch import normalize_text, to_simplified

_BLANKS: Final = compile_later(r"(?<=[\u4e00-\u9fff])[\s·.*_~\-]+(?=[\u4e00-\u9fff])")


def fold_words(text: str) -> str:
    """The text without differences of width, case, traditional characters and blanks between Chinese characters."""
    plain = to_simplified(normalize_text(text).lower()).replace("’", "'")
    return _BLANKS.sub("", plain)

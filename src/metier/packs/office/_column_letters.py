"""Letters of the columns of a sheet."""

from functools import lru_cache

__all__ = ["column_index", "column_letters"]


@lru_cache(maxsize=20_000)
def column_letters(index: int) -> str:
    """1 is `A`, 27 is `AA`."""
    letters = ""
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_index(letters: str) -> int:
    """`A` is 1, `AA` is 27."""
    number = 0
    for char in letters.upper():
        number = number * 26 + ord(char) - 64
    return number

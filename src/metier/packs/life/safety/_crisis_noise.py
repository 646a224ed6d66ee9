"""What a message holds beside words: the same words over and over, and data. Neither tells more than its words once.

The learned parts know sentences; of 3,000 times the same syllable, or of a row of digits, their score says nothing.
"""

from typing import Final

from metier.patterns import compile_later

# At least four times the same, of at most forty characters, without a break: 再来一次再来一次再来一次再来一次.
_REPEATED: Final = compile_later(r"(?s)(.{1,40}?)\1{3,}")
# A key, a checksum, a row of numbers: without a blank, and mostly digits, or digits all over among its letters.
_CODE: Final = compile_later(r"[A-Za-z0-9+/=_.,:;|-]{20,}")
_NUMBERS: Final = compile_later(r"(?<!\S)\d[\d.,;:|%+\s-]{10,}(?!\S)")
_DIGITS: Final = compile_later(r"\d+")
_MIN_DIGIT_SHARE: Final = 0.5
_MAX_RUN_BETWEEN: Final = 12  # letters for each run of digits; words with a year at their end have more


def drop_noise(text: str) -> str:
    """The message with what it says over and over said once, and without data."""
    once = _NUMBERS.sub(" ", _REPEATED.sub(r"\1", text))
    return _CODE.sub(lambda found: " " if _is_data(found[0]) else found[0], once)


def _is_data(piece: str) -> bool:
    runs = _DIGITS.findall(piece)
    return sum(map(len, runs)) >= len(piece) * _MIN_DIGIT_SHARE or len(runs) * _MAX_RUN_BETWEEN >= len(piece)

"""English names of the months, whole or abbreviated: "March" and "Mar.", but not the middle of "summary"."""

from typing import Final

# The bare names, for patterns that cannot look around.
MONTH_WORD_EN: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
# Letters around it make it another word; a Chinese character or a digit does not.
MONTH_NAME_EN: Final = rf"(?<![A-Za-z]){MONTH_WORD_EN}(?![A-Za-z])"
_STARTS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def read_month_en(name: str) -> int:
    """Number of a month, 1 to 12, by a name that MONTH_NAME_EN matched."""
    return _STARTS.index(name[:3].lower()) + 1

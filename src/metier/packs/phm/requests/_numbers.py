"""Numbers in digits and in words."""

from typing import Final

from metier.patterns import read_chinese_integer, read_english_number

NUMBER: Final = (
    r"((?<![\d.])\d{1,7}(?:\.\d{1,6})?|半|[一二两三四五六七八九十百]{1,4}|\b(?:half\s+an?|one|two|three|four|five|six"
    r"|seven"
    r"|eight|nine|ten|twenty|thirty)\b)"
)


def read_number(text: str) -> float:
    """The number that `NUMBER` found."""
    plain = text.strip().lower()
    if plain[0].isdigit():
        return float(plain)
    if plain == "半" or plain.startswith("half"):
        return 0.5
    found = read_english_number(plain) if plain.isascii() else read_chinese_integer(plain.replace("两", "二"))
    return float(found or 0)

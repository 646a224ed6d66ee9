"""Decodes the text of a JSON string while it arrives: escapes, surrogate pairs, and a cut at any place."""

from types import MappingProxyType
from typing import Final

_ESCAPES: Final = MappingProxyType(
    {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
)
_BROKEN: Final = "\ufffd"


class AnswerText:
    """Decoder of one JSON string, from after its opening quote.

    The decoded text does not depend on how the string was cut into pieces. Half a surrogate pair and an invalid escape
    become U+FFFD, so the text can always be stored and sent.
    """

    def __init__(self) -> None:
        self._partial = ""  # an escape whose end has not arrived
        self._high = ""  # first half of a surrogate pair
        self.is_complete = False
        self.tail = ""

    def add(self, piece: str) -> str:
        """Add a piece; returns the text that it decodes to. What follows the closing quote goes to `tail`."""
        if self.is_complete:
            self.tail += piece
            return ""
        text, self._partial = self._partial + piece, ""
        out: list[str] = []
        at = 0
        while at < len(text):
            found = _find_special(text, at)
            if found > at:
                out.append(self._plain(text[at:found]))
            if found == len(text):
                break
            if text[found] == '"':
                self.is_complete, self.tail = True, text[found + 1 :]
                out.append(self._plain(""))
                break
            size = self._read_escape(text, found, out)
            if size == 0:
                self._partial = text[found:]
                break
            at = found + size
        return "".join(out)

    def finish(self) -> str:
        """Text of what was left open when the string was cut."""
        return self._plain("")

    def _plain(self, text: str) -> str:
        lost, self._high = _BROKEN if self._high else "", ""
        return lost + text

    def _read_escape(self, text: str, at: int, out: list[str]) -> int:
        """Decode the escape at this backslash; returns its length, or 0 if its end has not arrived."""
        kind = text[at + 1 : at + 2]
        if not kind:
            return 0
        if kind != "u":
            out.append(self._plain(_ESCAPES.get(kind, _BROKEN)))
            return 2
        digits = text[at + 2 : at + 6]
        if not all(digit in "0123456789abcdefABCDEF" for digit in digits):
            out.append(self._plain(_BROKEN))
            return 2
        if len(digits) < 4:
            return 0
        self._read_unit(int(digits, 16), out)
        return 6

    def _read_unit(self, unit: int, out: list[str]) -> None:
        if 0xDC00 <= unit < 0xE000 and self._high:
            code = 0x10000 + ((ord(self._high) - 0xD800) << 10) + (unit - 0xDC00)
            self._high = ""
            out.append(chr(code))
            return
        out.append(self._plain(""))
        if 0xD800 <= unit < 0xDC00:
            self._high = chr(unit)
        else:
            out.append(_BROKEN if 0xDC00 <= unit < 0xE000 else chr(unit))


def _find_special(text: str, start: int) -> int:
    """Position of the next quote or backslash, or the length of the text."""
    quote = text.find('"', start)
    end = len(text) if quote < 0 else quote
    backslash = text.find("\\", start, end)
    return end if backslash < 0 else backslash

"""What would happen if one parameter of a cell had another value: 把460-00-100031的下倾角改成6度会怎样."""

import re
from dataclasses import dataclass
from typing import Final

from metier.packs.telecom.changes import _words
from metier.packs.telecom.twin import Parameter, Scenario
from metier.patterns import compile_later

_WHAT_IF: Final = compile_later(
    r"(?:改|调|设|换|增|加|减|升|降|提|变).*(?:会(?:怎|如何|有什么|有多|不会|变)|(?:有什么|有多大|是什么)?(?:影响|效果|变化|后果)|怎么样|怎样|如何)"
    r"|(?:如果|假如|要是|假设|万一).*(?:改|调|设|增|加|减|升|降|提).*(?:会|呢)"
    r"|\bwhat\s+(?:if|would\s+(?:happen|change)|happens?\s+(?:if|when))\b"
    r"|\b(?:effect|impact)\s+of\s+(?:a\s+)?(?:setting|changing|raising|lowering|increasing|decreasing|reducing)\b",
    re.IGNORECASE,
)
_KINDS: Final[tuple[Parameter, ...]] = ("tilt", "azimuth", "power", "offset")
_UNIT: Final = r"\s*(?:度|°|dBm?|degrees?|deg\b)?"
_NUMBER: Final = r"([-−+]?\d+(?:\.\d+)?)"
_ABSOLUTE: Final = compile_later(
    rf"(?:改|调|设|换|变|升|降|提|增|减|加)[高低大小少整定置]?(?:成|为|到|至|作)\s*{_NUMBER}{_UNIT}|\b(?:to|at|=|be|were|was)\s*{_NUMBER}{_UNIT}",
    re.IGNORECASE,
)
_MORE: Final = compile_later(
    rf"(?:增加|加大|提高|升高|调高|调大|增大|上调|抬高|加|增|升)了?\s*{_NUMBER}{_UNIT}|\b(?:rais|increas|add)\w*\b.*?\bby\s+{_NUMBER}{_UNIT}",
    re.IGNORECASE,
)
_LESS: Final = compile_later(
    rf"(?:减少|减小|降低|调低|调小|下调|压低|减|降)了?\s*{_NUMBER}{_UNIT}|\b(?:lower|reduc|decreas)\w*\b.*?\bby\s+{_NUMBER}{_UNIT}",
    re.IGNORECASE,
)
_CODE: Final = compile_later(r"(?<![\d-])(?:\d{3}-\d{2,3}-)?\d{5,}(?![\d-])")


@dataclass(frozen=True, slots=True)
class WishedChange:
    """A value to try; `by` is what is added where the new value is not named itself. Empty or None where unsaid."""

    cell: str = ""
    parameter: Parameter | None = None
    to: float | None = None
    by: float | None = None

    @property
    def is_whole(self) -> bool:
        """Whether cell, parameter and value are named."""
        return bool(self.cell) and self.parameter is not None and (self.to is not None or self.by is not None)


def asks_for_trial(message: str) -> bool:
    """Whether a message asks what another value of a parameter would do."""
    return _WHAT_IF.search(message) is not None and _find_parameter(message) is not None


def read_trial(message: str, scenario: Scenario) -> WishedChange:
    """What shall be tried in a scenario, as far as the message names it."""
    code = _CODE.search(message)
    named = [one.id for one in scenario.cells if code is not None and one.id.endswith(code[0])]
    named = named or [one.id for one in scenario.cells if one.name and one.name in message]
    less, more, to = (_read_number(one, message) for one in (_LESS, _MORE, _ABSOLUTE))
    by = more if more is not None else None if less is None else -less
    return WishedChange(
        named[0] if len(named) == 1 else "", _find_parameter(message), to, None if to is not None else by
    )


def _find_parameter(message: str) -> Parameter | None:
    found = [one for one in _KINDS if re.search(_words.PARAMETER_WORDS[one], message, re.IGNORECASE)]
    return found[0] if len(found) == 1 else None


def _read_number(pattern: re.Pattern[str], message: str) -> float | None:
    found = pattern.search(message)
    number = next(filter(None, found.groups()), "") if found is not None else ""
    return float(number.replace("−", "-")) if number else None

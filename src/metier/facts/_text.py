"""Makes text of a fact safe to show on one line: no control, invisible or direction-changing characters."""

from collections.abc import Mapping, Sequence
from typing import Final

from metier.json_values import JsonValue
from metier.patterns import compile_later

_UNSEEN: Final = compile_later(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BREAKS: Final = compile_later("[\x00-\x20\x7f-\xa0\u2028\u2029]+")


def clean_fact_text(text: str) -> str:
    """The text on one line, without characters that a person cannot see."""
    return _BREAKS.sub(" ", _UNSEEN.sub("", text)).strip()


def clean_fact_value(value: JsonValue) -> JsonValue:
    """The value with every text in it cleaned."""
    if isinstance(value, str):
        return clean_fact_text(value)
    if isinstance(value, Mapping):
        return {clean_fact_text(str(name)): clean_fact_value(one) for name, one in value.items()}
    if isinstance(value, Sequence):
        return [clean_fact_value(one) for one in value]
    return value

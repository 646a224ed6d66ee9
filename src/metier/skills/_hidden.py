"""Text that a reader cannot see but a model can: tag characters, direction overrides, invisible runs."""

import re
from dataclasses import dataclass

# One class of everything suspicious first: clean text, which is nearly all text, costs one scan in C.
_ANY = re.compile(
    "[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069\u200b-\u200d\u2060-\u2064\ufeff\u00ad\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,6}\U000e007f")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ZERO_WIDTH_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u00ad]{2,}")
_ZERO_WIDTH = re.compile("[\u200b\u2060-\u2064\ufeff\u00ad]")
_VARIATION = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|[\U000e0100-\U000e01ef]")


@dataclass(frozen=True, slots=True)
class HiddenText:
    """What was found, where, and what it spells when it can be decoded."""

    code: str
    line: int
    message: str


def find_hidden_text(text: str) -> list[HiddenText]:
    """Everything invisible in `text` that a writer did not mean, one finding per kind."""
    if not _ANY.search(text):
        return []
    visible = _FLAG.sub("", text)  # the flags of England, Scotland and Wales are spelt with tag characters
    found: list[HiddenText] = []
    if tags := _TAGS.search(visible):
        spelt = "".join(chr(ord(char) - 0xE0000) for run in _TAGS.findall(visible) for char in run)
        message = f"hidden text: {_printable(spelt)!r}"
        found.append(HiddenText("hidden_tag_text", _line(visible, tags.start()), message))
    for code, pattern, what in (
        ("hidden_bidi", _BIDI, "direction override"),
        ("hidden_zero_width", _ZERO_WIDTH_RUN, "run of invisible characters"),
        ("hidden_variation", _VARIATION, "payload of variation selectors"),
    ):
        if hit := pattern.search(visible):
            shown = " ".join(f"U+{ord(char):04X}" for char in hit[0][:8])
            found.append(HiddenText(code, _line(visible, hit.start()), f"{what} {shown}"))
    if not found and (hit := _ZERO_WIDTH.search(visible)):
        shown = f"invisible character U+{ord(hit[0]):04X}"
        found.append(HiddenText("zero_width_removed", _line(visible, hit.start()), shown))
    return found


def remove_zero_width(text: str) -> str:
    """Drop invisible characters that carry no meaning; joiners inside scripts and emoji stay."""
    return _ZERO_WIDTH.sub("", text)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())[:120]

"""Detects text that is invisible to people but not to a model: tag characters, bidi overrides, invisible runs."""

from dataclasses import dataclass

from metier.patterns import compile_later

# Joiners have a meaning in Arabic, Indic scripts and emoji; the other characters have none in a skill.
_JOINERS = "\u200c\u200d"
_INVISIBLE = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# A single character class as pre-check: clean text, which is nearly all text, costs one scan in C.
_ANY_SUSPICIOUS = compile_later(f"[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069{_JOINERS}{_INVISIBLE}{_SELECTORS}]")
_TAGS = compile_later("[\U000e0000-\U000e007f]+")
# The flags of England, Scotland and Wales are the only ones encoded with tag characters.
_FLAG = compile_later(
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_BIDI = compile_later("[\u202a-\u202e\u2066-\u2069]")
_ZERO_WIDTH_RUN = compile_later(f"[{_JOINERS}{_INVISIBLE}]{{2,}}")
_LONE_INVISIBLE = compile_later(f"[{_INVISIBLE}]")
_LONE_JOINER = compile_later(f"(?<=[\x21-\x7e])[{_JOINERS}](?=[\x21-\x7e])")
# An ideograph may have one selector (葛󠄀 in a Japanese name), an emoji one of the last two of the first block.
_VARIATION = compile_later(
    f"[{_SELECTORS}]{{2,}}|[\ufe03-\ufe0d\U000e0110-\U000e01ef]"
    "|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e010f]"
)


@dataclass(frozen=True, slots=True)
class HiddenText:
    """One finding: diagnostic code, line, and a message with the decoded text where it can be decoded."""

    code: str
    line: int
    message: str


def find_hidden_text(text: str) -> list[HiddenText]:
    """Suspicious invisible characters in `text`, one finding per kind."""
    if not _ANY_SUSPICIOUS.search(text):
        return []
    visible = _FLAG.sub("", text)
    found: list[HiddenText] = []
    if tags := _TAGS.search(visible):
        spelt = "".join(chr(ord(char) - 0xE0000) for run in _TAGS.findall(visible) for char in run)
        message = f"hidden text: {_keep_printable(spelt)!r}"
        found.append(HiddenText("hidden_tag_text", _line_at(visible, tags.start()), message))
    for code, pattern, what in (
        ("hidden_bidi", _BIDI, "direction override"),
        ("hidden_zero_width", _ZERO_WIDTH_RUN, "run of invisible characters"),
        ("hidden_variation", _VARIATION, "payload of variation selectors"),
    ):
        if hit := pattern.search(visible):
            shown = " ".join(f"U+{ord(char):04X}" for char in hit[0][:8])
            found.append(HiddenText(code, _line_at(visible, hit.start()), f"{what} {shown}"))
    if not found and (hit := _LONE_INVISIBLE.search(visible) or _LONE_JOINER.search(visible)):
        shown = f"invisible character U+{ord(hit[0]):04X}"
        found.append(HiddenText("zero_width_removed", _line_at(visible, hit.start()), shown))
    return found


def remove_zero_width(text: str) -> str:
    """Remove invisible characters without meaning; joiners inside scripts and emoji are kept."""
    return _LONE_JOINER.sub("", _LONE_INVISIBLE.sub("", text))


def _line_at(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _keep_printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())[:120]

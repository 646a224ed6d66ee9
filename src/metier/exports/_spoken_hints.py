"""Leaves out what only helps in the conversation: sentences that tell the reader what to say next.

Letters, minutes and scripts tell people what to say, too. A sentence, or its last part after a semicolon, is dropped
only if it is such a hint from end to end and says what for; whatever else stands in it keeps all of it.
"""

import re
from typing import Final

from metier.patterns import compile_later

_QUOTE: Final = r"[「“\"'][^「」“”\"'\n]{2,60}[」”\"']"
_SAY_ZH: Final = rf"(?:接着|继续|直接|再)?说\s*[:：]?\s*{_QUOTE}(?:\s*(?:[、或]+\s*)?{_QUOTE})*"
_AIM_ZH: Final = r"(?:如?需要?|想?要)[^。；，\n\d]{1,16}(?:时|，)\s*"
_USE_ZH: Final = r"就?(?:可以|能|会)[^。；，：\n\d「]{1,16}"
_ZH: Final = compile_later(
    rf"(?:(?<=[。；！？\n])|^)[^\S\n]*(?:{_AIM_ZH}(?:也|还|[你您])*可?以?{_SAY_ZH}(?:{_USE_ZH})?"
    rf"|(?:也|还|[你您]|接下来|下一步)*可以?{_SAY_ZH}(?:{_USE_ZH})?|(?:也|还)?{_SAY_ZH}{_USE_ZH})[^\S\n]*(?:。|$)",
    re.MULTILINE,
)
_SAY_EN: Final = rf"say:?\s+{_QUOTE}(?:,?\s+(?:or|and)\s+{_QUOTE})*"
_AIM_EN: Final = r"(?:to|for)\s+[^.;,\n\d]{3,60},\s+"
# "Say 'yes' to the offer" is an order of the text: after "to" stands what the words do in the conversation.
_USE_EN: Final = (
    r"\s+to\s+(?:apply|begin|change|get|go|keep|look|make|put|remove|save|see|show|start|take|undo|write)\b"
    r"[^.;,:\n\d]{0,60}"
)
_EN: Final = compile_later(
    rf"(?:(?<=[.;!?\n])|^)[^\S\n]*(?:{_AIM_EN}(?:you\s+can\s+)?{_SAY_EN}(?:{_USE_EN})?"
    rf"|(?:next,?\s+)?you\s+can\s+(?:also\s+)?{_SAY_EN}(?:{_USE_EN})?|{_SAY_EN}{_USE_EN})[^\S\n]*(?:\.|$)",
    re.MULTILINE | re.IGNORECASE,
)
_REMOVED: Final = "\0"
_OPEN_END: Final = compile_later(rf"[；;]\s*{_REMOVED}")


def drop_spoken_hints(text: str) -> str:
    """A text for a file, without the sentences that only say what to say in the conversation; the rest of it stays."""
    for hints, stop in ((_ZH, "。"), (_EN, ".")):
        text = _OPEN_END.sub(stop, hints.sub(_REMOVED, text)).replace(_REMOVED, "")
    return text

"""Leaves out what only helps in the conversation: clauses that tell the reader what to say next."""

import re
from typing import Final

from metier.patterns import compile_later

_QUOTE: Final = r"[「“\"'][^「」“”\"'\n]{2,60}[」”\"']"
# A clause that begins with 说「…」 or 可以接着说：「…」; "Zhang said: …" has a subject, and is content.
_ZH: Final = compile_later(
    rf"(?:(?<=[。；！？，：\n])|^)\s*(?:(?:需要|想要|如需)[^。；，\n]{{1,16}}，\s*)?(?:也|还|或者?|您|请|需要[^。；，\n]{{0,20}}时|要[^。；，\n]{{0,16}}时?|接下来|下一步)*"
    rf"(?:可以|可|就|请)?(?:接着|继续|直接|再)?(?:说|回复|输入)\s*[:：]?\s*{_QUOTE}[^。；\n]*[。；]?",
    re.MULTILINE,
)
_EN: Final = compile_later(
    rf"(?:(?<=[.;!?,:\n])|^)\s*(?:(?:you\s+can|please|to\s+[^.;\n]{{3,60}},?|or|then|next)\s+)*say:?\s+{_QUOTE}[^.;\n]*[.;]?",
    re.MULTILINE | re.IGNORECASE,
)
_REMOVED: Final = "\0"
_OPEN_END: Final = compile_later(rf"[；，：;,:]\s*{_REMOVED}")


def drop_spoken_hints(text: str) -> str:
    """A text for a file, without the clauses that say what to say in the conversation; the rest of it stays."""
    for hints, stop in ((_ZH, "。"), (_EN, ".")):
        text = _OPEN_END.sub(stop, hints.sub(_REMOVED, text)).replace(_REMOVED, "")
    return text

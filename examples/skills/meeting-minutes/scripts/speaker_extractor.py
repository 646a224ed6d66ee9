"""Count who speaks: lines such as `张工：我来写` or `Li: done`."""

import re
from collections import Counter

_LINE = re.compile(r"^\s*([^\s:：]{1,20})\s*[:：]", re.MULTILINE)


def speaker_extractor(doc_text: str, **_: object) -> dict[str, object]:
    counts = Counter(_LINE.findall(doc_text))
    return {"speakers": [{"name": name, "turns": turns} for name, turns in counts.most_common()]}

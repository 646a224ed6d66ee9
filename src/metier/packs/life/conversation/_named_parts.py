"""Words for parts of a chart, by name and by place: 月柱, 第三步大运, "the tenth house", 金星, "the second one"."""

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from metier.packs.life.conversation._part_words import (
    NUMBER_EN,
    NUMBER_ZH,
    ORDINAL_EN,
    asks_about,
    normalise,
    read_place,
)
from metier.patterns import compile_later

PartKind = Literal["pillar", "luck", "house", "body", "place"]
ChartKind = Literal["bazi", "zodiac"]
_BODIES: Final = MappingProxyType(
    {
        "太阳": "sun",
        "月亮": "moon",
        "水星": "mercury",
        "金星": "venus",
        "火星": "mars",
        "木星": "jupiter",
        "土星": "saturn",
        "天王星": "uranus",
        "海王星": "neptune",
        "冥王星": "pluto",
    }
)
_PILLAR_WORDS: Final = MappingProxyType(
    {"year": ("年柱", "year pillar"), "month": ("月柱", "month pillar"), "day": ("日柱", "day pillar"),
     "hour": ("时柱", "hour pillar")}
)  # fmt: skip
_BAZI: Final = compile_later(
    rf"(?P<named>[年月日时]柱|(?:the |my )?(?:year|month|day|hour) pillar)"
    rf"|(?P<pillar>第{NUMBER_ZH}个?柱|最后一?个?柱|(?:the |my )?{ORDINAL_EN} pillar)"
    rf"|(?P<luck>第{NUMBER_ZH}(?:个|步|轮)?(?:大运|运)|最后一?(?:个|步)?大运|(?:the |my )?{ORDINAL_EN} luck (?:pillar"
    rf"|period|cycle))"
    rf"|(?P<place>第{NUMBER_ZH}(?:个|项)?|(?:the )?{ORDINAL_EN}(?: one)?)"
)
_ZODIAC: Final = compile_later(
    rf"(?P<house>第?{NUMBER_ZH}宫|(?:the |my )?{ORDINAL_EN} house|(?:the )?house (?:no\.? )?{NUMBER_EN})"
    rf"|(?P<body>{'|'.join(sorted(_BODIES, key=len, reverse=True))}|(?:the |my )?\b(?:{'|'.join(_BODIES.values())})\b)"
    rf"|(?P<place>第{NUMBER_ZH}(?:个|项|颗|行)?(?:星体?|行星)?|(?:the )?{ORDINAL_EN}(?: (?:one|body|planet|row))?)"
)


@dataclass(frozen=True, slots=True)
class ChartPart:
    """What part of a chart is asked about: its name, or its place from 1, −1 for the last."""

    kind: PartKind
    name: str = ""
    number: int = 0


def read_part(message: str, chart: ChartKind) -> ChartPart | None:
    """The part of a chart that a whole message asks about; None if it asks for anything else."""
    said = normalise(message)
    pattern = _BAZI if chart == "bazi" else _ZODIAC
    for found in pattern.finditer(said) if said else ():
        if not asks_about(said, found.start(), found.end()):
            continue
        groups, text = found.groupdict(), found[0]
        if groups.get("named"):
            return ChartPart(
                "pillar", next(one for one, words in _PILLAR_WORDS.items() if any(w in text for w in words))
            )
        if groups.get("body"):
            plain = re.sub(r"^(?:the|my) ", "", text)
            return ChartPart("body", _BODIES.get(plain, plain))
        kind: PartKind = "place"
        for one in ("pillar", "luck", "house"):
            kind = one if groups.get(one) else kind
        return ChartPart(kind, number=read_place(text))
    return None

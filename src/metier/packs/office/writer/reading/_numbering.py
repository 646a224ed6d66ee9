"""Automatic numbers of paragraphs as Word shows them: 第一条, （一）, 1.1, ①."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.packs.office.files import Package, XmlElement
from metier.packs.office.writer.reading._names import find, w, w_value, whole
from metier.packs.office.writer.reading._styles import StyleTable
from metier.patterns import write_chinese_integer

__all__ = ["Numbering", "chinese_number"]

_ROMAN: Final = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ["m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"],
        strict=True,
    )
)
_MAX_NUMBER: Final = 9_999


@dataclass(frozen=True, slots=True)
class _NumberLevel:
    start: int
    form: str
    text: str
    suffix: str
    is_legal: bool
    restart: int | None
    style: str


def chinese_number(value: int, *, is_formal: bool = False) -> str:
    """A number below ten thousand as Word writes it in Chinese; others in digits."""
    return write_chinese_integer(value, is_formal=is_formal) if 0 < value <= _MAX_NUMBER else str(value)


def _letter(value: int) -> str:
    return chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)


def _roman(value: int) -> str:
    text = ""
    for size, letters in _ROMAN:
        text += letters * (value // size)
        value %= size
    return text


def _pick(characters: str, base: int = 1) -> Callable[[int], str]:
    return lambda value: characters[value - base] if base <= value < base + len(characters) else str(value)


_CHINESE: Final = (
    "chineseCounting",
    "chineseCountingThousand",
    "japaneseCounting",
    "taiwaneseCounting",
    "taiwaneseCountingThousand",
    "ideographDigital",
    "taiwaneseDigital",
    "koreanCounting",
)
_FORMS: Final[Mapping[str, Callable[[int], str]]] = MappingProxyType(
    {
        **dict.fromkeys(_CHINESE, chinese_number),
        "chineseLegalSimplified": lambda value: chinese_number(value, is_formal=True),
        "ideographLegalTraditional": lambda value: chinese_number(value, is_formal=True),
        "ideographTraditional": _pick("甲乙丙丁戊己庚辛壬癸"),
        "ideographZodiac": _pick("子丑寅卯辰巳午未申酉戌亥"),
        "ideographEnclosedCircle": _pick("㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉"),
        "decimalEnclosedCircle": _pick("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"),
        "decimalEnclosedCircleChinese": _pick("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"),
        "decimalEnclosedParen": lambda value: f"⑴{value}" if value > 20 else chr(0x2473 + value),
        "decimalEnclosedFullstop": lambda value: f"{value}." if value > 20 else chr(0x2487 + value),
        "decimalFullWidth": lambda value: "".join(chr(ord(one) + 0xFEE0) for one in str(value)),
        "decimalZero": lambda value: f"{value:02d}",
        "lowerLetter": _letter,
        "upperLetter": lambda value: _letter(value).upper(),
        "lowerRoman": _roman,
        "upperRoman": lambda value: _roman(value).upper(),
        "none": lambda _value: "",
    }
)


class Numbering:
    """Counts the numbered paragraphs of a document from its beginning."""

    def __init__(self, package: Package, styles: StyleTable) -> None:
        self._styles = styles
        self._levels: dict[str, dict[int, _NumberLevel]] = {}
        self._abstract: dict[str, str] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        self._begun: set[tuple[str, int]] = set()
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        for part in package.list_relations(package.main_part, "numbering"):
            if part in package:
                self._read(package.xml(part))

    def _read(self, root: XmlElement) -> None:
        abstract = {w_value(one, "abstractNumId"): one for one in root.findall(w("abstractNum"))}
        by_style = {w_value(find(one, "styleLink")): one for one in abstract.values()}
        for number in root.findall(w("num")):
            number_id = w_value(number, "numId")
            abstract_id = w_value(find(number, "abstractNumId"))
            definition = abstract.get(abstract_id)
            linked = w_value(find(definition, "numStyleLink"))
            if linked in by_style and linked:
                definition = by_style[linked]
            levels = {} if definition is None else _read_levels(definition)
            for override in number.findall(w("lvlOverride")):
                at = whole(w_value(override, "ilvl"))
                own = find(override, "lvl")
                if own is not None:
                    levels[at] = _read_level(own)
                start = w_value(find(override, "startOverride"))
                if start:
                    self._restarts[number_id, at] = whole(start, 1)
            self._levels[number_id] = levels
            self._abstract[number_id] = abstract_id

    def number_of(self, paragraph: XmlElement) -> str:
        """Number of the next paragraph in reading order; empty if it has none."""
        number_id, level = self._find_number(paragraph)
        levels = self._levels.get(number_id)
        if not levels or level not in levels:
            return ""
        counts = self._counts[self._abstract[number_id]]
        self._count(number_id, level, levels, counts)
        return _render(level, levels, counts)

    def _find_number(self, paragraph: XmlElement) -> tuple[str, int]:
        own = find(paragraph, "pPr", "numPr")
        style = w_value(find(paragraph, "pPr", "pStyle")) or self._styles.default_paragraph
        number_id, level = w_value(find(own, "numId")), w_value(find(own, "ilvl"))
        if own is None or not number_id:
            number_id, styled = self._styles.numbering_of(style)
            level = level or styled
            if number_id and not level:
                linked = self._levels.get(number_id, {})
                level = next((str(at) for at, one in linked.items() if one.style == style), "0")
        return ("" if number_id == "0" else number_id), whole(level)

    def _count(self, number_id: str, level: int, levels: Mapping[int, _NumberLevel], counts: dict[int, int]) -> None:
        override = self._restarts.get((number_id, level))
        if override is not None and (number_id, level) not in self._begun:
            counts[level] = override
        elif level in counts:
            counts[level] += 1
        else:
            counts[level] = levels[level].start
        self._begun.add((number_id, level))
        for upper in range(min(level, 9)):
            counts.setdefault(upper, levels[upper].start if upper in levels else 1)
        for lower in [at for at in counts if at > level]:
            restart = levels[lower].restart if lower in levels else None
            if restart != 0 and (restart is None or level < restart):
                del counts[lower]


def _read_levels(definition: XmlElement) -> dict[int, _NumberLevel]:
    return {whole(w_value(one, "ilvl")): _read_level(one) for one in definition.findall(w("lvl"))}


def _read_level(level: XmlElement) -> _NumberLevel:
    restart = w_value(find(level, "lvlRestart"))
    start = w_value(find(level, "start"))
    return _NumberLevel(
        start=whole(start, 1),
        form=w_value(find(level, "numFmt")) or "decimal",
        text=w_value(find(level, "lvlText")),
        suffix=w_value(find(level, "suff")) or "tab",
        is_legal=find(level, "isLgl") is not None,
        restart=whole(restart) if restart.isdecimal() else None,
        style=w_value(find(level, "pStyle")),
    )


def _render(level: int, levels: Mapping[int, _NumberLevel], counts: Mapping[int, int]) -> str:
    own = levels[level]
    if own.form == "bullet":
        return own.text if own.text and "\ue000" > own.text[0] > " " else "•"
    text = own.text
    for at in range(level, -1, -1):
        if f"%{at + 1}" in text:
            form = levels[at].form if at in levels else "decimal"
            if own.is_legal and at < level:
                form = "decimal"
            text = text.replace(f"%{at + 1}", _write_number(form, counts.get(at, 1)))
    return text.strip()


def _write_number(form: str, value: int) -> str:
    return _FORMS.get(form, str)(value) if 0 < value <= _MAX_NUMBER else str(value)

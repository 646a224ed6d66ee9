"""Velocities that a message gives: every number with the unit that belongs to it, its direction and its measure."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from metier.language import Language, choose
from metier.packs.phm._velocity_words import VELOCITY_UNIT, write_plainly
from metier.patterns import compile_later

Measure = Literal["rms", "peak", "peak_to_peak"]

_TO_MM_S: Final = MappingProxyType(
    {"mm": 1.0, "毫米": 1.0, "cm": 10.0, "厘米": 10.0, "um": 1e-3, "μm": 1e-3, "微米": 1e-3, "i": 25.4, "英寸": 25.4}
)
_METRE_MM: Final = 1000.0
_NUMBER: Final = compile_later(
    r"(?P<sign>负|(?<![\d%)A-Za-z])[-−–±+]|±)?(?P<digits>\d[\d.,']*|(?<!\d)\.\d+)(?P<power>e[-+−]?\d+)?"
    rf"\s*(?P<unit>{VELOCITY_UNIT}|%)?",
    re.IGNORECASE,
)
_PLAIN: Final = compile_later(r"\d+(?:\.\d+)?|\.\d+")
_THOUSANDS: Final = compile_later(r"\d{1,3}(?:,\d{3})+\.\d+")
_DECIMAL_COMMA: Final = compile_later(r"\d{1,4},\d{1,2}")
# ×10^-3 and the like in front of a number: the number is only a part of the value.
_FACTOR: Final = compile_later(r"[×x*·^/⁻]\s?$", re.IGNORECASE)
_PLUS_MINUS: Final = compile_later(r"\s*(?:±|\+/?-)\s*")
_RANGE: Final = compile_later(r"\s*(?:[-−–—~～]|到|至|to)\s*", re.IGNORECASE)
_LIST: Final = compile_later(r"\s*(?:[,、/;；]|and|or|vs\.?|和|及|或)\s*(?:and|or)?\s*", re.IGNORECASE)
_DIVISION: Final = compile_later(r"[,、;；。/]|\b(?:and|but|or|vs)\b|和|而是?|但", re.IGNORECASE)
_PLACE: Final = compile_later(
    r"水平|垂直|竖直|轴向|径向|横向|纵向|非驱动端|驱动端|自由端|前端|后端|前轴承|后轴承|昨[天日]|今[天日]|上周|本周"
    r"|上次|这次|之前|以前|现在|目前"
    r"|当前|\b(?:horizontal|vertical|axial|radial)(?:ly)?\b|\b(?:non-?)?drive[ -]end\b"
    r"|\b(?:yesterday|today|last week|now|before|earlier)\b",
    re.IGNORECASE,
)
_JOINING: Final = compile_later(r"(?:方向|向|振动|速度|为|是|was|is|it|at|[\s:=的])*", re.IGNORECASE)
_DENIAL: Final = compile_later(
    r"(?:不是|并非|不为|\bnot|\bisn't|\brather than|\binstead of)(?:\s+(?:at|of))?\s*$", re.IGNORECASE
)
_NOT_BARE: Final = compile_later(r"[\d.%/A-Za-z]|\s*(?:[a-z]|千瓦|[类组台号年月天转倍米吨度个次小])", re.IGNORECASE)
_NAMED: Final = compile_later(
    r"(?:[A-Za-z\d]-?|[#第泵机]|\b(?:class|group|pump|motor|fan|machine|gearbox|compressor|no\.?|number|point"
    r"|bearing)\s?)$",
    re.IGNORECASE,
)
_MAX_BARE: Final = 1000.0
# A load or an hour may peak without the value being one.
_PEAK_WORDS: Final = (
    r"(?P<peak_to_peak>\b(?:pk|p|peak)[ -]?(?:to[ -])?(?:pk|p|peak)\b|峰[- ]?峰值?|双峰值?)"
    r"|(?P<peak>\b(?:0-)?(?:peaks?|pk)\b(?!\s*(?:load|hours?|speed|power|season|time))|(?<!高)峰值(?!负[荷载])|单峰)"
    r"|(?P<rms>\brms\b|有效值|均方根)"
)
_MEASURE: Final = compile_later(_PEAK_WORDS, re.IGNORECASE)
_MEASURES: Final[tuple[Measure, ...]] = ("peak_to_peak", "peak", "rms")
_PER_RMS: Final = MappingProxyType[Measure, float]({"rms": 1.0, "peak": math.sqrt(2), "peak_to_peak": 2 * math.sqrt(2)})


@dataclass(frozen=True, slots=True)
class SaidVelocity:
    """A velocity in the words of a message; `mm_s` is None if the number can be read in several ways."""

    said: str
    mm_s: float | None
    place: str = ""
    measure: Measure = "rms"
    is_negative: bool = False
    is_upper: bool = False  # upper end of a range

    @property
    def rms_mm_s(self) -> float:
        """RMS that the value stands for; a peak is taken as that of a sine."""
        return round((self.mm_s or 0.0) / _PER_RMS[self.measure], 6)


@dataclass(frozen=True, slots=True)
class _Token:
    said: str
    values: tuple[float, ...] | None
    sign: str
    unit: str
    start: int
    end: int
    is_upper: bool = False


def list_velocities(message: str, language: Language, *, takes_bare: bool = False) -> list[SaidVelocity]:
    """Velocities of a message; with `takes_bare`, numbers without a unit are some (in mm/s) if none has a unit."""
    text = write_plainly(message)
    tokens = [_read_token(found, text, language) for found in _NUMBER.finditer(text)]
    units = {one.unit for one in tokens if one.unit not in ("", "%")}
    if not units and not takes_bare:
        return []
    tokens = list(_join_ranges(tokens, text))
    unit = next((one.unit for one in tokens if one.unit in units), "mm/s")
    kept = [at for at, one in enumerate(tokens) if _is_velocity(at, tokens, text, is_any=not units)]
    denied = {at for at in kept if _DENIAL.search(text[: tokens[at].start])}
    if denied and len(denied) < len(kept):
        kept = [at for at in kept if at not in denied]
    return [made for at in kept for made in _describe(tokens[at], _find_context(at, kept, tokens, text), unit)]


def _read_token(found: re.Match[str], text: str, language: Language) -> _Token:
    digits, power = found["digits"].rstrip(".,'"), found["power"] or ""
    values = None if _FACTOR.search(text, 0, found.start()) else _read_values(digits, language)
    if values is not None and power:
        values = tuple(float(f"{one}{power.replace('−', '-')}") for one in values)
    is_cut = digits != found["digits"]  # the comma behind a number divides: what follows is another clause
    unit = "" if is_cut else found["unit"] or ""
    end = found.start("digits") + len(digits) if is_cut else found.end()
    said = text[found.start() : end].strip()
    return _Token(said, values, found["sign"] or "", unit, found.start(), found.start() + len(said))


def _read_values(digits: str, language: Language) -> tuple[float, ...] | None:
    """Numbers that digits with points and commas are; None if they can be read in two ways, such as 1,200."""
    if _PLAIN.fullmatch(digits) or _THOUSANDS.fullmatch(digits):
        return (float(digits.replace(",", "")),)
    if _DECIMAL_COMMA.fullmatch(digits):
        point = choose(language, en=".", zh=",")  # Chinese has no decimal comma: 2,5 is a list or a slip
        digits = digits.replace(",", point)
        return (float(digits),) if _PLAIN.fullmatch(digits) else None
    parts = digits.split(",")
    if "." in parts[-1] and len(parts) > 1 and all(_PLAIN.fullmatch(one) for one in parts):
        return tuple(float(one) for one in parts)
    return None


def _join_ranges(tokens: Sequence[_Token], text: str) -> Iterator[_Token]:
    """The tokens with 4.5±0.2 and 2-4.5 as one each: the upper end."""
    at = 0
    while at < len(tokens):
        one, other = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        joined = _join(one, other, text) if other is not None else None
        yield joined or one
        at += 2 if joined else 1


def _join(one: _Token, other: _Token, text: str) -> _Token | None:
    if one.values is None or other.values is None or not (one.unit or other.unit):
        return None
    low, high = max(one.values), max(other.values)
    between = text[one.end : other.start] + other.sign
    if _PLUS_MINUS.fullmatch(between):
        upper = low * (1 + high / 100) if other.unit == "%" else low + high
    elif _RANGE.fullmatch(between) and one.unit in ("", other.unit):
        upper = max(low, high)
    else:
        return None
    unit = one.unit or other.unit
    return replace(one, said=text[one.start : other.end], values=(upper,), unit=unit, end=other.end, is_upper=True)


def _is_velocity(at: int, tokens: Sequence[_Token], text: str, *, is_any: bool) -> bool:
    """Whether a number has the unit of a velocity, or stands beside one with a direction or in a list with it."""
    one = tokens[at]
    if one.unit:
        return one.unit != "%"
    if _NAMED.search(text, 0, one.start) or (one.values is not None and max(one.values) >= _MAX_BARE):
        return False
    if _has_place(one, text) or (is_any and not _NOT_BARE.match(text, one.end)):
        return True
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    is_listed = following is not None and _LIST.fullmatch(text, one.end, following.start) is not None
    return is_listed and _is_velocity(at + 1, tokens, text, is_any=False)


def _has_place(one: _Token, text: str) -> bool:
    before = list(_PLACE.finditer(text, max(0, one.start - 24), one.start))
    if before and _JOINING.fullmatch(text, before[-1].end(), one.start):
        return True
    behind = _PLACE.search(text, one.end, one.end + 16)
    return behind is not None and _JOINING.fullmatch(text, one.end, behind.start()) is not None


def _find_context(at: int, kept: Sequence[int], tokens: Sequence[_Token], text: str) -> tuple[str, str]:
    """Words in front of and behind a number that are about it and not about its neighbours."""
    index, one = kept.index(at), tokens[at]
    start = tokens[kept[index - 1]].end if index else 0
    end = tokens[kept[index + 1]].start if index + 1 < len(kept) else len(text)
    before, behind = text[start : one.start], text[one.end : end]
    if index:
        before = _DIVISION.split(before)[-1]
    if index + 1 < len(kept):
        parts = _DIVISION.split(behind)
        behind = parts[0] if len(parts) > 1 else ""  # without a division the words lead the next number
    return before, behind


def _describe(one: _Token, context: tuple[str, str], unit: str) -> Iterator[SaidVelocity]:
    before, behind = context
    places = [found[0] for found in _PLACE.finditer(before)][-1:] or [found[0] for found in _PLACE.finditer(behind)][:1]
    made = SaidVelocity(one.said, None, "".join(places), _find_measure(before, behind), is_upper=one.is_upper)
    if one.values is not None and one.sign in ("-", "−", "–", "负"):
        yield replace(made, is_negative=True)
    elif one.values is None or one.sign == "±":
        yield made
    else:
        factor = _find_factor(one.unit or unit)
        for value in one.values:
            said = one.said if one.unit and len(one.values) == 1 else f"{value:g} {one.unit or unit}"
            yield replace(made, said=said, mm_s=round(value * factor, 6))


def _find_measure(before: str, behind: str) -> Measure:
    """RMS, peak or peak to peak: the word that is nearest to the number."""
    nearest = [(found.start(), found) for found in _MEASURE.finditer(behind)][:1]
    nearest += [(len(before) - found.end(), found) for found in _MEASURE.finditer(before)][-1:]
    if not nearest:
        return "rms"
    found = min(nearest, key=lambda one: one[0])[1]
    return next(one for one in _MEASURES if found[one] is not None)


def _find_factor(unit: str) -> float:
    plain = unit.lower()
    return next((factor for name, factor in _TO_MM_S.items() if plain.startswith(name)), _METRE_MM)

"""Finds the place that a person typed: an address in Chinese, a city with its country, or coordinates."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.packs.life.birth._places import (
    Place,
    PlaceTable,
    drop_suffix,
    fold,
    keep_distinct,
    load_places,
    split_province,
)
from metier.patterns import compile_later

_MAX_OPTIONS: Final = 8
_MUCH_LARGER: Final = 20
_MIN_ZONE_WORD: Final = 4  # "Australia" narrows by the zone, a code of two letters would match anywhere
_MAX_LATITUDE: Final = 90.0
_MAX_LONGITUDE: Final = 180.0
_NUMBER: Final = r"(\d{1,3}(?:\.\d+)?)\s*°?\s*"
_LETTERED: Final = compile_later(_NUMBER + r"([NSEWnsew])\b")
_CHINESE: Final = compile_later(r"([东西南北])[经纬]\s*" + _NUMBER + "度?")
_SIGNS: Final[Mapping[str, tuple[str, int]]] = MappingProxyType(
    {
        "n": ("lat", 1), "s": ("lat", -1), "e": ("lon", 1), "w": ("lon", -1),
        "北": ("lat", 1), "南": ("lat", -1), "东": ("lon", 1), "西": ("lon", -1),
    }
)  # fmt: skip
_PARTS: Final = compile_later(r".+?(?:自治州|自治县|地区|盟|州|市|区|县|旗|镇|乡|街道|村|$)")
_HAN: Final = compile_later(r"[\u4e00-\u9fff]")
# Countries that people write before or after a city; other names than these are left to the code.
_COUNTRIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "中国": "CN", "美国": "US", "英国": "GB", "日本": "JP", "韩国": "KR", "法国": "FR", "德国": "DE",
        "加拿大": "CA", "澳大利亚": "AU", "新西兰": "NZ", "新加坡": "SG", "马来西亚": "MY", "泰国": "TH",
        "越南": "VN", "印度": "IN", "俄罗斯": "RU", "意大利": "IT", "西班牙": "ES", "巴西": "BR", "台湾": "TW",
        "香港": "HK", "澳门": "MO",
        "china": "CN", "usa": "US", "us": "US", "unitedstates": "US", "uk": "GB", "unitedkingdom": "GB",
        "england": "GB", "japan": "JP", "korea": "KR", "southkorea": "KR", "france": "FR", "germany": "DE",
        "canada": "CA", "australia": "AU", "newzealand": "NZ", "singapore": "SG", "malaysia": "MY",
        "thailand": "TH", "vietnam": "VN", "india": "IN", "russia": "RU", "italy": "IT", "spain": "ES",
        "brazil": "BR", "taiwan": "TW", "hongkong": "HK", "macau": "MO", "mexico": "MX", "ireland": "IE",
        "netherlands": "NL", "switzerland": "CH", "sweden": "SE", "norway": "NO",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """What a typed place means: the place, or several to choose from, or nothing.

    `part` is the known part if it is not all of what was typed; `others` are places of the same name that were passed
    over; `is_nearest` says that only coordinates were typed and the place lends its zone.
    """

    place: Place | None = None
    options: tuple[Place, ...] = ()
    part: str = ""
    others: tuple[Place, ...] = ()
    is_nearest: bool = False


def find_place(text: str, *, latitude: float | None = None, longitude: float | None = None) -> PlaceMatch:
    """Find the place; typed coordinates replace those of the table."""
    rest, typed = _take_coordinates(text)
    latitude = typed.get("lat", latitude)
    longitude = typed.get("lon", longitude)
    if not fold(rest):
        if latitude is None or longitude is None or not _is_on_earth(latitude, longitude):
            return PlaceMatch()
        near = load_places().find_nearest(latitude, longitude)
        return PlaceMatch(near._replace(latitude=latitude, longitude=longitude), is_nearest=True)
    found = _find_name(rest.strip(" ,，"))
    if found.place is None and not found.options:
        found = _find_old_name(rest)
    if found.place is None or not _is_on_earth(latitude or 0.0, longitude or 0.0):
        return found
    known = found.place
    moved = known._replace(
        latitude=known.latitude if latitude is None else latitude,
        longitude=known.longitude if longitude is None else longitude,
    )
    return PlaceMatch(moved, part=found.part, others=found.others)


def is_same_place(one: str, other: str) -> bool:
    """Whether two names may mean the same place: 成都 and Chengdu; names that nobody knows are compared by spelling."""
    first, second = (
        match.options or ((match.place,) if match.place else ()) for match in map(find_place, (one, other))
    )
    if not first or not second:
        return one.lower() in other.lower() or other.lower() in one.lower()
    return any(len(keep_distinct((here, there))) == 1 for here in first for there in second)


def _is_on_earth(latitude: float, longitude: float) -> bool:
    return abs(latitude) <= _MAX_LATITUDE and abs(longitude) <= _MAX_LONGITUDE


def _take_coordinates(text: str) -> tuple[str, Mapping[str, float]]:
    """The text without its coordinates, and the coordinates."""
    found: dict[str, float] = {}
    for pattern, is_letter_last in ((_LETTERED, True), (_CHINESE, False)):
        for match in pattern.finditer(text):
            number, letter = match.groups() if is_letter_last else match.groups()[::-1]
            axis, sign = _SIGNS[letter.lower()]
            found[axis] = sign * float(number)
        text = pattern.sub(" ", text)
    return text, found


def _find_name(text: str) -> PlaceMatch:
    table = load_places()
    for option in (*table.find(text.partition("(")[0]), *table.find(text.partition(",")[0])):
        if text in (option.label, option.label_in("en")):  # an option that was offered before
            return PlaceMatch(option)
    return _find_chinese(table, text) if _HAN.search(text) else _find_latin(table, text)


def _find_old_name(text: str) -> PlaceMatch:
    """The present place of an earlier name, which is named as the known part."""
    present = next((new for old, new in _read_old_names() if old in text), "")
    found = _find_name(present) if present else PlaceMatch()
    return PlaceMatch(found.place, part=present) if found.place else PlaceMatch()


@cache
def _read_old_names() -> tuple[tuple[str, str], ...]:
    lines = Path(__file__).with_name("old_names.tsv").read_text("utf-8").splitlines()
    return tuple((old, new) for old, _, new in (one.partition("\t") for one in lines if not one.startswith("#")))


def _find_chinese(table: PlaceTable, text: str) -> PlaceMatch:
    typed = re.sub(r"[\s,，、·]+", "", text)
    country = next((name for name in _COUNTRIES if typed.startswith(name) and len(typed) > len(name)), "")
    typed = typed.removeprefix(country)
    province, rest = split_province(typed)
    if province and (match := _find_parts(table, rest, province)):
        place, part, options = match
        return _choose(place, typed, typed[: len(typed) - len(rest)] + part, options)
    # Without a match in its province an address counts from its first part only: 北京市朝阳区 is not 朝阳 of 辽宁.
    if match := _find_parts(
        table, typed, "", "CN" if province else _COUNTRIES.get(country, ""), is_first_only=bool(province)
    ):
        place, part, options = match
        return _choose(place, typed, part, options)
    return PlaceMatch()


def _find_parts(
    table: PlaceTable, text: str, province: str, country: str = "", *, is_first_only: bool = False
) -> tuple[Place, str, tuple[Place, ...]] | None:
    """The most exact known part of an address, the part as typed, and all places it may mean."""
    ends: list[int] = [match.end() for match in _PARTS.finditer(text) if match.group()]
    starts = [0, *ends[:-1]] if ends else []
    spans = list(zip(starts, ends, strict=True))
    for start, end in spans[:1] if is_first_only else reversed(spans):
        for stop in range(end, start + 1, -1):
            found = _find_one(table, text[start:stop], province, country)
            if found:
                return found[0], text[:stop], found
    return None


def _find_one(table: PlaceTable, name: str, province: str, country: str) -> tuple[Place, ...]:
    found = table.find(name) or table.find(drop_suffix(name))
    if name.endswith(("区", "县", "旗")) and not province:
        found = tuple(one for one in found if not one.is_prefecture) or found
    if country:
        found = tuple(one for one in found if one.country == country)
    return tuple(one for one in found if not province or (one.country == "CN" and one.region == province))


def _find_latin(table: PlaceTable, text: str) -> PlaceMatch:
    first, *rest = [part.strip() for part in text.split(",")]
    found = table.find(first)
    for part in rest:
        country = _COUNTRIES.get(fold(part), part.upper())
        narrowed = tuple(
            one
            for one in found
            if country in (one.country, one.region)
            or fold(part) in map(fold, one.label_in("en").split(",")[1:])
            or (len(part) >= _MIN_ZONE_WORD and fold(part) in fold(one.zone))
        )
        found = narrowed or found
    if not found:
        words = first.split()
        longest = (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
        known = next((name for name in longest if table.find(name)), "")
        return _choose(table.find(known)[0], first, known, table.find(known)) if known else PlaceMatch()
    return _choose(found[0], first, first, found)


def _choose(place: Place, typed: str, part: str, found: tuple[Place, ...]) -> PlaceMatch:
    """One place if it is the only one, a prefecture of China or far larger than the others; else all to choose from."""
    distinct = keep_distinct(found)
    said = part if fold(part) != fold(typed) and drop_suffix(part) != drop_suffix(typed) else ""
    if len(distinct) == 1:
        return PlaceMatch(place, part=said)
    first, second, *_ = distinct
    is_clear = first.is_prefecture and not second.is_prefecture
    if is_clear or first.population >= _MUCH_LARGER * max(1, second.population):
        return PlaceMatch(first, part=said, others=distinct[1:_MAX_OPTIONS])
    return PlaceMatch(options=distinct[:_MAX_OPTIONS], part=said)

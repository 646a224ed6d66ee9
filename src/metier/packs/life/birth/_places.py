"""Table of places: GeoNames cities (CC BY 4.0) and the prefectures of China, with coordinates and zone."""

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.json_values import JsonObject
from metier.language import Language, choose

XINJIANG: Final = "Asia/Urumqi"
_FOLDER: Final = Path(__file__).parent
_SAME_PLACE_KM: Final = 60.0
_EARTH_KM: Final = 6371.0
_PREFECTURE_POPULATION: Final = 500  # thousands; the table of prefectures has no count
_SUFFIXES: Final = ("自治州", "自治县", "地区", "市", "盟", "州", "县", "旗", "区")
_MIN_NAME: Final = 2
# Codes of GeoNames for the provinces; the four municipalities are places themselves.
_PROVINCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "安徽": "01", "浙江": "02", "江西": "03", "江苏": "04", "吉林": "05", "青海": "06", "福建": "07",
        "黑龙江": "08", "河南": "09", "河北": "10", "湖南": "11", "湖北": "12", "新疆": "13", "西藏": "14",
        "甘肃": "15", "广西": "16", "贵州": "18", "辽宁": "19", "内蒙古": "20", "宁夏": "21", "北京": "22",
        "上海": "23", "山西": "24", "山东": "25", "陕西": "26", "天津": "28", "云南": "29", "广东": "30", "海南": "31",
        "四川": "32", "重庆": "33",
    }
)  # fmt: skip
_PROVINCE_NAMES: Final[Mapping[str, str]] = MappingProxyType({code: name for name, code in _PROVINCES.items()})
_ENGLISH_PROVINCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "01": "Anhui", "02": "Zhejiang", "03": "Jiangxi", "04": "Jiangsu", "05": "Jilin",
        "06": "Qinghai", "07": "Fujian", "08": "Heilongjiang", "09": "Henan", "10": "Hebei",
        "11": "Hunan", "12": "Hubei", "13": "Xinjiang", "14": "Tibet", "15": "Gansu",
        "16": "Guangxi", "18": "Guizhou", "19": "Liaoning", "20": "Inner Mongolia", "21": "Ningxia",
        "22": "Beijing", "23": "Shanghai", "24": "Shanxi", "26": "Shaanxi", "28": "Tianjin",
        "29": "Yunnan", "30": "Guangdong", "31": "Hainan", "32": "Sichuan", "33": "Chongqing",
        "25": "Shandong",
    }
)  # fmt: skip
_NOT_LETTERS: Final = re.compile(r"[^a-z0-9\u4e00-\u9fff]+")


class Place(NamedTuple):
    """A place where somebody was born."""

    name: str
    chinese: tuple[str, ...]
    country: str
    region: str
    latitude: float
    longitude: float
    zone: str
    population: int
    is_prefecture: bool = False

    @property
    def label(self) -> str:
        """Name that tells the place from others of the same name."""
        own = self.chinese[0] if self.chinese else self.name
        if self.country == "CN" and self.chinese:
            province = _PROVINCE_NAMES.get(self.region, "")
            return own if own.startswith(province) and province else f"{province}{own}"
        known = f"{own} ({self.name})" if self.chinese else self.name
        return ", ".join(part for part in (known, self.region, self.country) if part)

    def label_in(self, language: Language) -> str:
        """Name in a language; a place without an English name keeps its Chinese one."""
        region = _ENGLISH_PROVINCES.get(self.region, "") if self.country == "CN" else self.region
        parts = (self.name, region if region != self.name else "", self.country)
        return choose(language, zh=self.label, en=", ".join(part for part in parts if part))

    def to_json(self) -> JsonObject:
        return {"label": self.label, "latitude": self.latitude, "longitude": self.longitude, "zone": self.zone}


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """All places, and their numbers by folded name."""

    places: tuple[Place, ...]
    numbers: Mapping[str, tuple[int, ...]]

    def find(self, name: str) -> tuple[Place, ...]:
        """Places of this name, prefectures and large ones first."""
        found = [self.places[number] for number in self.numbers.get(fold(name), ())]
        return tuple(sorted(found, key=lambda one: (not one.is_prefecture, -one.population)))

    def find_nearest(self, latitude: float, longitude: float) -> Place:
        """The place nearest to coordinates: it gives their zone."""
        return min(self.places, key=lambda one: measure_km(one, latitude, longitude))


def fold(name: str) -> str:
    """A name as the table looks it up: small letters without accents, blanks and signs."""
    if name.isalnum() and (name.isascii() or min(name) >= "\u4e00"):
        return name.lower()
    plain = unicodedata.normalize("NFKD", name.replace("ı", "i"))
    return _NOT_LETTERS.sub("", "".join(one for one in plain if not unicodedata.combining(one)).lower())


def measure_km(place: Place, latitude: float, longitude: float) -> float:
    """Distance on the sphere between a place and coordinates."""
    one, two = math.radians(place.latitude), math.radians(latitude)
    half = math.sin((two - one) / 2) ** 2
    wide = math.sin(math.radians(longitude - place.longitude) / 2) ** 2
    return 2 * _EARTH_KM * math.asin(math.sqrt(min(1.0, half + math.cos(one) * math.cos(two) * wide)))


def split_province(text: str) -> tuple[str, str]:
    """Code of the province a Chinese address begins with, or "", and the rest of the address."""
    for name, code in _PROVINCES.items():
        if text.startswith(name):
            rest = re.sub(r"^(?:壮族自治区|回族自治区|维吾尔自治区|自治区|省|市)", "", text[len(name) :])
            return code, rest
    return "", text


def drop_suffix(name: str) -> str:
    """成都市 and 成都 are one name; two characters stay as they are."""
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and len(name) - len(suffix) >= _MIN_NAME:
            return name.removesuffix(suffix)
    return name


def keep_distinct(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """One of each group of entries that mean the same place: a city and the prefecture named after it."""
    kept: list[Place] = []
    for place in places:
        if all(measure_km(one, place.latitude, place.longitude) > _SAME_PLACE_KM for one in kept):
            kept.append(place)
    return tuple(kept)


@cache
def load_places() -> PlaceTable:
    """Read the table; the first call takes some 60 ms, later ones nothing."""
    places = (*_read_prefectures(), *_read_cities())
    numbers: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        for name in {fold(one) for one in _list_names(place)}:
            numbers.setdefault(name, []).append(number)
    return PlaceTable(places, MappingProxyType({name: tuple(found) for name, found in numbers.items()}))


def _list_names(place: Place) -> Iterator[str]:
    yield place.name
    yield from place.chinese
    if place.name.endswith(" City"):
        yield place.name.removesuffix(" City")


def _read_cities() -> Iterator[Place]:
    zones, *lines = (_FOLDER / "places.tsv").read_text("utf-8").splitlines()
    names = zones.split("\t")
    listed = {(_PROVINCES[province], name) for province, name, *_ in _read_prefecture_rows()}
    for line in lines:
        english, chinese, country, region, latitude, longitude, zone, population = line.split("\t")
        own = tuple(filter(None, chinese.split(",")))
        is_listed = country == "CN" and any((region, name) in listed for name in own)
        first = tuple(sorted(own, key=lambda name: (region, name) not in listed)) if is_listed else own
        at = float(latitude), float(longitude)
        yield Place(english, first, country, region, *at, names[int(zone)], int(population), is_listed)


def _read_prefectures() -> Iterator[Place]:
    for province, name, *more in _read_prefecture_rows():
        if not more:
            continue
        latitude, longitude, short = more
        code = _PROVINCES[province]
        zone = XINJIANG if province == "新疆" else "Asia/Shanghai"
        names = (name, *filter(None, short.split(",")))
        at = float(latitude), float(longitude)
        yield Place(name, names, "CN", code, *at, zone, _PREFECTURE_POPULATION, is_prefecture=True)


def _read_prefecture_rows() -> Iterator[list[str]]:
    for line in (_FOLDER / "prefectures.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")

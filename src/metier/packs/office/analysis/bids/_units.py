"""Units of quantities by dimension, and dimensions that turn into one another by more than one rate."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final

__all__ = ["UNITS", "DimensionRate", "find_rate", "find_unit"]

_DAY_S: Final = Decimal(86_400)
UNITS: Final[Mapping[str, tuple[str, Decimal]]] = MappingProxyType(
    {
        name: (dimension, Decimal(factor))
        for dimension, names in (
            ("time", {"秒": "1", "s": "1", "毫秒": "0.001", "ms": "0.001", "分钟": "60", "分": "60", "min": "60"}),
            ("time", {"小时": "3600", "h": "3600", "日历天": "86400", "自然日": "86400", "天": "86400", "日": "86400"}),
            ("time", {"个日历天": "86400", "个自然日": "86400", "周": "604800", "个星期": "604800", "星期": "604800"}),
            ("workdays", {"工作日": "1", "个工作日": "1"}),
            ("months", {"个月": "1", "月": "1", "年": "12", "个季度": "3"}),
            (
                "length",
                {"mm": "0.001", "毫米": "0.001", "cm": "0.01", "厘米": "0.01", "m": "1", "米": "1", "km": "1000"},
            ),
            (
                "time",
                {"day": "86400", "days": "86400", "hour": "3600", "hours": "3600", "minutes": "60", "weeks": "604800"},
            ),
            ("months", {"month": "1", "months": "1", "year": "12", "years": "12"}),
            ("length", {"公里": "1000", "千米": "1000"}),
            ("area", {"平方米": "1", "㎡": "1", "m²": "1", "亩": "666.67", "公顷": "10000", "平方公里": "1000000"}),
            ("mass", {"g": "0.001", "克": "0.001", "kg": "1", "公斤": "1", "千克": "1", "吨": "1000", "t": "1000"}),
            ("volume", {"升": "1", "毫升": "0.001", "ml": "0.001", "立方米": "1000", "m³": "1000"}),
            ("energy", {"kWh": "1", "kwh": "1", "千瓦时": "1", "MWh": "1000", "mwh": "1000", "兆瓦时": "1000"}),
            ("power", {"kW": "1", "kw": "1", "千瓦": "1", "MW": "1000", "兆瓦": "1000"}),
            ("data", {"GB": "1", "gb": "1", "G": "1"}),
            ("data MB", {"MB": "1", "mb": "1"}),
            ("data TB", {"TB": "1", "tb": "1", "T": "1"}),
            ("share", {"%": "1", "％": "1", "‰": "0.1"}),
            ("money", {"元": "1", "万元": "10000", "亿元": "100000000", "元整": "1"}),
            ("degree", {"℃": "1", "°C": "1", "摄氏度": "1", "度": "1"}),
            (
                "count",
                dict.fromkeys(
                    ("人", "名", "位", "台", "套", "个", "辆", "次", "份", "条", "项", "家", "张", "件", "只", "部"),
                    "1",
                ),
            ),
        )
        for name, factor in names.items()
    }
)


@dataclass(frozen=True, slots=True)
class DimensionRate:
    """What one unit of a dimension is at least and at most in another: a month has 28 to 31 days."""

    base: str
    least: Decimal
    most: Decimal
    least_offset: Decimal = Decimal(0)
    highest_offset: Decimal = Decimal(0)

    def convert(self, value: Decimal) -> tuple[Decimal, Decimal]:
        """The least and the most that a value is in the other dimension."""
        return value * self.least + self.least_offset, value * self.most + self.highest_offset


_MONTH_S: Final = Decimal("30.4375") * _DAY_S
_RATES: Final[Mapping[str, DimensionRate]] = MappingProxyType(
    {
        "months": DimensionRate("time", _MONTH_S, _MONTH_S, Decimal("-2.5") * _DAY_S, _DAY_S),
        # Five of seven days are working days; the longest holidays take eleven more.
        "workdays": DimensionRate("time", _DAY_S, Decimal("1.4") * _DAY_S, highest_offset=11 * _DAY_S),
        "data TB": DimensionRate("data", Decimal(1000), Decimal(1024)),
        "data MB": DimensionRate("data", 1 / Decimal(1024), 1 / Decimal(1000)),
    }
)


def find_unit(unit: str) -> tuple[str, Decimal]:
    """The dimension of a unit and its factor; an unknown unit is a dimension of its own."""
    return UNITS.get(unit) or UNITS.get(unit.lower()) or (f"unit {unit}", Decimal(1))


def find_rate(dimension: str) -> DimensionRate:
    """How a dimension turns into the one that others are compared in; one that is such is itself."""
    return _RATES.get(dimension) or DimensionRate(dimension, Decimal(1), Decimal(1))

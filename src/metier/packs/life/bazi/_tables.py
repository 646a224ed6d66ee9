"""Tables of the sexagenary cycle: stems, branches, elements, hidden stems, ten gods, melodic elements."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

Element = Literal["wood", "fire", "earth", "metal", "water"]
STEMS: Final = "甲乙丙丁戊己庚辛壬癸"
BRANCHES: Final = "子丑寅卯辰巳午未申酉戌亥"
ELEMENTS: Final[tuple[Element, ...]] = ("wood", "fire", "earth", "metal", "water")  # each feeds the next
CYCLE: Final = 60
_BRANCH_ELEMENTS: Final = "水土木木土火火土金金土水"
_CHINESE: Final = "木火土金水"
HIDDEN_STEMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "子": "癸", "丑": "己癸辛", "寅": "甲丙戊", "卯": "乙", "辰": "戊乙癸", "巳": "丙庚戊",
        "午": "丁己", "未": "己丁乙", "申": "庚壬戊", "酉": "辛", "戌": "戊辛丁", "亥": "壬甲",
    }
)  # fmt: skip
_GODS: Final = ("比肩", "劫财", "食神", "伤官", "偏财", "正财", "七杀", "正官", "偏印", "正印")
_STAGES: Final = ("长生", "沐浴", "冠带", "临官", "帝旺", "衰", "病", "死", "墓", "绝", "胎", "养")
_BIRTHS: Final = "亥午寅酉寅酉巳子申卯"  # branch of 长生 for each stem
_MELODIES: Final = (
    "海中金", "炉中火", "大林木", "路旁土", "剑锋金", "山头火", "涧下水", "城头土", "白蜡金", "杨柳木",
    "泉中水", "屋上土", "霹雳火", "松柏木", "长流水", "沙中金", "山下火", "平地木", "壁上土", "金箔金",
    "覆灯火", "天河水", "大驿土", "钗钏金", "桑柘木", "大溪水", "沙中土", "天上火", "石榴木", "大海水",
)  # fmt: skip


def name_pillar(number: int) -> str:
    """Stem and branch of a number of the cycle: 0 is 甲子."""
    return STEMS[number % 10] + BRANCHES[number % 12]


def number_pillar(name: str) -> int:
    """Number of a stem and branch in the cycle."""
    stem, branch = STEMS.index(name[0]), BRANCHES.index(name[1])
    return next(number for number in range(stem, CYCLE, 10) if number % 12 == branch)


def element_of_stem(stem: str) -> Element:
    """Element of a stem."""
    return ELEMENTS[STEMS.index(stem) // 2]


def element_of_branch(branch: str) -> Element:
    """Main element of a branch."""
    return ELEMENTS[_CHINESE.index(_BRANCH_ELEMENTS[BRANCHES.index(branch)])]


def is_yang(stem: str) -> bool:
    """Whether a stem is yang."""
    return STEMS.index(stem) % 2 == 0


def find_god(day_stem: str, other: str) -> str:
    """Ten god of a stem as the day stem sees it: by element and by equal or unequal polarity."""
    step = (ELEMENTS.index(element_of_stem(other)) - ELEMENTS.index(element_of_stem(day_stem))) % 5
    is_same = is_yang(day_stem) == is_yang(other)
    # Same element and same polarity is 比肩; for the other elements equal polarity is the "partial" one of each pair.
    return _GODS[2 * step + (0 if is_same else 1)]


def find_stage(stem: str, branch: str) -> str:
    """Stage of the twelve (长生十二宫), yang stems forward and yin stems backward."""
    start, at = BRANCHES.index(_BIRTHS[STEMS.index(stem)]), BRANCHES.index(branch)
    return _STAGES[(at - start if is_yang(stem) else start - at) % 12]


def find_melody(pillar: str) -> str:
    """纳音 of a pillar."""
    return _MELODIES[number_pillar(pillar) // 2]


def find_void(pillar: str) -> str:
    """旬空: the two branches that the pillar's decade leaves out."""
    start = (number_pillar(pillar) - STEMS.index(pillar[0])) % 12
    return BRANCHES[(start - 2) % 12] + BRANCHES[(start - 1) % 12]

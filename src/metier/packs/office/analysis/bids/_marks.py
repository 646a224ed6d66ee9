"""Grades, numbers of standards and negations: what decides about a requirement besides quantities."""

import re
from typing import Final, Literal

from metier.packs.office.analysis.bids._quantities import Verdict

__all__ = [
    "compare_grades",
    "compare_standards",
    "cut_answered_marks",
    "cut_marks",
    "cut_shared_asides",
    "denies_asked",
    "list_names",
    "tell_polarity",
]

_GRADE_FORMS: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (re.compile(r"特级|[一二三四1-4壹贰叁]级"), ("特", "一1壹", "二2贰", "三3叁", "四4")),
    (re.compile(r"[甲乙丙丁]级"), ("甲", "乙", "丙", "丁")),
    (re.compile(r"(?<![A-Za-z])A{1,3}(?:级|(?=[^A-Za-z\d]|$))"), ("AAA", "AA", "A")),
    (re.compile(r"(?<!副)[高中初]级"), ("高", "中", "初")),
)
# Where a higher number is the better grade, or nobody can tell, only the same grade meets.
_OTHER_SCALES: Final = re.compile(
    r"等保|等级保护|CMMI|成熟度|抗震|防护|能效|ITSS|星级|响应级|(?<!资质)(?<!企业)等级", re.IGNORECASE
)
_OR_ABOVE: Final = re.compile(r"级\s*[（(]?\s*(?:及|或|\(?含\)?)?\s*(?:其)?以上|不低于|不低於|至少|最低")
_STANDARD: Final = re.compile(
    r"(?P<family>ISO|IEC|GB|GJB|JGJ|JTG|CMMI|IP|YY|DL|HJ|EN|RFC|IEEE|Wi-?Fi|USB|PCIe|HDMI|DDR|OHSAS|SA)(?:/[TZ]|/IEC)?\s*"
    r"(?:[LV]\s*)?(?P<number>\d+(?:\.\d+)*)(?:\s*[-–—:：]\s*(?P<year>(?:19|20)\d{2}))?",
    re.IGNORECASE,
)
# Families whose numbers are steps of one scale: a lower one falls short.
_STEPS: Final = frozenset({"ip", "wifi", "usb", "pcie", "hdmi", "ddr", "cmmi"})
_TOKEN: Final = re.compile(
    r"(?<![\dA-Za-z])(?:[A-Za-z][A-Za-z-]*|[A-Z]{2,}\s)\d+(?:[A-Za-z\d.]*[A-Za-z\d])?|"
    r"\d+\s*[×xX*]\s*\d+(?:\s*[×xX*]\s*\d+)?"
)
_HARMLESS: Final = re.compile(
    r"不锈|不间断|不仅|不但|不限|不断|不同|不等|不低于|不少于|不小于|不超过|不高于|不大于|不多于|不短于|不长于|不晚于|不迟于|"
    r"不得(?:低于|少于|超过|高于|晚于)|"
    r"有没有|有无|无偏离|无负偏离|无差异|无线|无缝|无人|无论|无障碍|无纸|无铅|无菌|无尘|无损|无级|无条件|无异议|未来|非常|非标|除非|并非不|正偏离|"
    r"\b(?:no|not) (?:less|more|fewer|later|exceed\w*)\b",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"没有|不具备|不具有|不满足|不支持|不能|不符合|不提供|不含|不包含|不接受|不同意|无法|未取得|未获得|未通过|未办理|未提供|未能|尚未|暂无|暂不|暂未|"
    r"负偏离|已过期|已失效|已到期|被吊销|已注销|(?<![\u4e00-\u9fff])(?:未|无)(?=[\u4e00-\u9fff])|"
    r"\b(?:do(?:es)? not|don't|doesn't|cannot|can't|ha(?:ve|s) no|not available|unable|lacks?)\b",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"[（(][^（）()]*[）)]")
_EXCLUDES: Final = re.compile(r"不(?:包含|包括|含)(?P<what>[\u4e00-\u9fffA-Za-z]{1,8})")
_WEAK: Final = re.compile(
    r"[不无未缺]|正在(?:办理|申请|申报)|拟(?:取得|申请|办理)|计划(?:取得|申请)|将(?:取得|申请|办理)|偏离|"
    r"\b(?:no|not|without|except|pending)\b|n't\b",
    re.IGNORECASE,
)


def compare_grades(asked: str, offered: str) -> Verdict | None:
    """Whether the offered grade reaches the asked one; None where no grade is asked for."""
    verdict: Verdict | None = None
    for form, order in _GRADE_FORMS:
        wanted, given = (sorted(_rank(word, order) for word in form.findall(text)) for text in (asked, offered))
        if not wanted:
            continue
        is_open = _OR_ABOVE.search(asked) is not None
        is_other = "一1壹" in order and _OTHER_SCALES.search(asked) is not None
        verdict = _compare_ranks(wanted, given, is_open=is_open, is_other=is_other)
        if verdict != "meets":
            return verdict
    return verdict


def _rank(word: str, order: tuple[str, ...]) -> int:
    mark = word.removesuffix("级")
    # `A` is part of `AA`, so letters are compared whole; a numeral is one of those of its place.
    return order.index(mark) if mark in order else next(at for at, names in enumerate(order) if mark in names)


def _compare_ranks(wanted: list[int], given: list[int], *, is_open: bool, is_other: bool) -> Verdict:
    if not given:
        return "unsure"
    if wanted == given:
        return "meets"
    if is_other:
        return "unsure"
    if len(wanted) == 1 and max(given) <= wanted[0]:
        return "meets" if is_open else "unsure"
    return "fails" if min(given) > max(wanted) else "unsure"


def _find_standards(text: str) -> dict[str, tuple[set[str], set[str]]]:
    """Standards by family: their numbers, and the years that are given with them."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for match in _STANDARD.finditer(text):
        numbers, years = found.setdefault(match["family"].lower().replace("-", ""), (set(), set()))
        numbers.add(match["number"])
        if match["year"]:
            years.add(f"{match['number']}-{match['year']}")
    return found


def compare_standards(asked: str, offered: str) -> Verdict | None:
    """Whether the standards and names with numbers are those that are asked for; None where none is."""
    wanted, given = _find_standards(asked), _find_standards(offered)
    tokens = _list_tokens(asked)
    if not wanted and not tokens:
        return None
    verdicts: list[Verdict] = ["meets" if tokens <= _list_tokens(offered) else "unsure"]
    for family, (numbers, years) in wanted.items():
        other, other_years = given.get(family, (set(), set()))
        if numbers <= other:
            verdicts.append("meets" if not years or years <= other_years else "unsure")
        elif not other:
            verdicts.append("unsure")
        elif family not in _STEPS:
            verdicts.append("fails")
        else:
            verdicts.append("fails" if max(map(_to_step, other)) < min(map(_to_step, numbers)) else "unsure")
    return "fails" if "fails" in verdicts else "unsure" if "unsure" in verdicts else "meets"


def _to_step(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def _list_tokens(text: str) -> set[str]:
    rest = _STANDARD.sub(" ", text)
    return {
        re.sub(r"[\s-]", "", match[0]).lower().replace("x", "×").replace("*", "×") for match in _TOKEN.finditer(rest)
    }


def list_names(text: str) -> frozenset[str]:
    """Standards and names with numbers, such as `iso 9001` and `ipv6`."""
    standards = {f"{family} {number}" for family, found in _find_standards(text).items() for number in found[0]}
    return frozenset(standards | _list_tokens(text))


def cut_marks(text: str) -> str:
    """The text without grades, standards and names with numbers."""
    rest = _TOKEN.sub(" ", _STANDARD.sub(" ", text))
    for form, _ in _GRADE_FORMS:
        rest = form.sub(" ", rest)
    return rest


def cut_answered_marks(asked: str, said: str) -> str:
    """The answer without its grades, and without standards and names but those that differ; its length stays."""
    wanted, tokens = _find_standards(asked), _list_tokens(asked)

    def cut_standard(match: re.Match[str]) -> str:
        numbers = wanted.get(match["family"].lower().replace("-", ""), (None, None))[0]
        return " " * len(match[0]) if numbers is None or match["number"] in numbers else match[0]

    def cut_token(match: re.Match[str]) -> str:
        is_other = _STANDARD.search(match[0]) or not _list_tokens(match[0]) <= tokens
        return match[0] if is_other else " " * len(match[0])

    rest = _TOKEN.sub(cut_token, _STANDARD.sub(cut_standard, said))
    for form, _ in _GRADE_FORMS:
        rest = form.sub(lambda match: " " * len(match[0]), rest) if form.search(asked) else rest
    return rest


def tell_polarity(text: str) -> Literal["says", "denies", "unclear"]:
    """Whether a text denies something; a lone negation of unknown reach is unclear."""
    plain = _HARMLESS.sub("", text)
    if _DENIES.search(plain):
        return "denies"
    return "unclear" if _WEAK.search(plain) else "says"


def cut_shared_asides(asked: str, said: str) -> tuple[str, str]:
    """Both texts without the brackets that they share: `（不含税）` that is asked for denies nothing."""
    shared = set(_ASIDE.findall(asked)) & set(_ASIDE.findall(said))
    asked_rest, rest = (_ASIDE.sub(lambda one: " " if one[0] in shared else one[0], text) for text in (asked, said))
    return asked_rest, rest


def denies_asked(text: str, asked: str) -> bool:
    """Whether a text denies something besides parts that the requirement does not speak of: `（不含税）` of a price."""
    left = _EXCLUDES.sub(lambda one: one[0] if _shares_pair(one["what"], asked) else "", text)
    return tell_polarity(left) == "denies"


def _shares_pair(words: str, asked: str) -> bool:
    return any(words[at : at + 2] in asked for at in range(max(1, len(words) - 1)))

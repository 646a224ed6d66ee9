"""Number formats: the common ones as text. `UnknownFormat` for what is not known."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._date_format import format_date
from metier.packs.office.sheets.formulas._dates import is_date_format
from metier.packs.office.sheets.formulas._format_problem import UnknownFormat
from metier.packs.office.sheets.formulas._values import CellError, CellValue, number_text

__all__ = ["BUILTIN_FORMATS", "UnknownFormat", "format_value"]

BUILTIN_FORMATS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: "General",
        1: "0",
        2: "0.00",
        3: "#,##0",
        4: "#,##0.00",
        9: "0%",
        10: "0.00%",
        11: "0.00E+00",
        12: "# ?/?",
        13: "# ??/??",
        14: "yyyy/m/d",
        15: "d-mmm-yy",
        16: "d-mmm",
        17: "mmm-yy",
        18: "h:mm AM/PM",
        19: "h:mm:ss AM/PM",
        20: "h:mm",
        21: "h:mm:ss",
        22: "yyyy/m/d h:mm",
        37: "#,##0;-#,##0",
        38: "#,##0;[Red]-#,##0",
        39: "#,##0.00;-#,##0.00",
        40: "#,##0.00;[Red]-#,##0.00",
        45: "mm:ss",
        46: "[h]:mm:ss",
        47: "mm:ss.0",
        48: "##0.0E+0",
        49: "@",
    }
)
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<sign>[^\]-]*)[^\]]*\]|\[(?P<bracket>[^\]]*)\]|_(?P<gap>.)|\*.'
    r"|(?P<exponent>E[+-]0+)|(?P<general>General)|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION: Final = re.compile(r"(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)")
_WIDE: Final = Context(prec=400)


@dataclass(slots=True)
class _Section:
    """One of the parts of a format that semicolons divide."""

    pieces: list[tuple[str, str]] = field(default_factory=list)  # kind and text, in order
    condition: Callable[[float], bool] | None = None

    def count(self, kind: str) -> int:
        return sum(one == kind for one, _ in self.pieces)


def format_value(value: CellValue, code: str, *, is_1904: bool = False) -> str:
    """Value as a cell with this number format shows it."""
    if isinstance(value, CellError):
        return value.code
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return _text(value, code)
    if code.lower() == "general" or code == "@" or not code:
        return _general(value)
    if is_date_format(code):
        return format_date(value, code.partition(";")[0], is_1904=is_1904)
    return _number(value, code)


def _general(number: float) -> str:
    if abs(number) >= 1e11 and number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return number_text(float(f"{number:.10g}"))


def _text(value: str, code: str) -> str:
    """A text in the part of the format that is for texts."""
    sections = _split_sections(code)
    section = sections[3] if len(sections) > 3 else sections[-1]
    if "@" not in section or (len(sections) < 4 and section == "@"):
        return "" if len(sections) > 3 and not section else value
    parts = (found["quoted"] or found["escaped"] or found["other"] or "" for found in _TOKEN.finditer(section))
    return "".join(value if one == "@" else one for one in parts)


def _number(number: float, code: str) -> str:
    sections = [_read_section(one) for one in _split_sections(code)[:3]]
    section, shows_sign = _choose_section(sections, number)
    shown, is_zero = _render(section, abs(number))
    return f"-{shown}" if shows_sign and not is_zero else shown


def _choose_section(sections: list[_Section], number: float) -> tuple[_Section, bool]:
    """Section for a number, and whether a sign belongs before it."""
    if any(one.condition for one in sections):
        chosen = next((one for one in sections if one.condition is None or one.condition(number)), None)
        if chosen is None or number < 0:
            raise UnknownFormat("a condition that no section is for")
        return chosen, False
    if number < 0 and len(sections) > 1:
        return sections[1], False
    if number == 0 and len(sections) > 2:
        return sections[2], False
    return sections[0], number < 0


def _split_sections(code: str) -> list[str]:
    return re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', code)


def _read_section(text: str) -> _Section:
    section = _Section()
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "nothing"
        if kind == "bracket":
            section.condition = _read_condition(found["bracket"]) or section.condition
        elif kind in ("quoted", "escaped", "sign"):
            section.pieces.append(("text", found[kind]))
        elif kind == "gap":
            section.pieces.append(("text", " "))
        elif kind == "other":
            _add_plain(section, found["other"])
        elif kind != "nothing":
            section.pieces.append((kind, found[kind]))
    return section


def _add_plain(section: _Section, char: str) -> None:
    if (char.isascii() and char.isalpha()) or char in "/@":
        raise UnknownFormat(char)
    section.pieces.append(("text", char))


def _read_condition(text: str) -> Callable[[float], bool] | None:
    found = _CONDITION.fullmatch(text.strip())
    if found is None:
        return None
    limit = float(found[2])
    tests: dict[str, Callable[[float], bool]] = {
        "<": lambda number: number < limit,
        ">": lambda number: number > limit,
        "<=": lambda number: number <= limit,
        ">=": lambda number: number >= limit,
        "=": lambda number: number == limit,
        "<>": lambda number: number != limit,
    }
    return tests[found[1]]


def _render(section: _Section, number: float) -> tuple[str, bool]:
    """Text of an amount without its sign, and whether every digit of it is a zero."""
    if not section.count("digit"):
        plain = "".join(_general(number) if kind == "general" else text for kind, text in section.pieces)
        return plain, not section.count("general") or number == 0
    if section.count("exponent"):
        return _render_exponent(section, number)
    amount = Decimal(repr(float(f"{number:.15g}"))) * 100 ** section.count("percent")
    return _fill(section, amount.scaleb(-3 * _closing_commas(section), _WIDE))


def _render_exponent(section: _Section, number: float) -> tuple[str, bool]:
    """`0.0E+0` and, with more places before the point, exponents in steps of as many."""
    kinds = [kind for kind, _ in section.pieces]
    head = kinds[: kinds.index("point")] if "point" in kinds else kinds[: kinds.index("exponent")]
    step, decimals = head.count("digit"), kinds[len(head) : kinds.index("exponent")].count("digit")
    amount = Decimal(repr(float(f"{number:.15g}")))
    exponent = (amount.adjusted() // step * step) if amount else 0
    if amount and _round(amount.scaleb(-exponent, _WIDE), decimals) >= 10**step:
        exponent += step
    sign = next(text for kind, text in section.pieces if kind == "exponent")
    before = "-" if exponent < 0 else "+" if sign[1] == "+" else ""
    shown = f"E{before}{str(abs(exponent)).zfill(len(sign) - 2)}"
    pieces = [("text", shown) if kind == "exponent" else (kind, text) for kind, text in section.pieces]
    return _fill(_Section(pieces), amount.scaleb(-exponent, _WIDE))


def _round(amount: Decimal, decimals: int) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, context=_WIDE)


def _whole_places(section: _Section) -> list[int]:
    """Places of the digits before the point."""
    kinds = [kind for kind, _ in section.pieces]
    end = kinds.index("point") if "point" in kinds else len(kinds)
    return [at for at, kind in enumerate(kinds[:end]) if kind == "digit"]


def _closing_commas(section: _Section) -> int:
    """Commas behind the last digit: each shows thousands."""
    kinds = [kind for kind, _ in section.pieces]
    last = max((at for at, kind in enumerate(kinds) if kind == "digit"), default=-1)
    ends = {last, *_whole_places(section)[-1:]}
    total = 0
    for end in ends:
        at = end + 1
        while at < len(kinds) and kinds[at] == "comma":
            total, at = total + 1, at + 1
    return total


def _fill(section: _Section, amount: Decimal) -> tuple[str, bool]:
    """Digits of an amount in their places, with what stands between them."""
    places = _whole_places(section)
    after = [at for at, (kind, _) in enumerate(section.pieces) if kind == "digit" and at not in places]
    rounded = _round(amount, len(after))
    whole, _, decimals = f"{rounded:f}".partition(".")
    whole = whole.lstrip("0")
    is_grouped = bool(places) and any(kind == "comma" for kind, _ in section.pieces[places[0] : places[-1]])
    shown = _fill_whole(section, places, whole, is_grouped)
    kept = len(decimals.rstrip("0"))
    for at, place in enumerate(after):
        mark = section.pieces[place][1]
        shown[place] = decimals[at] if mark == "0" or at < kept else " " if mark == "?" else ""
    has_decimals = any(shown[place].strip() for place in after)
    texts = []
    for at, (kind, text) in enumerate(section.pieces):
        if kind == "digit":
            texts.append(shown[at])
        elif kind == "point":
            texts.append("." if has_decimals else "")
        elif kind != "comma":
            texts.append(text)
    if not places and whole:
        texts.insert(0, whole)
    return "".join(texts), not rounded


def _fill_whole(section: _Section, places: list[int], whole: str, is_grouped: bool) -> dict[int, str]:
    """Digits before the point: from the right, what is left over in the first place."""
    shown: dict[int, str] = {}
    rest, count = whole, 0
    for number, place in enumerate(reversed(places), 1):
        own = rest[-1:] if number < len(places) else rest
        rest = rest[: len(rest) - len(own)]
        mark = section.pieces[place][1]
        own = own or {"0": "0", "?": " "}.get(mark, "")
        grouped = ""
        for digit in reversed(own):
            is_break = is_grouped and count and count % 3 == 0 and digit != " "
            grouped = f"{digit},{grouped}" if is_break else f"{digit}{grouped}"
            count += 1
        shown[place] = grouped
    return shown

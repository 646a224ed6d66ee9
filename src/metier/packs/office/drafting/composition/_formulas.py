"""Formulas of a column in words: 金额就是数量乘单价, “Pay is hours times rate”, “VAT 20 % of net”."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office._column_letters import column_letters
from metier.packs.office._counts import read_count

__all__ = ["read_formula"]

_OPERATORS: Final = (
    (r"减去?|-|−|\bminus\b|\bless\b", "-"),
    (r"乘以?|[x×*]|\btimes\b|\bmultiplied by\b", "*"),
    (r"加上?|\+|\bplus\b", "+"),
    (r"除以|/|÷|\bdivided by\b|\bover\b", "/"),
    (r"的(?=\d+(?:\.\d+)?%)", "*"),
)
# Between the name of the column and what it is made of; words that only say that it is a formula.
_IS: Final = re.compile(
    r"\s*(?:那?一?列)?\s*(?:(?:都|就|自动)?(?:用|拿|写)?(?:公式)?(?:来|去)?(?:计算|算)?(?:是|为|等于|=|:)|"
    r"(?:should be|is|being|equals?|=|:)|[,，(])?\s*",
    re.IGNORECASE,
)
# A word that says nothing of what is computed.
_SKIP: Final = re.compile(
    r"[\s,。.:=]+|要|用|拿|按照?|写|请|都|是|的(?!\d)|成|公式(?:来)?(?:计算|算)?|自动|哈|\b(?:by|with|as|in|an?|the|live|formulas?|each|column|"
    r"should be|is)\b",
    re.IGNORECASE,
)
_WIDE: Final = str.maketrans("：（）＝＋－×÷％，", ":()=+-*/%,")
_PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?)\s*[%％]", re.IGNORECASE)
# Shares in words: 百分之三, 15 percent.
_SHARE: Final = re.compile(
    r"百分之(?P<zh>[零一二两三四五六七八九十\d.]+)|(?P<en>\d+(?:\.\d+)?)\s*per ?cent\b", re.IGNORECASE
)


def read_formula(clause: str, columns: Sequence[str], row: str = "{row}") -> tuple[int, str] | None:
    """The column that a clause gives a formula and the formula for a row; None unless every word of it is read."""
    clause = _SHARE.sub(_write_share, clause.translate(_WIDE))
    names = sorted(range(len(columns)), key=lambda at: -len(columns[at]))
    at = _skip(clause, 0)
    target = next((one for one in names if clause[at:].lower().startswith(columns[one].lower())), None)
    if target is None:
        return None
    at += len(columns[target])
    if found := _IS.match(clause, at):
        at = found.end()
    said = _open_brackets(clause[_skip(clause, at) :])
    if said is None or _is_mixed(said):
        return None
    formula = _read_terms(said, columns, [one for one in names if one != target], row)
    return (target, f"={formula}") if formula else None


def _write_share(found: "re.Match[str]") -> str:
    """A share in words with its sign: 3%; as it is if the number is not read."""
    said = found["en"] or found["zh"]
    number = said if re.fullmatch(r"\d+(?:\.\d+)?", said) else read_count(said)
    return found[0] if number is None else f"{number}%"


def _open_brackets(said: str) -> str | None:
    """What a formula says without the brackets around all of it; None if some of it stands in brackets."""
    said = said.strip(" ,。.")
    if said.count("(") < said.count(")"):
        said = said.removesuffix(")")  # the bracket before the name of the column
    inside = said[1:-1] if said.startswith("(") and said.endswith(")") else said
    return None if re.search(r"[()]", inside) else inside


def _is_mixed(said: str) -> bool:
    """Whether words leave open what comes first: 语文加数学除以2; signs have an order of their own."""
    adds = re.search(r"加|减|\b(?:plus|minus|less)\b", said, re.IGNORECASE)
    divides = re.search(
        r"乘|除|\b(?:times|multiplied|divided|over)\b|[x×*/÷]", said[adds.end() :] if adds else "", re.IGNORECASE
    )
    return divides is not None


def _read_terms(said: str, columns: Sequence[str], names: Sequence[int], row: str) -> str:
    """Names, numbers and operators in turn: at least two names or a name and a number."""
    parts: list[str] = []
    rest = said
    while rest := rest[_skip(rest, 0) :]:
        operator = next(
            ((sign, found.end()) for form, sign in _OPERATORS if (found := re.match(form, rest, re.IGNORECASE))), None
        )
        if operator and parts and parts[-1] not in "+-*/":
            parts.append(operator[0])
            rest = rest[operator[1] :]
            continue
        term, length = _read_term(rest, columns, names, row)
        if not term or (parts and parts[-1] not in "+-*/"):
            return ""
        if term.endswith("%") and parts[-1:] and parts[-1] in "+-" and len(parts) > 1:
            parts = ["(", *parts[:-1], ")", "*", "(1", parts[-1], term, ")"]  # the old one less 25 %
        else:
            parts.append(term)
        rest = rest[length:]
    is_whole = len(parts) > 1 and parts[-1] not in "+-*/"
    return "".join(parts) if is_whole or "*" in "".join(parts) else ""


def _read_term(rest: str, columns: Sequence[str], names: Sequence[int], row: str) -> tuple[str, int]:
    if found := _PERCENT.match(rest):
        share = re.compile(r"\s*(?:of|的)\s*(?:the\s+)?", re.IGNORECASE).match(rest, found.end())
        if share is None:
            return f"{found[1]}%", found.end()
        term, length = _read_term(rest[share.end() :], columns, names, row)
        return (f"{term}*{found[1]}%", share.end() + length) if term else ("", 0)
    for one in names:
        if re.match(rf"{re.escape(columns[one])}(?![a-z])", rest, re.IGNORECASE):
            return f"{column_letters(one + 1)}{row}", len(columns[one])
    if found := re.match(r"\d+(?:\.\d+)?", rest):
        return found[0], found.end()
    return "", 0


def _skip(said: str, at: int) -> int:
    while found := _SKIP.match(said, at):
        at = found.end()
    return at

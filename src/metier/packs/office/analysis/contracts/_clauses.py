"""Clauses of a contract, its parties, its price, and references between clauses."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import CHINESE
from metier.packs.office.analysis._amounts import MoneyAmount, find_money, find_word_amounts
from metier.patterns import read_chinese_integer

__all__ = [
    "ROLES",
    "Clause",
    "ClauseLine",
    "ContractText",
    "Reference",
    "find_references",
    "group_lines",
    "read_contract",
]

_NUMERAL: Final = r"(?:\d{1,3}|[一二三四五六七八九十百]{1,5})"
_ARTICLE: Final = re.compile(rf"^第\s*(?P<number>{_NUMERAL})\s*条[\s、．.：:]*(?P<rest>.*)$")
_LISTED: Final = re.compile(r"^(?P<number>[一二三四五六七八九十]{1,3})、\s*(?P<rest>.*)$")
_ENGLISH: Final = re.compile(r"^(?i:article|section|clause)\s+(?P<number>\d{1,3})(?!\d)[\s.:–-]*(?P<rest>.*)$")
_NUMBERED: Final = re.compile(r"^(?P<number>\d{1,2})[、.．](?!\d)\s*(?P<rest>.*)$")
_LATIN: Final = re.compile(r"[A-Za-z]")
_ENGLISH_SHARE: Final = 20  # letters to one Chinese character, at least, in an English text
_HEADING: Final = re.compile(r"^(?P<title>[^：:，,。；;]{1,20})[：:]")
ROLES: Final = (
    "甲方|乙方|丙方|丁方|买方|卖方|买受人|出卖人|供方|需方|出租方|承租方|出租人|承租人|委托方|受托方|委托人|受托人|"
    "发包人|承包人|发包方|承包方|定作方|承揽方|定作人|承揽人|用人单位|劳动者|受聘人|贷款人|借款人|出借人|担保人|保证人|"
    "转让方|受让方|许可方|被许可方"
)
_PARTY: Final = re.compile(rf"^(?P<role>{ROLES})\s*(?:[（(][^）)]*[）)])?\s*[：:]\s*(?P<name>[^，,；;。\s]{{2,40}})")
_ALIAS: Final = re.compile(r"[（(](?:以下)?(?:简称|称)[^）)]*[）)].*$")
_PRICE: Final = re.compile(r"总价|价款|总额|合计|总计|合同价|共计|金额|报酬|费用")
_SECURES: Final = re.compile(r"(?:缴纳|支付|交付|收取)[^，,。；;]{0,8}(?:定金|保证金|押金|订金)|赔偿|罚款|注册资本")
_REFERENCE: Final = re.compile(rf"第\s*(?P<number>{_NUMERAL})\s*条(?:\s*第\s*(?P<paragraph>{_NUMERAL})\s*款)?")
# What stands before a reference to another text: a law, an annex, another contract.
_ELSEWHERE: Final = re.compile(
    r"(?:》|法|条例|规定|办法|解释|民法典|附件[一二三四五六七八九十\d]*|补充协议|主合同)\s*(?:的)?\s*$"
)


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """One paragraph of a clause."""

    address: str
    text: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered clause with its paragraphs; the first has the number."""

    number: int
    label: str
    title: str
    lines: tuple[ClauseLine, ...]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def paragraphs(self) -> int:
        """How many paragraphs (款) the clause has; a heading on a line of its own is none."""
        is_heading = len(self.lines) > 1 and not re.search(r"[。；;：:]", self.lines[0].text)
        return len(self.lines) - is_heading


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a clause of the same contract."""

    number: int
    paragraph: int | None
    quote: str
    line: ClauseLine


@dataclass(frozen=True, slots=True)
class ContractText:
    """A contract as its reviewer sees it: head, parties by role, clauses, price where one is stated."""

    lines: tuple[ClauseLine, ...]
    parties: tuple[tuple[str, str], ...]
    clauses: tuple[Clause, ...]
    price: Decimal | None

    @property
    def is_english(self) -> bool:
        """Whether the text is English; a few Chinese names in it leave it so."""
        text = "".join(line.text for line in self.lines)
        chinese = len(CHINESE.findall(text))
        return chinese * _ENGLISH_SHARE < len(_LATIN.findall(text))


def read_contract(pieces: Iterable[TextPiece]) -> ContractText:
    """Read clauses, parties and price from the lines of a contract."""
    lines = tuple(
        ClauseLine(piece.address, text.strip()) for piece in pieces for text in piece.line.splitlines() if text.strip()
    )
    clauses = tuple(_split_clauses(lines))
    return ContractText(lines, tuple(_find_parties(lines)), clauses, _find_price(lines))


def _split_clauses(lines: Sequence[ClauseLine]) -> Iterator[Clause]:
    head = next(
        (form for form in (_ARTICLE, _LISTED, _ENGLISH, _NUMBERED) if any(form.match(line.text) for line in lines)),
        None,
    )
    if head is None:
        return
    current: list[ClauseLine] = []
    number, label = 0, ""
    for line in lines:
        match = head.match(line.text)
        if match is None:
            if number:
                current.append(line)
            continue
        if number:
            yield _make_clause(number, label, current)
        number, label = _to_number(match["number"]), line.text[: match.start("rest")].strip()
        current = [line]
    if number:
        yield _make_clause(number, label, current)


def group_lines(contract: ContractText, is_part: Callable[[ClauseLine], bool]) -> Iterator[Clause]:
    """Clauses of the contract; in one without numbers, lines that follow each other and are parts of one thing."""
    if contract.clauses:
        yield from contract.clauses
        return
    for is_one, lines in groupby(contract.lines, is_part):
        if is_one:
            yield Clause(0, "", "", tuple(lines))


def _make_clause(number: int, label: str, lines: list[ClauseLine]) -> Clause:
    rest = lines[0].text[len(label) :].strip()
    match = _HEADING.match(rest)
    return Clause(number, label, match["title"].strip() if match else rest[:20], tuple(lines))


def _to_number(text: str) -> int:
    return int(text) if text.isdigit() else read_chinese_integer(text) or 0


def _find_parties(lines: Sequence[ClauseLine]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for line in lines:
        match = _PARTY.match(line.text)
        if match and match["role"] not in seen:
            name = _ALIAS.sub("", match["name"]).strip()
            seen.add(match["role"])
            if not re.fullmatch(r"[_＿\s　]*", name):
                yield match["role"], name


def _find_price(lines: Sequence[ClauseLine]) -> Decimal | None:
    """The largest amount of the first line that speaks of the price, figures before words.

    A contract may call its price otherwise (货款, 全年预计): then it is the largest amount of the
    first line that states one and secures nothing.
    """
    named = (line for line in lines if _PRICE.search(line.text))
    for line in (*named, *lines):
        if "违约" not in line.text and "定金" not in line.text[:12] and not _SECURES.search(line.text):
            figures = [one.yuan for one in find_money(line.text) if not _is_part(line.text, one)]
            amounts = figures or [one.yuan for one in find_word_amounts(line.text) if not _is_part(line.text, one)]
            if amounts:
                return max(amounts)
    return None


def _is_part(text: str, amount: MoneyAmount) -> bool:
    """Whether the amount is called a deposit or the price of one piece: `（其中定金20万元）`, `单价¥200元`."""
    return bool(re.search(r"(?:定金|订金|押金|单价)[^，,。；;（()）]{0,6}$", text[: amount.start]))


def find_references(contract: ContractText) -> Iterator[Reference]:
    """References to clauses of this contract, without those to laws and annexes."""
    for line in contract.lines:
        for match in _REFERENCE.finditer(line.text):
            if match.start() == 0 or _ELSEWHERE.search(line.text[: match.start()]):
                continue
            paragraph = _to_number(match["paragraph"]) if match["paragraph"] else None
            yield Reference(_to_number(match["number"]), paragraph, match[0], line)

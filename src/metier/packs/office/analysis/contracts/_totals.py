"""Totals that are not what their own quantities and unit prices make, in a sentence and in a table of goods."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from metier.packs.office.analysis._amounts import MoneyAmount, find_money, find_word_amounts
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import ClauseLine, ContractText
from metier.packs.office.analysis.contracts._rules import ContractRule
from metier.patterns import read_chinese_integer

__all__ = ["check_totals"]

_SENTENCE_END: Final = re.compile(r"(?<=[。；;])|(?<=\.)\s+(?=[A-Z])")
# What changes an amount on its way to the total, so that quantity times price need not be it.
_CHANGED: Final = re.compile(
    r"税|折|优惠|减免|扣除|抵扣|另加|另付|运费|安装费|服务费|手续费|押金|赠|其中|不超过|至少|以上|左右|约|暂[定估]|预[估计]"
    r"|\b(?:tax|vat|gst|discount|rebate|plus|shipping|freight|install\w*|deposit|about|approximately|up to|at least"
    r"|estimated?|including|excluding|net of|less)\b",
    re.IGNORECASE,
)
# What is counted besides, before the total or behind it: days, months, batches, visits, people.
_PERIOD: Final = r"(?:天|日(?!元)|晚|夜|周|星期|个?月|季度?|年|次|趟|批|期|班|人|课时|小时|学时|层|栋|户)"
_FURTHER: Final = re.compile(
    rf"(?:每|一|[/／]|\d\s*|[一二两三四五六七八九十百]){_PERIOD}"
    r"|\b(?:per|an?|each|every) (?:day|night|week|month|quarter|year|visit|batch|person)\b"
    r"|\b(?:\d+|two|three|four|five|six|ten|twelve) (?:day|night|week|month|quarter|year|visit|batche?|time|phase)s?\b",
    re.IGNORECASE,
)
_FULL_DATE: Final = re.compile(r"\d{4}年\d{1,2}月\d{1,2}日")
_PER_BEHIND: Final = re.compile(
    rf"\s*(?:[/／每]|per |an? ){{1,2}}(?:{_PERIOD}|day|week|month|quarter|year)", re.IGNORECASE
)
_UNIT: Final = (
    r"(?:台|套|件|个|只|辆|把|张|本|册|吨|公斤|千克|千米|米|箱|桶|瓶|份|间|部|支|枚|块|盏|株|棵|盒|卷|包|组|幅|座"
    r"|平方米|立方米|㎡|units?|pieces?|pcs|sets?|items?|licen[cs]es?|seats?|tons?|tonnes?|kg|boxes|hours?|copies)"
)
_NUMBER: Final = r"(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|[一二两三四五六七八九十百千]+)"
_QUANTITY: Final = re.compile(
    rf"(?<![\d.,，/每¥￥$€£])(?P<number>{_NUMBER})\s*(?:\w+\s)?{_UNIT}(?![\w-])"
    rf"|(?<![\d.,，/每¥￥$€£])(?P<chinese>{_NUMBER})\s*{_UNIT}(?=\s*[\u4e00-\u9fff，,、。；;（(]|$)"
    rf"|(?:数量|quantity)\s*(?:为|是|of)?\s*[：:]?\s*(?P<named>{_NUMBER})",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(
    r"(?:[$€£]|\b(?:USD|EUR|GBP|CNY|RMB)\b)\s*(?P<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d%])"
    r"|(?P<named>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?:dollars?|euros?|pounds?|USD|EUR|GBP|RMB|CNY|yuan)\b",
    re.IGNORECASE,
)
_IS_PRICE_BEFORE: Final = re.compile(
    rf"(?:单价|每\s*{_UNIT}|unit price|price per \w+|each|per \w+)\s*(?:为|是|计|of|is|at)?\s*[：:]?\s*(?:人民币)?$",
    re.IGNORECASE,
)
_IS_PRICE_AFTER: Final = re.compile(rf"\s*(?:[/／]|每|一|per\s+|an?\s+)\s*{_UNIT}|\s*each\b", re.IGNORECASE)
_IS_TOTAL_BEFORE: Final = re.compile(
    r"(?:总价款?|合计|总计|共计|总金额|总额|价款|合同价"
    r"|totall?ing|total(?: price| amount| fee)?|in total|contract price)"
    r"\s*(?:为|是|计|of|is|at|to)?\s*[：:]?\s*(?:人民币|RMB)?$",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"(?P<table>t\d+)\.r(?P<row>\d+)\.c(?P<column>\d+)")
_HEADS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "quantity": re.compile(r"\s*(?:数量|qty|quantity)\s*(?:[（(][^）)]*[）)])?\s*", re.IGNORECASE),
        "price": re.compile(r"\s*(?:单价|unit price|price)\s*(?:[（(][^）)]*[）)])?\s*", re.IGNORECASE),
        "amount": re.compile(
            r"\s*(?:金额|小计|总价|合价|合计|amount|total|subtotal)\s*(?:[（(][^）)]*[）)])?\s*", re.IGNORECASE
        ),
    }
)
_SCALE: Final = re.compile(r"[（(]\s*(?:人民币)?(?P<unit>[^）)/／]*)(?:[/／](?P<per>[^）)]*))?[）)]")
_THOUSANDS: Final = re.compile(r"[千百十万]")
# Columns beside quantity, price and amount whose numbers multiply nothing.
_LABELS: Final = re.compile(
    r"\s*(?:序\s*号|编\s*号|项目?号|代码|编码|货号|料号|规格.*|型号.*|尺寸.*|名称|品名|年份|版本|电话|备注|说明|no\.?|nr\.?|#|id|"
    r"item(?: no\.?)?|code|model|spec\w*|size|sku|isbn|part no\.?)\s*",
    re.IGNORECASE,
)
_SUBTOTAL_ROW: Final = re.compile(r"\s*(?:小\s*计|分\s*计|subtotal)\b.{0,12}", re.IGNORECASE)
_TOTAL_ROW: Final = re.compile(r"\s*(?:合\s*计|总\s*计|总\s*价|grand total|total)\b.{0,12}", re.IGNORECASE)
_CELL: Final = re.compile(
    r"\s*(?:[¥￥$€£]|RMB|CNY|USD)?\s*(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*\D{0,3}"
)
_ROUNDING: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of goods: its cells by row, and the columns of quantity, unit price and amount."""

    rows: Mapping[int, Mapping[int, ClauseLine]]
    columns: Mapping[str, int]
    head: int


def check_totals(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A total beside quantities and unit prices that make another one; nothing where anything else counts."""
    for line in contract.lines:
        if not _ADDRESS.fullmatch(line.address):
            for sentence in _SENTENCE_END.split(line.text):
                yield from _check_sentence(line, sentence, rule)
    for table in _find_tables(contract.lines):
        yield from _check_table(table, rule)


def _check_sentence(line: ClauseLine, sentence: str, rule: ContractRule) -> Iterator[DocumentFinding]:
    if _CHANGED.search(sentence):
        return
    amounts = _drop_repeated(sorted(_find_amounts(sentence), key=lambda one: one.start))
    prices = [one for one in amounts if _is_price(sentence, one)]
    totals = [one for one in amounts if one not in prices and _IS_TOTAL_BEFORE.search(sentence[: one.start])]
    quantities = [
        _to_decimal(match["number"] or match["chinese"] or match["named"]) for match in _QUANTITY.finditer(sentence)
    ]
    if totals and _counts_further(sentence, totals[-1]):
        return
    is_whole = len(prices) + len(totals) == len(amounts) and len(prices) == len(quantities)
    values = {one.yuan for one in totals}
    if not (is_whole and prices and len(values) == 1):
        return
    made = sum((price.yuan * number for price, number in zip(prices, quantities, strict=True)), Decimal(0))
    if abs(made - totals[0].yuan) > _allow(sum(quantities, Decimal(0))):
        yield rule.build_finding(line, totals[0].quote, stated=totals[0].quote, made=_write(made))


def _counts_further(sentence: str, total: MoneyAmount) -> bool:
    """Whether days, months or the like multiply what the quantities cost: `10台，每台300元，租期12个月`."""
    before = _FULL_DATE.sub("", sentence[: total.start])
    return _FURTHER.search(before) is not None or _PER_BEHIND.match(sentence, _end(total)) is not None


def _drop_repeated(amounts: Sequence[MoneyAmount]) -> list[MoneyAmount]:
    """Without the second writing of an amount: `人民币叁万元整（¥30,000）`."""
    pairs = zip(amounts, (None, *amounts), strict=False)
    return [one for one, before in pairs if before is None or before.yuan != one.yuan or one.start - _end(before) > 4]


def _end(amount: MoneyAmount) -> int:
    return amount.start + len(amount.quote)


def _find_amounts(sentence: str) -> Iterator[MoneyAmount]:
    """All amounts of money, in figures and in words."""
    yield from find_money(sentence)
    yield from find_word_amounts(sentence)
    for match in _FOREIGN.finditer(sentence):
        if not any(one.start <= match.start() < _end(one) for one in find_money(sentence)):
            yield MoneyAmount(_to_decimal(match["figure"] or match["named"]), match[0], match.start())


def _is_price(sentence: str, amount: MoneyAmount) -> bool:
    before, after = sentence[: amount.start], sentence[_end(amount) :]
    return bool(_IS_PRICE_BEFORE.search(before) or _IS_PRICE_AFTER.match(after))


def _find_tables(lines: Sequence[ClauseLine]) -> Iterator[_Table]:
    tables: dict[str, dict[int, dict[int, ClauseLine]]] = defaultdict(lambda: defaultdict(dict))
    for line in lines:
        if match := _ADDRESS.fullmatch(line.address):
            tables[match["table"]][int(match["row"])][int(match["column"])] = line
    for rows in tables.values():
        head = min(rows)
        columns: dict[str, int] = {}
        for column, cell in rows[head].items():
            for name, pattern in _HEADS.items():
                if pattern.fullmatch(cell.text):
                    columns.setdefault(name, column)
        is_changed = any(_CHANGED.search(cell.text) for cell in rows[head].values())
        if len(columns) < len(_HEADS) or is_changed or not _have_one_scale(rows[head], columns):
            continue
        if not _counts_beside(rows, head, columns):
            yield _Table(rows, columns, head)


def _have_one_scale(head: Mapping[int, ClauseLine], columns: Mapping[str, int]) -> bool:
    """Whether prices and amounts are in the same unit of money and a price is for one piece, as far as heads say."""
    found = {name: _SCALE.search(head[at].text) for name, at in columns.items()}
    units = {match["unit"].strip() for name, match in found.items() if match and name != "quantity"}
    price, quantity = found["price"], found["quantity"]
    is_single = price is None or not price["per"] or re.fullmatch(_UNIT, price["per"].strip()) is not None
    return len(units) <= 1 and is_single and not (quantity and _THOUSANDS.search(quantity["unit"]))


def _counts_beside(rows: Mapping[int, Mapping[int, ClauseLine]], head: int, columns: Mapping[str, int]) -> bool:
    """Whether another column has a number in every row, which may multiply: months, visits, a discount."""
    for column, cell in rows[head].items():
        if column in columns.values() or _LABELS.fullmatch(cell.text):
            continue
        goods = [row for at, row in rows.items() if at != head and _read_cell(row.get(columns["price"])) is not None]
        if goods and all(_read_cell(row.get(column)) is not None for row in goods):
            return True
    return False


def _check_table(table: _Table, rule: ContractRule) -> Iterator[DocumentFinding]:
    total = Decimal(0)
    is_whole = True
    for number, row in sorted(table.rows.items()):
        label = next(iter(row.values())).text
        if number == table.head or _SUBTOTAL_ROW.fullmatch(label):
            continue
        quantity, price, amount = (_read_cell(row.get(table.columns[name])) for name in ("quantity", "price", "amount"))
        cell = row.get(table.columns["amount"])
        if _TOTAL_ROW.fullmatch(label):
            is_plain = is_whole and not _CHANGED.search(label)
            if cell and amount is not None and is_plain and abs(total - amount) > _ROUNDING:
                yield rule.build_finding(cell, cell.text, stated=cell.text, made=_write(total))
            return
        if cell is None or amount is None or quantity is None or price is None:
            # Freight, a discount or a payment made before: nobody can tell whether it is added.
            is_whole = False
            continue
        total += amount
        if abs(quantity * price - amount) > _allow(quantity):
            yield rule.build_finding(cell, cell.text, stated=cell.text, made=_write(quantity * price))


def _read_cell(cell: ClauseLine | None) -> Decimal | None:
    match = _CELL.fullmatch(cell.text) if cell else None
    return _to_decimal(match["number"]) if match else None


def _allow(quantity: Decimal) -> Decimal:
    """How far a total may be off: every unit price is rounded to cents."""
    return max(_ROUNDING, quantity / 200)


def _to_decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "")) if text[0].isdigit() else Decimal(read_chinese_integer(text) or 0)


def _write(value: Decimal) -> str:
    return f"{value.normalize():,f}"

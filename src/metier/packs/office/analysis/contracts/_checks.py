"""Checks of a contract that need more than a pattern: shares, amounts, references, blanks, names."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from metier.packs.office.analysis._amounts import (
    MoneyAmount,
    find_money,
    find_percents,
    find_word_amounts,
    to_formal_amount,
)
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import Clause, ClauseLine, ContractText, find_references
from metier.packs.office.analysis.contracts._rules import ContractRule, ContractRules
from metier.patterns import read_chinese_integer

__all__ = [
    "check_amounts",
    "check_blanks",
    "check_dates",
    "check_deposit",
    "check_forum",
    "check_parties",
    "check_patterns",
]
__all__ += ["check_payments", "check_penalty", "check_references"]

MAX_DEPOSIT_PERCENT: Final = Decimal(20)
MAX_PENALTY_PERCENT: Final = Decimal(30)
MAX_DAILY_PERCENT: Final = Decimal("0.1")
_PAIR_CHARS: Final = 40
# A comma within figures does not end a part.
_PART: Final = re.compile(r"(?:[^，,；;。]|(?<=\d)[,，](?=\d{3}))+")
_STATES_AMOUNT: Final = re.compile(r"\s*(?:其?(?:金额|数额|比例|额度)|即|为|按|相当于)")
_STATES_SHARE: Final = re.compile(
    r"\s*(?:即|为|占|合|相当于)[^租]{0,6}(?:总价|价款|货款|总额|合同)[^租]{0,6}?(?:\d|百分之)"
)
_ANNEX: Final = re.compile(r"附件\s*(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})")
_SPAN: Final = re.compile(
    r"(?P<from>\d{4}年\d{1,2}月\d{1,2}日)(?:起)?\s*(?:至|到|—+|-+|~|－)\s*(?P<to>\d{4}年\d{1,2}月\d{1,2}日)"
)
_DAILY: Final = re.compile(r"每[\u4e00-\u9fff]{0,6}?[日天]|按日|日万分之|日千分之")
_PAYS: Final = re.compile(r"付|支付|结算|结清|付清")
_NO_INSTALMENT: Final = re.compile(r"违约金|逾期|税率|利率|利息|滞纳金|折扣|罚|不超过|上浮|下浮|合格率")
_COURT: Final = re.compile(r"法院|诉讼|起诉")
_CHOICE: Final = re.compile(r"或|也可|亦可|均可|可以.{0,20}(?:仲裁|诉讼)|任选|既可")
_BOUND_TO_COURT: Final = re.compile(r"劳动(?:人事)?争议仲裁|不服.{0,12}裁决|(?:申请|强制)执行|撤销(?:仲裁)?裁决")
_BLANK: Final = re.compile(
    r"[_＿]{2,}|【[\s　_]*(?:待填|待定|填写|空白)?[\s　_]*】|\[\s*(?:待填|待定)?\s*\]|"
    r"[　 ]{2,}年[　 ]{1,}月(?:[　 ]{1,}日)?|"
    r"(?<![A-Za-z])[Xx×]{2,}(?![A-Za-z])|（[　 ]{2,}）"
)
_SIGNING: Final = re.compile(
    r"(?:签字|盖章|签章|法定代表人|授权代表|开户行|账号|电话|身份证号)[^，,。；;]{0,8}$"
    r"|\b(?i:signatures?|signed|name|title|date|by)\b\s*[:：]?\s*$"
)
_ORGANISATION: Final = re.compile(
    r"(?:股份有限公司|有限责任公司|有限公司|集团公司|合伙企业|事务所|研究院|幼儿园|学校|医院|委员会)"
)
_MIN_NAME_CHARS: Final = 4


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def check_deposit(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A deposit (定金) above 20 % of the price, stated as a share or as an amount."""
    for line in contract.lines:
        for words in _list_deposit_parts(line.text):
            share = max(find_percents(words), key=lambda one: one.yuan, default=None)
            if share is not None and share.yuan > MAX_DEPOSIT_PERCENT:
                new = "20%" if _stands_alone(contract, line) else None
                yield rule.build_finding(line, share.quote, new, share=_plain(share.yuan))
                break
            amount = next(iter((*find_money(words), *find_word_amounts(words))), None)
            if share is None and amount is not None and contract.price:
                percent = amount.yuan / contract.price * 100
                if percent > MAX_DEPOSIT_PERCENT:
                    yield rule.build_finding(line, amount.quote, share=_plain(round(percent, 1)))
                    break


def _stands_alone(contract: ContractText, line: ClauseLine) -> bool:
    """Whether the share can be changed by itself: no amount and no other instalment of the clause hangs on it."""
    lines = next((clause.lines for clause in contract.clauses if line in clause.lines), (line,))
    shares = [share for one in lines for share in _find_instalments(one.text)]
    return len(shares) <= 1 and not any(True for _ in (*find_money(line.text), *find_word_amounts(line.text)))


def _list_deposit_parts(text: str) -> Iterator[str]:
    """Parts of a line that speak of the deposit; where one states no amount, the part behind it that does."""
    parts = [part[0] for part in _PART.finditer(text)]
    for words, following in zip(parts, (*parts[1:], ""), strict=True):
        if "定金" not in words:
            continue
        if not any(find_percents(words)) and _STATES_SHARE.match(following):
            yield following
            continue
        is_stated = any(True for _ in (*find_percents(words), *find_money(words), *find_word_amounts(words)))
        yield following if not is_stated and _STATES_AMOUNT.match(following) else words


def check_penalty(contract: ContractText, rules: tuple[ContractRule, ...]) -> Iterator[DocumentFinding]:
    """Penalties as a share of the price, per day or once."""
    by_id = {rule.id: rule for rule in rules}
    for line in contract.lines:
        for sentence in re.split(r"(?<=[。；;])", line.text):
            if "违约金" not in sentence and "滞纳金" not in sentence:
                continue
            found = _check_penalty_sentence(sentence, line, by_id)
            if found is not None:
                yield found


def _check_penalty_sentence(sentence: str, line: ClauseLine, by_id: dict[str, ContractRule]) -> DocumentFinding | None:
    shares = [one for one in find_percents(sentence) if "不超过" not in sentence[max(0, one.start - 14) : one.start]]
    share = max(shares, key=lambda one: one.yuan, default=None)
    if share is None:
        return None
    if _DAILY.search(sentence):
        if share.yuan <= MAX_DAILY_PERCENT:
            return None
        year = _plain(share.yuan * 365)
        return by_id["penalty_daily_high"].build_finding(line, share.quote, share=_plain(share.yuan), year=year)
    if share.yuan <= MAX_PENALTY_PERCENT:
        return None
    return by_id["penalty_over_30"].build_finding(line, share.quote, share=_plain(share.yuan))


def check_forum(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A clause that leaves the choice between arbitration and court."""
    for clause in contract.clauses or (Clause(0, "", "", contract.lines),):
        for line in clause.lines:
            text = line.text
            if "仲裁" not in text or not _COURT.search(text) or _BOUND_TO_COURT.search(text):
                continue
            if _CHOICE.search(text):
                yield rule.build_finding(line, _sentence_of(text, "仲裁"))


def _sentence_of(text: str, word: str) -> str:
    return next((part for part in re.split(r"(?<=[。；;])", text) if word in part), text)


def check_payments(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Instalments of one clause that do not add up to 100 %."""
    for clause in contract.clauses:
        shares: list[MoneyAmount] = []
        first: ClauseLine | None = None
        quote = ""
        for line in clause.lines:
            found = list(_find_instalments(line.text))
            shares += found
            if found and first is None:
                first, quote = line, found[-1].quote
        total = sum((share.yuan for share in shares), Decimal(0))
        if len(shares) > 1 and first is not None and total != 100:
            yield rule.build_finding(first, quote, share=_plain(total))


def _find_instalments(text: str) -> Iterator[MoneyAmount]:
    """Shares that are paid: in a part of a sentence that is about paying, and not about penalties or taxes."""
    for sentence in re.split(r"[；;。]", text):
        if not _PAYS.search(sentence):
            continue
        for part in _PART.finditer(sentence):
            found = list(find_percents(part[0]))
            if len(found) == 1 and not _NO_INSTALMENT.search(part[0]):
                yield found[0]


def check_amounts(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """An amount in words beside figures that say another amount."""
    for line in contract.lines:
        figures = list(find_money(line.text))
        for words in find_word_amounts(line.text):
            end = words.start + len(words.quote)
            near = [
                one
                for one in figures
                if one.start - end <= _PAIR_CHARS and words.start - one.start - len(one.quote) <= _PAIR_CHARS
            ]
            if near and all(one.yuan != words.yuan for one in near):
                closest = min(near, key=lambda one: abs(one.start - words.start))
                formal = to_formal_amount(closest.yuan)
                yield rule.build_finding(line, words.quote, words=words.quote, figures=closest.quote, formal=formal)


def check_references(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """References to clauses or paragraphs that do not exist."""
    paragraphs = {clause.number: clause.paragraphs for clause in contract.clauses}
    if not paragraphs:
        return
    for reference in find_references(contract):
        is_dead = reference.number not in paragraphs or (
            reference.paragraph is not None and reference.paragraph > paragraphs[reference.number]
        )
        if is_dead:
            yield rule.build_finding(reference.line, reference.quote, reference=reference.quote)
    yield from _find_dead_annexes(contract, rule)


def _find_dead_annexes(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """`详见附件三` where the contract lists its annexes and this is none of them."""
    listed: set[int] = set()
    for line in contract.lines:
        if match := _ANNEX.match(line.text):
            listed.add(_to_whole(match["number"]))
    for line in contract.lines if listed else ():
        for match in _ANNEX.finditer(line.text):
            if match.start() and _to_whole(match["number"]) not in listed:
                yield rule.build_finding(line, match[0], reference=match[0])


def _to_whole(text: str) -> int:
    return int(text) if text.isdigit() else read_chinese_integer(text) or 0


def check_dates(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A term that ends before it begins."""
    for line in contract.lines:
        for match in _SPAN.finditer(line.text):
            begin, end = (tuple(map(int, re.findall(r"\d+", match[side]))) for side in ("from", "to"))
            if end < begin:
                yield rule.build_finding(line, match[0], begin=match["from"], end=match["to"])


def check_blanks(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Blanks outside of the lines for signatures, one finding a line."""
    for line in contract.lines:
        match = _BLANK.search(line.text)
        if match and not _SIGNING.search(line.text[: match.start()]):
            yield rule.build_finding(line, match[0], blank=match[0].strip() or match[0])


def check_parties(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Names of organisations that are almost the name of a party."""
    names = {name for _, name in contract.parties if len(name) >= _MIN_NAME_CHARS}
    for line in contract.lines:
        rest = line.text
        for name in names:
            rest = rest.replace(name, "\0" * len(name))
        for match in _ORGANISATION.finditer(rest):
            found = _find_almost(rest, match.end(), names)
            if found is not None:
                written, party = found
                yield rule.build_finding(line, written, party, found=written, party=party)
        yield from _find_short_names(contract, line, rest, rule)


def _find_short_names(
    contract: ContractText, line: ClauseLine, rest: str, rule: ContractRule
) -> Iterator[DocumentFinding]:
    """`绿洲公司` for 绿洲设备有限公司, unless the contract introduces it as a short name."""
    for _, party in contract.parties:
        stem = re.sub(r"(?:股份有限公司|有限责任公司|有限公司|集团公司|公司)$", "", party)
        if stem == party:
            continue
        for length in range(len(stem), 1, -1):
            short = f"{stem[:length]}公司"
            if short != party and short in rest:
                if not any(re.search(rf"(?:简称|称为).{{0,4}}{re.escape(short)}", one.text) for one in contract.lines):
                    yield rule.build_finding(line, short, party, found=short, party=party)
                break


def _find_almost(text: str, end: int, names: set[str]) -> tuple[str, str] | None:
    for name in names:
        for length in (len(name), len(name) - 1, len(name) + 1):
            written = text[max(0, end - length) : end]
            if len(written) == length and "\0" not in written and 0 < _distance(written, name) <= _allowed(name):
                return written, name
    return None


def _allowed(name: str) -> int:
    return 1 if len(_ORGANISATION.sub("", name)) <= _MIN_NAME_CHARS else 2


def _distance(one: str, other: str) -> int:
    """Levenshtein distance; names are short."""
    row = list(range(len(other) + 1))
    for number, char in enumerate(one, 1):
        previous, row[0] = row[0], number
        for place, against in enumerate(other, 1):
            previous, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, previous + (char != against))
    return row[-1]


def check_patterns(contract: ContractText, rules: ContractRules) -> Iterator[DocumentFinding]:
    """Rules that are a pattern of a line, with or without a limit for the number in it."""
    for rule in rules.rules:
        if rule.pattern is None:
            continue
        for line in contract.lines:
            if rule.where is not None and not rule.where.search(line.text):
                continue
            for match in rule.pattern.finditer(line.text):
                if rule.limit_months is None or _to_months(match) > rule.limit_months:
                    yield rule.build_finding(line, match[0].strip())
                    break


def _to_months(match: re.Match[str]) -> int:
    number = _to_whole(match["n"])
    # A year such as 2026 is a date and no duration.
    return 0 if number > 1900 else number * (12 if match["unit"] == "年" else 1)

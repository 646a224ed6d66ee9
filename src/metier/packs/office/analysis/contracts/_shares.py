"""Shares of a contract's price: the deposit, the penalty, interest, and instalments that add up."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from metier.packs.office.analysis._amounts import MoneyAmount, find_money, find_percents, find_word_amounts
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.contracts._clauses import Clause, ClauseLine, ContractText, group_lines
from metier.packs.office.analysis.contracts._rules import ContractRule
from metier.patterns import read_chinese_number

__all__ = ["check_deposit", "check_loan_rate", "check_payments", "check_penalty", "plain_number"]

MAX_DEPOSIT_PERCENT: Final = Decimal(20)
MAX_PENALTY_PERCENT: Final = Decimal(30)
MAX_DAILY_PERCENT: Final = Decimal("0.1")
MAX_YEARLY_PERCENT: Final = MAX_DAILY_PERCENT * 365
MAX_TIMES_OF_LOSS: Final = Decimal("1.3")
# Four times the highest one-year loan prime rate since there is one (4.25 % in August 2019).
MAX_LOAN_PERCENT: Final = Decimal(17)
# What rounding leaves of three thirds.
_ROUNDING: Final = Decimal("0.05")
# A comma within figures does not end a part.
_PART: Final = re.compile(r"(?:[^，,；;。、]|(?<=\d)[,，](?=\d{3}))+")
_STATES_AMOUNT: Final = re.compile(r"\s*(?:其?(?:金额|数额|比例|额度)|即|为|按|相当于)")
_STATES_SHARE: Final = re.compile(
    r"\s*(?:即|为|占|合|相当于)[^租]{0,6}(?:总价|价款|货款|总额|合同)[^租]{0,6}?"
    r"(?:\d|百分之|[一二两三四五六七八九]成|[二三四五]分之)"
)
_DAILY: Final = re.compile(r"每[\u4e00-\u9fff]{0,6}?[日天]|按日|[/／][日天]|日万分之|日千分之|日息|日利率")
_PERIODS: Final = ((re.compile(r"月息|月利|每[个满]?月|按月|/月"), 12), (re.compile(r"每[个满]?[周星]|按周"), 52))
_PENALTY: Final = re.compile(r"违约金|滞纳金|逾期利息|罚息|逾期[^。；;]{0,20}(?:月息|月利|日息|加收)")
# A share that is no penalty though it stands in the same sentence: an instalment, an interest or tax rate.
_OTHER_SHARE: Final = re.compile(r"预付|首付|其余|剩余|余款|尾款|签约|到货|验收|交货|利率|年息|税率|定金|保证金|质保")
_EACH: Final = re.compile(r"\s*(?:[/／]|每)[日天月周]")
_NEW_PART: Final = re.compile(r"[，,][^，,]*(?:逾期|超过|累计|总额|以上|满|另)")
# A share that was, and the one it becomes: 原合同定金为25%，现改为15%.
_FORMER: Final = re.compile(r"原(?:合同|协议|约定|定|来|为|是)|前一|上一|此前|先前|曾(?:经|约|支|已)|旧合同|另一合同")
_BECOMES: Final = re.compile(r"(?:改|调整?|变更?|降低?|提高?|增加?|减少?|上调|下调|修订)(?:为|到|至|成)")
# Shares that say how much is paid by then, all together, and are not added up.
_UP_TO: Final = re.compile(r"付(?:款)?(?:到|至|达)|累计[^，,。；;]{0,8}(?:付|至|达)|结算(?:到|至)")
_TIMES: Final = re.compile(r"(?P<times>\d+(?:\.\d+)?|[一二两三四五六七八九十]+(?:点[一二三四五六七八九])?|双|加)倍")
# A multiple of an interest rate, of a deposit that is returned, or of a measure without money is no such penalty.
_OTHER_TIMES: Final = re.compile(r"(?:利率|利息|LPR|报价|定金|次数|数量|时间|天数)[^，,。；;]{0,12}$")
_RETURNS: Final = re.compile(r"返还|退还|补播|补发|补足|迟延履行|债务利息|速度|以上的(?:人员|设备)")
_OF_LOSS: Final = re.compile(r"损失[^，,。；;]{0,8}$")
# 月息五分 is 5 % a month, 月息五厘 half a percent; a year's 分 is 10 %.
_RATE_WORDS: Final = re.compile(
    r"(?P<period>[年月日])(?:息|利率|利)[^，,。；;%％]{0,8}?(?P<n>\d+(?:\.\d+)?|[一二两三四五六七八九十]{1,2})(?P<unit>分|厘)"
    r"(?P<half>半)?"
)
_RATE: Final = re.compile(r"(?P<period>年|月|日)(?:化)?(?:利率|息|利)[^，,。；;%％]{0,12}?(?=\d|百分|千分|万分)")
_PERIODS_A_YEAR: Final[Mapping[str, int]] = MappingProxyType({"年": 1, "月": 12, "日": 365})
_PAYS: Final = re.compile(r"付|支付|结算|结清|付清")
_NO_INSTALMENT: Final = re.compile(r"违约金|逾期|税率|利率|利息|滞纳金|折扣|罚|不超过|上浮|下浮|合格率")
_REMAINDER: Final = re.compile(r"余款|余额|尾款|其余|剩余|余下")


def plain_number(value: Decimal) -> str:
    """The number without zeros at its end."""
    return f"{value.normalize():f}"


def check_deposit(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """A deposit (定金) above 20 % of the price, stated as a share or as an amount."""
    for line in contract.lines:
        is_changed = bool(_BECOMES.search(line.text) or _FORMER.search(line.text))
        for words in _list_deposit_parts(line.text):
            if _FORMER.search(words):
                continue
            share = max(find_percents(words), key=lambda one: one.yuan, default=None)
            if share is not None and share.yuan > MAX_DEPOSIT_PERCENT:
                new = "20%" if _stands_alone(contract, line) and not is_changed else None
                yield rule.build_finding(line, share.quote, new, share=plain_number(share.yuan))
                break
            own = words[words.find("定金") :] if "定金" in words else words
            amount = next((one for text in (own, words) for one in (*find_money(text), *find_word_amounts(text))), None)
            if share is None and amount is not None and contract.price:
                percent = amount.yuan / contract.price * 100
                if percent > MAX_DEPOSIT_PERCENT:
                    yield rule.build_finding(line, amount.quote, share=plain_number(round(percent, 1)))
                    break


def _stands_alone(contract: ContractText, line: ClauseLine) -> bool:
    """Whether the share can be changed by itself: no amount and no other instalment of the clause hangs on it."""
    lines = next((clause.lines for clause in contract.clauses if line in clause.lines), (line,))
    text = "\n".join(one.text for one in lines)
    shares = [share for one in lines for share in _find_instalments(one.text)]
    is_alone = len(shares) <= 1 and not _REMAINDER.search(text)
    return is_alone and not any(True for _ in (*find_money(line.text), *find_word_amounts(line.text)))


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
    """Penalties as a share or a multiple, per day, per month or once."""
    by_id = {rule.id: rule for rule in rules}
    for line in contract.lines:
        for sentence in re.split(r"(?<=[。；;])", line.text):
            if _PENALTY.search(sentence):
                found = _check_penalty_sentence(sentence, line, by_id) or _check_times(sentence, line, by_id)
                if found is not None:
                    yield found


def _check_penalty_sentence(sentence: str, line: ClauseLine, by_id: dict[str, ContractRule]) -> DocumentFinding | None:
    shares = [one for one in find_percents(sentence) if "不超过" not in sentence[max(0, one.start - 14) : one.start]]
    daily = max(_stand_with(_DAILY, sentence, shares), key=lambda one: one.yuan, default=None)
    rate = next((one for one in _find_rates(sentence) if one.yuan > MAX_YEARLY_PERCENT), None)
    if daily is not None and daily.yuan > MAX_DAILY_PERCENT:
        year = plain_number(daily.yuan * 365)
        return by_id["penalty_daily_high"].build_finding(line, daily.quote, share=plain_number(daily.yuan), year=year)
    if rate is not None:
        return by_id["penalty_rate_high"].build_finding(line, rate.quote, year=plain_number(rate.yuan))
    times = next((count for pattern, count in _PERIODS if pattern.search(sentence)), 0)
    for pattern, count in _PERIODS:
        for each in _stand_with(pattern, sentence, shares):
            if each.yuan * count > MAX_YEARLY_PERCENT:
                year = plain_number(each.yuan * count)
                return by_id["penalty_rate_high"].build_finding(line, each.quote, year=year)
    once = [one for one in shares if one != daily and not _is_other_share(sentence, one)]
    share = max(once, key=lambda one: one.yuan, default=None)
    if share is None or times or share.yuan <= MAX_PENALTY_PERCENT:
        return None
    return by_id["penalty_over_30"].build_finding(line, share.quote, share=plain_number(share.yuan))


def _stand_with(period: re.Pattern[str], sentence: str, shares: list[MoneyAmount]) -> list[MoneyAmount]:
    """Shares that are for each period: right behind its word without another share between, or right before it."""
    return [
        share
        for share in shares
        if _stands_behind(period, sentence, share)
        or (_EACH.match(sentence, share.start + len(share.quote)) and period.search(sentence, share.start))
    ]


def _stands_behind(period: re.Pattern[str], sentence: str, share: MoneyAmount) -> bool:
    words = list(period.finditer(sentence, 0, share.start + len(share.quote)))
    if not words:
        return False
    between = sentence[words[-1].end() : share.start]
    return len(re.findall(r"[，,]", between)) <= 1 and not _NEW_PART.search(between) and not any(find_percents(between))


def _is_other_share(sentence: str, share: MoneyAmount) -> bool:
    """Whether the part of the sentence that states the share is about paying, interest or tax, and no penalty."""
    part = next((one[0] for one in _PART.finditer(sentence) if one.start() <= share.start < one.end()), "")
    return bool(_OTHER_SHARE.search(part)) and not _PENALTY.search(part)


def _check_times(sentence: str, line: ClauseLine, by_id: dict[str, ContractRule]) -> DocumentFinding | None:
    """A penalty that is a multiple: 两倍, 3倍, 双倍; of a loss, above 1.3 times of it."""
    for match in _TIMES.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() : match.end() + 8]
        if _OTHER_TIMES.search(before) or _RETURNS.search(after):
            continue
        words = match["times"]
        times = Decimal(2) if words in ("双", "加") else _read_number(words)
        if times > (MAX_TIMES_OF_LOSS if _OF_LOSS.search(before) else Decimal("0.3")):
            return by_id["penalty_multiple"].build_finding(line, match[0])
    return None


def _find_rates(text: str) -> Iterator[MoneyAmount]:
    """Rates of interest as percent a year: 月息5%, 月息五分, 日利率万分之五, 年利率24%."""
    for match in _RATE_WORDS.finditer(text):
        count = _read_number(match["n"]) + (Decimal("0.5") if match["half"] else 0)
        share = count if match["unit"] == "分" else count / 10
        if match["period"] == "年":
            share *= 10
        yield MoneyAmount(share * _PERIODS_A_YEAR[match["period"]], match[0], match.start())
    for match in _RATE.finditer(text):
        share_of = next(find_percents(text[match.end() :]), None)
        if share_of is not None and share_of.start == 0:
            year = share_of.yuan * _PERIODS_A_YEAR[match["period"]]
            yield MoneyAmount(year, f"{match[0]}{share_of.quote}", match.start())


def _read_number(words: str) -> Decimal:
    return Decimal(words) if words[0].isdigit() else read_chinese_number(words)[0]


def check_loan_rate(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Interest of a loan between private parties above four times every loan prime rate there was."""
    head = "".join(line.text for line in contract.lines[:4])
    if "借" not in head or re.search(r"银行|信用社|金融", head):
        return
    for line in contract.lines:
        for rate in _find_rates(line.text):
            if rate.yuan > MAX_LOAN_PERCENT and not _PENALTY.search(line.text):
                yield rule.build_finding(line, rate.quote, year=plain_number(rate.yuan))
                break


def check_payments(contract: ContractText, rule: ContractRule) -> Iterator[DocumentFinding]:
    """Instalments of one clause that do not add up to 100 %."""
    for clause in group_lines(
        contract, lambda line: any(_find_instalments(line.text)) or bool(_REMAINDER.search(line.text))
    ):
        found = [(line, share) for line in clause.lines for share in _find_instalments(line.text)]
        shares = [share.yuan for _, share in found]
        total = sum(shares, Decimal(0))
        is_running = any(_UP_TO.search(line.text) for line in clause.lines)
        if len(shares) > 1 and not is_running and not _is_whole(shares) and not _has_remainder(clause, total):
            line = found[0][0]
            quote = [share.quote for one, share in found if one == line][-1]
            yield rule.build_finding(line, quote, share=plain_number(total))


def _is_whole(shares: list[Decimal]) -> bool:
    """Whether the shares are one payment plan of 100 %, or several one after the other."""
    total = Decimal(0)
    for share in shares:
        total += share
        if abs(total - 100) <= _ROUNDING:
            total = Decimal(0)
    return total == 0


def _has_remainder(clause: Clause, total: Decimal) -> bool:
    """Whether what is left is paid without a share of its own: 余款验收后付清."""
    parts = (part[0] for line in clause.lines for part in _PART.finditer(line.text))
    return total < 100 and any(_REMAINDER.search(part) and not any(find_percents(part)) for part in parts)


def _find_instalments(text: str) -> Iterator[MoneyAmount]:
    """Shares that are paid: in a part of a sentence that is about paying, and not about penalties or taxes."""
    for sentence in re.split(r"[；;。]", text):
        if not _PAYS.search(sentence):
            continue
        for part in _PART.finditer(sentence):
            found = list(find_percents(part[0]))
            if not _NO_INSTALMENT.search(part[0]) and _are_instalments(part[0], found):
                yield from found


def _are_instalments(part: str, found: list[MoneyAmount]) -> bool:
    """Whether each share of the part is paid by itself: 签约付30%交货付50%, 30%和70%, but not 30%的5%."""
    spans = pairwise(found)
    return all(re.search(r"付|和|及|与", part[one.start + len(one.quote) : other.start]) for one, other in spans)

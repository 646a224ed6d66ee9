"""Contract review: runs every rule, says which ran, and proposes comments and redlines at the clauses."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, Sentences, join_names
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import DocumentFinding, Proposal, Reading, body_pieces
from metier.packs.office.analysis.contracts._checks import (
    check_amounts,
    check_blanks,
    check_dates,
    check_forum,
    check_patterns,
    check_references,
)
from metier.packs.office.analysis.contracts._clauses import ContractText, read_contract
from metier.packs.office.analysis.contracts._definitions import check_definitions
from metier.packs.office.analysis.contracts._english_checks import check_english
from metier.packs.office.analysis.contracts._names import check_parties
from metier.packs.office.analysis.contracts._rules import ContractRule, ContractRules, Essential, load_contract_rules
from metier.packs.office.analysis.contracts._shares import (
    check_deposit,
    check_loan_rate,
    check_payments,
    check_penalty,
)
from metier.packs.office.analysis.contracts._sides import find_burdened, is_party, read_side
from metier.packs.office.analysis.contracts._times import check_duration, check_signing
from metier.packs.office.analysis.contracts._totals import check_totals

__all__ = ["find_risks", "propose_review"]

_CONTRACT: Final = re.compile(r"合同|协议|契约|订单|contract|agreement", re.IGNORECASE)
_MIN_CLAUSES: Final = 5  # fewer in English are a part of a contract
_WORDS: Final = Sentences(
    {
        "summary": (
            "Contract review of “{name}”: {clauses} clauses read, {rules} rules and {essentials} essential contents "
            "checked, {count} findings ({high} of high weight). Rules that ran: {titles}. What these rules do "
            "not cover "
            "was not judged and needs a lawyer.",
            "合同审查“{name}”：读取 {clauses} 个条款，检查 {rules} 条规则和 {essentials} 项必备内容，发现 "
            "{count} 处问题"
            "（其中重要 {high} 处）。已检查：{titles}。规则之外的内容没有判断，须由律师把关。",
        ),
        "summary_english": (
            "Contract review of “{name}”, a text in English: {clauses} clauses read, {count} findings ({high} of high "
            "weight). Checked by the contract's own words: {titles}. A term and "
            "a way to settle disputes were looked for too. The rules of Chinese law and its list of "
            "essential contents are for contracts in Chinese and were not applied, and no other law was consulted: "
            "whatever else the contract says or leaves out was not judged and needs a lawyer.",
            "合同审查“{name}”（英文合同）：读取 {clauses} 个条款，发现 {count} 处问题（其中重要 {high} 处）。"
            "按合同自身的文字检查：{titles}；也查找了期限和争议解决的约定。中国法的规则和必备内容只用于中文合同，没有套用，也没有查阅其他法律；"
            "合同的其余内容和缺漏没有判断，须由律师把关。",
        ),
        "no_clauses": (
            "No numbered clauses were found: the whole text was read as one, and references to clauses were not "
            "checked.",
            "没有找到编号条款：按全文检查，没有检查条款之间的引用。",
        ),
        "findings": ("Findings", "审查意见"),
        "clauses": ("Clauses", "条款"),
        "clause": ("Clause", "条款"),
        "found": ("Finding", "问题"),
        "advice": ("Advice", "建议"),
        "law": ("Basis", "依据"),
        "weight": ("Weight", "程度"),
        "line": ("Source line", "原文"),
        "where": ("Place", "位置"),
        "number": ("Number", "序号"),
        "title": ("Title", "标题"),
        "high": ("high", "重要"),
        "medium": ("medium", "一般"),
        "low": ("low", "提示"),
        "burdened": ("Party with the duty", "负有义务的一方"),
        "side": (
            "The rules are the same for both parties, so nothing was judged for or against {side}. The table says "
            "which party each clause puts under a duty by its words; the {count} of {side} come first. Whether a "
            "clause is good for {side} is for a lawyer.",
            "规则对双方一样，没有替{side}判断利弊。表里按原文标出每条由哪一方负义务，{side}的 {count} 处排在前面；"
            "条款对{side}是否有利，须由律师判断。",
        ),
        "side_unknown": (
            "The contract calls no party “{side}” (its parties: {parties}), and the rules are the same for both "
            "parties: say which of these you are to have its clauses first.",
            "合同里没有「{side}」（当事人：{parties}），而且规则对双方一样；请说明你是其中哪一方，就把写到它的条款排在前面。",
        ),
        "whole": ("whole contract", "全文"),
        "no_contract": (
            "“{name}” names no parties and no contract; nothing was reviewed.",
            "“{name}”没有写明当事人，也不像合同或协议，因此没有审查。",
        ),
        "ask_contract": ("Which document is the contract?", "要审查的合同是哪一份？"),
        "empty": ("The document has no text to review.", "文档里没有可审查的文字。"),
    }
)


def find_risks(contract: ContractText) -> tuple[DocumentFinding, ...]:
    """All findings in the order of the document; missing contents first, at the title."""
    rules = load_contract_rules(english=contract.is_english)
    run = check_english if contract.is_english else _run_checks
    found = [*_find_missing(contract, rules), *run(contract, rules)]
    order = {line.address: number for number, line in enumerate(contract.lines)}
    return tuple(sorted(found, key=lambda finding: order.get(finding.address, 0)))


def _run_checks(contract: ContractText, rules: ContractRules) -> Iterator[DocumentFinding]:
    (deposit,), penalties = rules.by_check("deposit"), rules.by_check("penalty")
    yield from check_deposit(contract, deposit)
    yield from check_penalty(contract, penalties)
    yield from check_loan_rate(contract, rules.by_check("loan_rate")[0])
    yield from check_forum(contract, rules.by_check("forum")[0])
    yield from check_payments(contract, rules.by_check("payments")[0])
    yield from check_amounts(contract, rules.by_check("amounts")[0])
    yield from check_totals(contract, rules.by_check("totals")[0])
    yield from check_references(contract, rules.by_check("references")[0])
    yield from check_dates(contract, rules.by_check("dates")[0])
    yield from check_signing(contract, rules.by_check("signing")[0])
    yield from check_duration(contract, rules.by_check("duration")[0])
    yield from check_definitions(
        contract, rules.by_check("definition_twice")[0], rules.by_check("definition_missing")[0]
    )
    yield from check_blanks(contract, rules.by_check("blanks")[0])
    yield from check_parties(contract, rules.by_check("parties")[0])
    yield from check_patterns(contract, rules)


def _find_missing(contract: ContractText, rules: ContractRules) -> Iterator[DocumentFinding]:
    """Essentials without a word in the clauses; in a contract without numbers, in all lines below its title."""
    rule = rules.essential_rule
    if rule is None or (contract.is_english and len(contract.clauses) < _MIN_CLAUSES):
        return
    head = contract.lines[0]
    text = "\n".join(one.text for one in contract.clauses or contract.lines[1:])
    for essential in _list_essentials(contract, rules):
        if not essential.pattern.search(text):
            message = BilingualText(
                rule.message.zh.format(name=essential.name.zh), rule.message.en.format(name=essential.name.en)
            )
            yield DocumentFinding(
                essential.id, head.address, head.text, message, "medium", "", rule.advice, None, rule.law
            )


def _list_essentials(contract: ContractText, rules: ContractRules) -> list[Essential]:
    """Essentials of a contract of this name: a loan has no quantity and no quality."""
    title = "".join(line.text for line in contract.lines[:2])
    return [one for one in rules.essentials if one.not_for is None or not one.not_for.search(title)]


def _list_checked(contract: ContractText, rules: ContractRules) -> list[ContractRule]:
    """Rules that could be checked: references need numbered clauses."""
    return [rule for rule in rules.rules if rule.check != "references" or contract.clauses]


def propose_review(reading: Reading, *, message: str = "", language: Language) -> Proposal:
    """Findings as comments, and as tracked replacements where the right words are known.

    A request for one party's side is answered with what the rules can say of it: which party a clause burdens.
    """
    contract = read_contract(body_pieces(reading))
    if not contract.lines:
        return Proposal("contract-review", "wps", _WORDS.render("empty", language))
    if not contract.parties and not any(_CONTRACT.search(line.text) for line in contract.lines[:8]):
        summary = _WORDS.render("no_contract", language, name=contract.lines[0].text[:40])
        return Proposal("contract-review", "wps", summary, question=_WORDS.render("ask_contract", language))
    findings, rules = find_risks(contract), load_contract_rules(english=contract.is_english)
    checked = _list_checked(contract, rules)
    summary = _WORDS.render(
        "summary_english" if contract.is_english else "summary",
        language,
        name=contract.lines[0].text[:40],
        clauses=len(contract.clauses),
        rules=len(checked),
        essentials=len(_list_essentials(contract, rules)),
        count=len(findings),
        high=sum(1 for finding in findings if finding.severity == "high"),
        titles=join_names((rule.title.text(language) for rule in checked), language),
    )
    if not contract.clauses:
        summary = f"{summary} {_WORDS.render('no_clauses', language)}".replace("。 ", "。")
    side = read_side(message)
    summary = "\n\n".join(filter(None, (summary, _tell_side(contract, findings, side, language))))
    return Proposal(
        "contract-review",
        "wps",
        summary,
        PlanActions(language).marks(findings),
        tuple(_build_tables(contract, findings, side, language)),
        tuple(finding.to_json(language) for finding in findings),
    )


def _tell_side(contract: ContractText, findings: Sequence[DocumentFinding], side: str, language: Language) -> str:
    """What the rules can and cannot say for one party; empty if the request names none."""
    if not side:
        return ""
    if not is_party(contract, side):
        parties = join_names((f"{role} {name}".strip() for role, name in contract.parties), language)
        return _WORDS.render("side_unknown", language, side=side, parties=parties or "–")
    count = sum(_is_of(contract, finding, side) for finding in findings)
    return _WORDS.render("side", language, side=side, count=count)


def _is_of(contract: ContractText, finding: DocumentFinding, side: str) -> bool:
    return find_burdened(contract, finding).casefold() == side.casefold()


def _build_tables(
    contract: ContractText, findings: Sequence[DocumentFinding], side: str, language: Language
) -> Iterator[JsonObject]:
    if findings:
        codes = ("where", *(("burdened",) if side else ()), "found", "weight", "advice", "law", "line")
        columns = [_WORDS.render(code, language) for code in codes]
        ordered = sorted(findings, key=lambda one: not _is_of(contract, one, side)) if side else findings
        rows = [
            [
                _clause_label(contract, finding, language),
                *((find_burdened(contract, finding) or "–",) if side else ()),
                finding.message.text(language),
                _WORDS.render(finding.severity, language),
                finding.advice.text(language) if finding.advice else "",
                finding.source.text(language) if finding.source else "",
                finding.line,
            ]
            for finding in ordered
        ]
        yield table_json(_WORDS.render("findings", language), columns, rows)
    columns = [_WORDS.render(code, language) for code in ("number", "title", "where")]
    clauses = [[clause.label, clause.title, clause.lines[0].address] for clause in contract.clauses]
    if clauses:
        yield table_json(_WORDS.render("clauses", language), columns, clauses)


def _clause_label(contract: ContractText, finding: DocumentFinding, language: Language) -> str:
    for clause in contract.clauses:
        if any(line.address == finding.address and line.text == finding.line for line in clause.lines):
            return clause.label
    return _WORDS.render("whole", language)

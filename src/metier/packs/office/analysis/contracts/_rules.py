"""Rules of the contract review, read from `contract_rules.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from metier.language import BilingualText
from metier.packs.office.analysis._model import DocumentFinding, Severity
from metier.packs.office.analysis.contracts._clauses import ClauseLine

__all__ = ["ContractRule", "ContractRules", "Essential", "load_contract_rules"]


@dataclass(frozen=True, slots=True)
class ContractRule:
    """One rule: how it is checked, what it says, and the article it rests on."""

    id: str
    severity: Severity
    law: BilingualText
    title: BilingualText
    message: BilingualText
    advice: BilingualText
    check: str = ""
    pattern: re.Pattern[str] | None = None
    where: re.Pattern[str] | None = None
    limit_months: int | None = None

    def build_finding(
        self, line: ClauseLine, quote: str, replacement: str | None = None, **values: str
    ) -> DocumentFinding:
        """The rule's finding at a line."""
        filled = {"quote": quote, **values}
        return DocumentFinding(
            self.id,
            line.address,
            line.text,
            _fill(self.message, filled),
            self.severity,
            quote,
            _fill(self.advice, filled),
            replacement,
            self.law,
            values,
        )


@dataclass(frozen=True, slots=True)
class Essential:
    """Content that a contract generally has (Civil Code, Art. 470)."""

    id: str
    name: BilingualText
    pattern: re.Pattern[str]
    not_for: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class ContractRules:
    """All rules and essentials."""

    rules: tuple[ContractRule, ...]
    essentials: tuple[Essential, ...] = ()
    essential_rule: ContractRule | None = field(default=None, repr=False)

    def by_check(self, check: str) -> tuple[ContractRule, ...]:
        """Rules that are computed by this check."""
        return tuple(rule for rule in self.rules if rule.check == check)


def _fill(text: BilingualText, values: Mapping[str, str]) -> BilingualText:
    return BilingualText(text.zh.format_map(values), text.en.format_map(values))


def _bilingual(value: Mapping[str, str]) -> BilingualText:
    return BilingualText(value["zh"], value["en"])


def _compile(value: str | None) -> re.Pattern[str] | None:
    return re.compile(value) if value else None


@cache
def load_contract_rules(*, english: bool = False) -> ContractRules:
    """Read the rules once: those of Chinese law, or those that read an English text by its own words."""
    name = "english_rules.toml" if english else "contract_rules.toml"
    data = tomllib.loads(files("metier.packs.office.analysis.contracts").joinpath(name).read_text("utf-8"))
    rules = tuple(
        ContractRule(
            entry["id"],
            entry["severity"],
            _bilingual(entry["law"]),
            _bilingual(entry["title"]),
            _bilingual(entry["message"]),
            _bilingual(entry["advice"]),
            check=entry.get("check", ""),
            pattern=_compile(entry.get("pattern")),
            where=_compile(entry.get("where")),
            limit_months=entry.get("limit_months"),
        )
        for entry in data["rules"]
    )
    parts = data.get("essentials")
    if parts is None:
        return ContractRules(rules)
    essentials = tuple(
        Essential(item["id"], _bilingual(item["name"]), re.compile(item["pattern"]), _compile(item.get("not_for")))
        for item in parts["items"]
    )
    law = _bilingual(parts["law"])
    essential = ContractRule("", "medium", law, law, _bilingual(parts["message"]), _bilingual(parts["advice"]))
    return ContractRules(rules, essentials, essential)

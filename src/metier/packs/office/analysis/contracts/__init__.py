"""Contracts: clauses, and a review by rules that are data with their article."""

from metier.packs.office.analysis.contracts._clauses import Clause, ContractText, read_contract
from metier.packs.office.analysis.contracts._review import find_risks, propose_review
from metier.packs.office.analysis.contracts._rules import ContractRules, load_contract_rules

__all__ = [
    "Clause",
    "ContractRules",
    "ContractText",
    "find_risks",
    "load_contract_rules",
    "propose_review",
    "read_contract",
]

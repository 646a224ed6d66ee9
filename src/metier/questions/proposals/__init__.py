"""Questions about rows that wait for approval, and words that choose some of them by their place."""

from metier.questions.proposals._answer import answer_proposal, name_rows, number_rows
from metier.questions.proposals._findings import FoundRows, ProposedRows, find_rows, link_findings
from metier.questions.proposals._places import NamedPlace, PlacedRows, find_places, read_places
from metier.questions.proposals._read import ProposalQuestion, read_proposal_question

__all__ = [
    "FoundRows",
    "NamedPlace",
    "PlacedRows",
    "ProposalQuestion",
    "ProposedRows",
    "answer_proposal",
    "find_places",
    "find_rows",
    "link_findings",
    "name_rows",
    "number_rows",
    "read_places",
    "read_proposal_question",
]

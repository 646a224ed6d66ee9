"""Short questions that judge the newest result: grounds, how many are affected, only the bad ones, the worst first."""

from metier.questions.judgements._answer import answer_judgement
from metier.questions.judgements._read import Judgement, read_affected, read_judgement, wants_summary

__all__ = ["Judgement", "answer_judgement", "read_affected", "read_judgement", "wants_summary"]

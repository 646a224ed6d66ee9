"""Questions read word by word: conditions, orders, groups and figures over one table, answered only if all is read."""

from metier.questions.queries._answers import answer_query
from metier.questions.queries._edit_orders import is_edit_order
from metier.questions.queries._lexicon import CONCEPTS, NOUNS, find_concepts, looks_like_query
from metier.questions.queries._select import RowChoice, choose_rows
from metier.questions.queries._tables import concepts_of
from metier.questions.queries._tokens import Token
from metier.questions.queries._units import find_wrong_unit
from metier.questions.queries._unread import cut_words, explain_beyond, explain_missing, explain_unread

__all__ = [
    "CONCEPTS",
    "NOUNS",
    "RowChoice",
    "Token",
    "answer_query",
    "choose_rows",
    "concepts_of",
    "cut_words",
    "explain_beyond",
    "explain_missing",
    "explain_unread",
    "find_concepts",
    "find_wrong_unit",
    "is_edit_order",
    "looks_like_query",
]

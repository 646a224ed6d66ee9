"""Questions read word by word: conditions, orders, groups and figures over one table, answered only if all is read."""

from metier.questions.queries._answers import answer_query
from metier.questions.queries._lexicon import looks_like_query
from metier.questions.queries._select import RowChoice, choose_rows
from metier.questions.queries._unread import explain_missing, explain_unread

__all__ = ["RowChoice", "answer_query", "choose_rows", "explain_missing", "explain_unread", "looks_like_query"]

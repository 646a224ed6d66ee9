"""Questions about a table of data, answered from the file itself where every word of them has its place in it."""

from metier.packs.workspace.data.questions._answers import DataAnswer, answer_question
from metier.packs.workspace.data.questions._door import answer_from_file, is_question, speaks_of_data
from metier.packs.workspace.data.questions._orders import orders_conversion

__all__ = ["DataAnswer", "answer_from_file", "answer_question", "is_question", "orders_conversion", "speaks_of_data"]

"""Questions about the report around the tables: where figures come from, by which rule, over which limit, and why."""

from metier.questions.remarks._answer import answer_remark, has_remark_shape
from metier.questions.remarks._read import find_remarks, is_own_note

__all__ = ["answer_remark", "find_remarks", "has_remark_shape", "is_own_note"]

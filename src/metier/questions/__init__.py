"""Questions about results on screen, answered from the stored tables and charts without a model."""

from metier.questions._answer import answer_question, describe_next, describe_written, remind_of_question
from metier.questions._details import asks_only, is_detail_question, is_request
from metier.questions._parse import ChartKind, Question, QuestionKind, parse_question
from metier.questions._results import Answer, ResultChart, Results, ResultTable, TableColumn, results_from_events
from metier.questions._shown_tables import collect_results, tables_in_preview
from metier.questions._table_wishes import TableWish, find_wished, read_table_wish
from metier.questions._written_numbers import write_numbers, write_numbers_for
from metier.questions.charts import asks_to_draw_changes, draw_changes
from metier.questions.follow_ups import (
    complete_follow_up,
    complete_several,
    find_stated,
    is_view_wish,
    name_pointed,
    orders_change,
    read_compared,
    read_other_limit,
    read_subject,
)
from metier.questions.judgements import Judgement, answer_judgement, read_affected, read_judgement, wants_summary
from metier.questions.named_rows import (
    answer_beside_work,
    answer_named_rows,
    asks_for_rows,
    describe_tables,
    drop_labels,
    find_mentions,
)
from metier.questions.proposals import (
    PlacedRows,
    ProposalQuestion,
    ProposedRows,
    answer_proposal,
    find_places,
    find_rows,
    link_findings,
    name_rows,
    number_rows,
    read_places,
    read_proposal_question,
)
from metier.questions.queries import RowChoice, choose_rows
from metier.questions.remarks import find_remarks, is_own_note

__all__ = [
    "Answer",
    "ChartKind",
    "Judgement",
    "PlacedRows",
    "ProposalQuestion",
    "ProposedRows",
    "Question",
    "QuestionKind",
    "ResultChart",
    "ResultTable",
    "Results",
    "RowChoice",
    "TableColumn",
    "TableWish",
    "answer_beside_work",
    "answer_judgement",
    "answer_named_rows",
    "answer_proposal",
    "answer_question",
    "asks_for_rows",
    "asks_only",
    "asks_to_draw_changes",
    "choose_rows",
    "collect_results",
    "complete_follow_up",
    "complete_several",
    "describe_next",
    "describe_tables",
    "describe_written",
    "draw_changes",
    "drop_labels",
    "find_mentions",
    "find_places",
    "find_remarks",
    "find_rows",
    "find_stated",
    "find_wished",
    "is_detail_question",
    "is_own_note",
    "is_request",
    "is_view_wish",
    "link_findings",
    "name_pointed",
    "name_rows",
    "number_rows",
    "orders_change",
    "parse_question",
    "read_affected",
    "read_compared",
    "read_judgement",
    "read_other_limit",
    "read_places",
    "read_proposal_question",
    "read_subject",
    "read_table_wish",
    "remind_of_question",
    "results_from_events",
    "tables_in_preview",
    "wants_summary",
    "write_numbers",
    "write_numbers_for",
]

"""The first part of a request that its finished plan has lost, or holds where it does not belong."""

from collections.abc import Sequence

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._plan_texts import list_texts, list_values
from metier.packs.office.drafting.comparison.additions._brackets import (
    find_bracket,
    find_cut_bracket,
    find_open_quotation,
    find_quoted_title,
)
from metier.packs.office.drafting.comparison.additions._cells import find_divided_cell, find_row_in_header
from metier.packs.office.drafting.comparison.additions._cut_words import find_cut_word
from metier.packs.office.drafting.comparison.additions._looks import find_look
from metier.packs.office.drafting.comparison.additions._requests import find_request
from metier.packs.office.drafting.comparison.additions._spoken import find_spoken_column
from metier.packs.office.drafting.comparison.additions._titles import find_cut_title, find_cut_verb
from metier.packs.office.drafting.comparison.omissions._copies import find_copies
from metier.packs.office.drafting.comparison.omissions._counts import find_count, find_heading, find_kind, find_level
from metier.packs.office.drafting.comparison.omissions._formulas import find_lost_formula
from metier.packs.office.drafting.comparison.omissions._names import find_numberless, find_priceless
from metier.packs.office.drafting.comparison.omissions._periods import find_lost_period
from metier.packs.office.drafting.comparison.omissions._refused_looks import find_refused_look
from metier.packs.office.drafting.comparison.omissions._tables import find_misread_table
from metier.packs.office.drafting.comparison.omissions._things import (
    find_lost_chart,
    find_lost_number,
    find_lost_place,
    find_lost_sheet,
    find_lost_title,
    find_written_order,
)

__all__ = ["find_lost", "find_misread"]


def find_lost(request: str, steps: Sequence[JsonObject]) -> str:
    """The lost part of a request in the user's words; empty if the plan of these steps has all of it."""
    text = RequestText(request)
    texts = list_texts(steps)
    return (
        find_cut_title(text, texts)
        or find_cut_verb(text, steps)
        or find_copies(text, texts, steps)
        or find_numberless(text, texts, steps)
        or find_priceless(text, texts)
        or find_look(text, steps)
        or find_lost_period(text, steps)
        or find_spoken_column(text, steps)
        or find_bracket(text, texts)
        or find_open_quotation(text, texts)
        or find_quoted_title(text, steps)
        or find_lost_formula(text, steps)
        or find_lost_chart(text, steps)
        or find_lost_sheet(text, steps)
        or find_lost_number(text, steps)
        or find_lost_place(text, steps)
        or find_lost_title(text, texts)
        or find_written_order(texts)
    )


def find_misread(request: str, steps: Sequence[JsonObject]) -> str:
    """Words to the reader that were written as a text, or a count, level or kind that the plan does not have."""
    text = RequestText(request)
    texts = list_texts(steps)
    return (
        find_request(text, steps)
        or find_misread_table(text, steps)
        or find_count(text, steps)
        or find_level(text, steps)
        or find_kind(text, steps)
        or find_heading(text, steps)
        or find_refused_look(text, steps)
        or find_bracket(text, texts)
        or find_cut_bracket(text, texts)
        or find_open_quotation(text, texts)
        or find_spoken_column(text, steps)
        or find_divided_cell(steps)
        or find_row_in_header(steps)
        or find_look(text, steps)
        or find_cut_word(request, [*texts, *list_values(steps)])
    )

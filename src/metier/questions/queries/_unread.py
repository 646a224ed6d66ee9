"""What is said to a question that no table answers though all its words are known."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.language import Language, join_names
from metier.patterns import compile_later
from metier.questions._results import Answer, Results
from metier.questions.queries._lexicon import NOUNS
from metier.questions.queries._query_sentences import QUERY_SENTENCES
from metier.questions.queries._tables import concepts_of, list_query_tables
from metier.questions.queries._tokens import Token, cut_tokens, make_vocabulary

_MAX_TABLES: Final = 6
_SEVERAL: Final = 2
_ASKS: Final = compile_later(
    r"[？?]|[吗呢]|有没有|为什么|为啥|是不是|多少|哪|^(?:is|are|does|do|did|which|why|how many)\b", re.IGNORECASE
)
_DEFINES: Final = compile_later(
    r"是什么|什么是|什么意思|含义|^解释|\bwhat(?:'s| is| are| does)\b|\bmeans?\b|\bexplain\b", re.IGNORECASE
)
# Words that only a table can answer.
_OF_TABLES: Final = frozenset({"figure", "sort", "order", "compare", "delta", "gap", "most", "group", "between"})
_FINDINGS: Final = frozenset({"weak", "interference", "overload", "district", "neighbour", "coverage"})


def explain_unread(text: str, results: Results, language: Language) -> Answer | None:
    """What the results say instead, if all words are known but no table has them together; None for another message."""
    tables = list_query_tables(results, language)
    tokens = cut_tokens(text, make_vocabulary(tables))
    terms = [one for one in tokens if one.kind == "term"]
    unknown = [one for one in tokens if one.kind == "unknown"]
    if not terms or not {one.kind for one in tokens} & _OF_TABLES:
        return None
    if unknown and not any(one.concepts - NOUNS - _FINDINGS for one in terms):
        return None
    return _list_tables("unknown" if unknown else "unread", _join(unknown) or terms, results, language)


def explain_missing(text: str, results: Results, language: Language) -> Answer | None:
    """What the results have, if the text names something to measure that none of their columns has; None otherwise."""
    tables = list_query_tables(results, language)
    titles = (text for one in tables for text in (one.table.title, *(column.title for column in one.table.columns)))
    known = frozenset(name for title in titles for name in concepts_of(title))
    if not known - NOUNS:
        return None
    tokens = cut_tokens(text, make_vocabulary(tables))
    missing = [
        one
        for one in tokens
        if (one.kind == "term" and one.concepts and not one.concepts & known)
        or (one.kind == "most" and ":" in one.value and one.value.partition(":")[2] not in known)
    ]
    return _list_tables("no_column", missing, results, language) if missing and results.tables else None


def explain_beyond(text: str, results: Results, language: Language) -> Answer | None:
    """What the results say instead, if a question names several of their quantities; None for another message."""
    columns = (column.title for one in results.tables for column in one.columns)
    known = frozenset(name for title in columns for name in concepts_of(title)) - NOUNS
    named = concepts_of(text) & known
    if len(named) < _SEVERAL or not _ASKS.search(text) or _DEFINES.search(text):
        return None
    terms = [one for one in cut_words(text, results, language) if one.concepts & named]
    return _list_tables("beyond", terms, results, language) if terms else None


def cut_words(text: str, results: Results, language: Language) -> list[Token]:
    """The words of a text as the tables of the results know them."""
    return cut_tokens(text, make_vocabulary(list_query_tables(results, language)))


def _join(tokens: Sequence[Token]) -> list[Token]:
    """Tokens that stand together as one."""
    made: list[Token] = []
    for one in tokens:
        if made and made[-1].end == one.start:
            made[-1] = replace(made[-1], text=made[-1].text + one.text, end=one.end)
        else:
            made.append(one)
    return made


def _list_tables(code: str, terms: Sequence[Token], results: Results, language: Language) -> Answer:
    quoted = [QUERY_SENTENCES.render("quoted", language, word=one.text) for one in terms]
    lines = [QUERY_SENTENCES.render(code, language, words=join_names(list(dict.fromkeys(quoted)), language)), ""]
    for table in results.tables[:_MAX_TABLES]:
        columns = join_names([one.title for one in table.columns], language)
        lines.append(QUERY_SENTENCES.render("table_line", language, title=table.title, columns=columns))
    return Answer("\n".join(lines), found=False)

"""Rows that have all the content words of a question, shown as they stand: what they answer is left to the reader."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.language import Language, choose, join_names
from metier.patterns import compile_later
from metier.questions._results import Answer, Results, ResultTable
from metier.questions.named_rows._answer import is_written_in, say_source, write_row
from metier.questions.named_rows._row_sentences import ROW_SENTENCES
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 80
_MAX_WORDS: Final = 5
_MAX_LISTED: Final = 4
_MAX_CELL: Final = 200  # a longer cell is a text of its own, in which words meet by chance
_MIN_RUN: Final = 2
_STEM: Final = 5
_FILL_ZH: Final = compile_later(
    r"为什么|为啥|为何|什么时候|什么时间|什么|怎么样|怎么|怎样|如何|哪里|哪儿|哪些|哪几|哪个|哪|几个|几号|多少|多久"
    r"|谁|啥|是不是|有没有|是否|请问|具体"
    r"|一下|知道|告诉我|负责|内容|情况|提到|说到|关于|里面|文件里|合同里|结果里|需要|应该"
    r"|[的了吗呢吧啊呀么把将就还也都是在有会要对和与跟我你它这那个条处份]|[\s，,。.?？!！、；;：:“”\"]"
)
_WORD_EN: Final = compile_later(r"[a-z0-9][a-z0-9'-]*")
_FILL_EN: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "do",
        "does",
        "did",
        "done",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "of",
        "for",
        "to",
        "in",
        "on",
        "at",
        "by",
        "with",
        "from",
        "about",
        "into",
        "as",
        "and",
        "or",
        "but",
        "so",
        "then",
        "not",
        "no",
        "any",
        "all",
        "some",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "they",
        "them",
        "their",
        "he",
        "she",
        "his",
        "her",
        "we",
        "our",
        "us",
        "you",
        "your",
        "i",
        "me",
        "my",
        "there",
        "here",
        "who",
        "whom",
        "whose",
        "what",
        "which",
        "when",
        "where",
        "why",
        "how",
        "much",
        "many",
        "long",
        "old",
        "please",
        "tell",
        "show",
        "give",
        "say",
        "says",
        "said",
        "know",
        "mean",
        "means",
        "responsible",
        "exactly",
        "actually",
        "now",
        "still",
        "also",
        "ok",
        "okay",
        "well",
        "document",
        "file",
        "result",
        "table",
        "contract",
        "text",
    ]
)


def find_mentions(message: str, results: Results, language: Language) -> Answer | None:
    """The rows of the newest results that have every content word of a question; None if no row has them all."""
    words = _read_words(message)
    if not words or len(words) > _MAX_WORDS:
        return None
    named = join_names([ROW_SENTENCES.render("quoted", language, word=one) for one in words], language)
    for table in results.tables:
        rows = [row for row in table.rows if _has_all(row, words)] if is_written_in(table, language) else []
        if not rows or len(rows) == len(table.rows) > 1:
            continue
        head = ROW_SENTENCES.render("mentions", language, names=named, count=len(rows))
        if len(rows) > _MAX_LISTED:
            return Answer(f"{head}\n\n{say_source(table, language)}", tables=(_cut(table, rows),))
        lines = [f"- {write_row(table, row, language)}" for row in rows]
        return Answer("\n".join([head, "", *lines, "", say_source(table, language)]))
    return None


def _read_words(message: str) -> tuple[str, ...]:
    said = to_simplified(message.strip()).replace("’", "'").lower()
    if len(said) > _MAX_CHARS:
        return ()
    if said.isascii():
        found = [one.removesuffix("'s").strip("'-") for one in _WORD_EN.findall(said)]
        return tuple(one for one in dict.fromkeys(found) if one and one not in _FILL_EN)
    runs = [one for one in _FILL_ZH.sub("\n", said).split("\n") if one]
    # A single character may be any word: then not all of the question is read.
    return () if any(len(one) < _MIN_RUN for one in runs) else tuple(dict.fromkeys(runs))


def _has_all(row: Sequence[object], words: Sequence[str]) -> bool:
    text = "\n".join(str(one) for one in row if one is not None and len(str(one)) <= _MAX_CELL).casefold()
    return all(_has_word(text, one) for one in words)


def _has_word(text: str, word: str) -> bool:
    """Whether a text has a word; a longer English one in any form: budgets, budgeting."""
    if not word.isascii():
        return word in text
    is_long = len(word) > _STEM and word.isalpha()
    end = "[a-z]*" if is_long else r"(?:s|es)?"
    stem = word[: max(_STEM, len(word) - 3)] if is_long else word
    return re.search(rf"(?<![a-z0-9]){re.escape(stem)}{end}(?![a-z0-9])", text) is not None


def _cut(table: ResultTable, rows: Sequence[tuple[object, ...]]) -> ResultTable:
    kept = tuple(row for row in table.rows if row in rows)
    return replace(table, rows=kept, total=len(kept))


def describe_tables(results: Results, language: Language, most: int = 4) -> str:
    """Titles of the newest tables in the language, for a question that none of their rows answers."""
    titles = dict.fromkeys(one.title for one in results.tables if is_written_in(one, language))
    return choose(language, zh="、", en=", ").join(
        ROW_SENTENCES.render("quoted", language, word=one) for one in list(titles)[:most]
    )

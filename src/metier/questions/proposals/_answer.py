"""Answers about rows that wait for approval, from the preview and the findings behind it; they decide nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, choose, join_names, shorten_text
from metier.questions._drafts import with_unit
from metier.questions._results import Answer, ResultTable, TableColumn
from metier.questions.named_rows import QUOTED
from metier.questions.proposals._findings import ProposedRows, find_rows
from metier.questions.proposals._proposal_sentences import PROPOSAL_SENTENCES
from metier.questions.proposals._read import ProposalQuestion
from metier.questions.proposals._untouched import answer_untouched

_MAX_LISTED: Final = 10
_MAX_SAID: Final = 40
_MAX_VALUE: Final = 160
_MAX_NUMBERS: Final = 12


def answer_proposal(
    question: ProposalQuestion, proposal: ProposedRows, language: Language, chosen: Sequence[int] = ()
) -> Answer | None:
    """The rows, or why they are proposed; None if only "why?" was said and no finding is known.

    `chosen` are the rows that a plain yes would approve if they are not all.
    """
    total = len(proposal.table.rows)
    if question.kind == "rows":
        told = [_say("rows", language, count=total)]
        places = list(dict.fromkeys(str(row[0]) for row in proposal.table.rows))
        told += [_say("at", language, places=join_names(places, language))] if len(places) <= _MAX_LISTED else []
        told += [_say("chosen", language, rows=name_rows(chosen, language))] if chosen else []
        return Answer(" ".join(told), tables=(number_rows(proposal.table, range(total), language),))
    if question.kind == "untouched":
        return answer_untouched(question.subject, proposal, language)
    if question.is_plain and proposal.findings is None:
        return None
    if not question.places:
        return _tell_reasons(proposal, range(total), language)
    found = find_rows(question.places, proposal)
    if found.is_missing:
        return Answer(_say("row_missing", language, count=total), found=False)
    answer = _tell_reasons(proposal, found.rows, language)
    others = [one for one in found.others if one not in found.rows]
    if not others:
        return answer
    lines = [_say("place_too", language), "", *_list_lines(proposal, others, language)]
    return replace(answer, text="\n".join([answer.text, "", *lines]))


def number_rows(table: ResultTable, rows: Sequence[int], language: Language) -> ResultTable:
    """Rows of a table with their numbers in front, as people name them."""
    columns = (TableColumn("row", _say("number", language)), *table.columns)
    cells: tuple[tuple[JsonValue, ...], ...] = tuple((at + 1, *table.rows[at]) for at in rows)
    return replace(table, columns=columns, rows=cells, total=len(cells))


def name_rows(rows: Sequence[int], language: Language) -> str:
    """Rows by their numbers, rows in a row as 2–4; empty for very many."""
    spans = list(_join_spans(rows))
    if not spans or len(spans) > _MAX_NUMBERS:
        return ""
    if len(rows) == 1:
        return _say("row_number", language, number=spans[0])
    return _say("rows_numbered", language, numbers=choose(language, zh="、", en=", ").join(spans))


def _join_spans(rows: Sequence[int]) -> Iterator[str]:
    at = 0
    while at < len(rows):
        last = at
        while last + 1 < len(rows) and rows[last + 1] == rows[last] + 1:
            last += 1
        if last == at + 1:
            last = at
        yield str(rows[at] + 1) if last == at else f"{rows[at] + 1}–{rows[last] + 1}"
        at = last + 1


def _tell_reasons(proposal: ProposedRows, rows: Sequence[int], language: Language) -> Answer:
    """Rows with the findings behind them, or with what would be done where the report has none in this language."""
    findings = proposal.findings
    if findings is None:
        head = _say("no_reasons", language, said=shorten_text(proposal.table.said, _MAX_SAID))
    elif not proposal.is_in(language):
        head = _say("other_language", language, title=findings.title)
    else:
        head = _say("reasons", language)
    lines = [head, "", *_list_lines(proposal, rows, language)]
    if findings is not None and proposal.is_in(language):
        said = shorten_text(findings.said, _MAX_SAID)
        lines += ["", _say("source", language, title=findings.title, total=findings.total, said=said)]
    return Answer("\n".join(lines))


def _list_lines(proposal: ProposedRows, rows: Sequence[int], language: Language) -> Iterator[str]:
    has_findings = proposal.findings is not None and proposal.is_in(language)
    for at in rows[:_MAX_LISTED]:
        finding = proposal.get_finding(at) if has_findings else None
        name, values = _write_preview(proposal, at, language, only_name=finding is not None)
        if finding is not None:
            values = _write_finding(proposal, finding, language)
        elif has_findings:
            values = choose(language, zh="；", en="; ").join([values, _say("no_reason", language)])
        yield _say("reason", language, number=at + 1, name=name, values=values)
    if len(rows) > _MAX_LISTED:
        yield ""
        yield _say("more", language, left=len(rows) - _MAX_LISTED, number=rows[_MAX_LISTED] + 1)


def _write_preview(proposal: ProposedRows, at: int, language: Language, *, only_name: bool) -> tuple[str, str]:
    """Name of a proposed row, and its other values with their headings."""
    table = proposal.table
    row, heads = table.rows[at], table.columns
    values = () if only_name else _list_values(heads[1:], row[1:], language)
    return str(row[0]), choose(language, zh="；", en="; ").join(values)


def _write_finding(proposal: ProposedRows, finding: Sequence[JsonValue], language: Language) -> str:
    """A finding without the line that it quotes; its sentences keep no full stop before the next one."""
    assert proposal.findings is not None
    pairs = zip(proposal.findings.columns, finding, strict=False)
    kept = [(head, value) for head, value in pairs if QUOTED.fullmatch(head.title.strip()) is None]
    values = _list_values([one for one, _ in kept], [one for _, one in kept], language)
    return choose(language, zh="；", en="; ").join(values)


def _list_values(heads: Sequence[TableColumn], cells: Sequence[JsonValue], language: Language) -> Iterator[str]:
    for head, value in zip(heads, cells, strict=False):
        if value is None or value == "":
            continue
        text = shorten_text(" ".join(with_unit(value, head.unit).split()), _MAX_VALUE).rstrip("。.")
        yield _say("value", language, column=head.title, value=text)


def _say(code: str, language: Language, **values: object) -> str:
    return PROPOSAL_SENTENCES.render(code, language, **values)

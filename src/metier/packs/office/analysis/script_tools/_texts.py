"""Tools over the text of a document: minutes, contracts, numbering, exams, templates."""

from collections.abc import Mapping, Sequence
from datetime import date

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._dates import find_document_date
from metier.packs.office.analysis._numbering import find_numbering_faults
from metier.packs.office.analysis._terms import find_wrong_terms
from metier.packs.office.analysis.contracts import find_risks, load_contract_rules, read_contract
from metier.packs.office.analysis.exams import (
    AnswerMatch,
    find_blanks,
    find_questions,
    list_written,
    match_answers,
    read_answer_key,
)
from metier.packs.office.analysis.meetings import (
    find_decisions,
    find_promises,
    list_speakers,
    read_transcript,
)
from metier.packs.office.analysis.templates import find_places

__all__ = ["check_numbering", "check_terms", "detect_blanks", "detect_decisions", "detect_placeholders", "detect_risks"]
__all__ += ["extract_clauses", "extract_speakers", "format_answers", "locate_questions", "parse_questions"]
__all__ += ["split_lines", "write_answers"]


def split_lines(doc_text: str) -> tuple[TextPiece, ...]:
    """Lines of a text as pieces; the address is the number of the line."""
    lines = doc_text.splitlines()
    return tuple(TextPiece(f"p{number}", line.strip()) for number, line in enumerate(lines, 1) if line.strip())


def extract_speakers(doc_text: str) -> JsonObject:
    """Speakers and how often each spoke."""
    speakers = list_speakers(read_transcript(split_lines(doc_text)))
    return {"speakers": [{"name": name, "turns": turns} for name, turns in speakers], "count": len(speakers)}


def detect_decisions(doc_text: str, meeting_date: str = "") -> JsonObject:
    """Decisions, and who does what until when; without a date in text or argument relative dates stay open."""
    pieces = split_lines(doc_text)
    said = read_transcript(pieces)
    day = (
        date.fromisoformat(meeting_date)
        if meeting_date
        else find_document_date([one.line for one in said if not one.speaker])
    )
    people = [name for name, _ in list_speakers(said)]
    promises = find_promises(said, day, people)
    return {
        "decisions": [
            {
                "speaker": finding.values["speaker"],
                "timestamp": finding.values["timestamp"],
                "text": finding.quote,
                "line": finding.address,
            }
            for finding in find_decisions(said)
        ],
        "todos": [
            {
                "who": promise.who,
                "what": promise.what,
                "when": promise.when.isoformat() if promise.when else None,
                "said": promise.said,
                "line": promise.address,
            }
            for promise in promises
        ],
        "meeting_date": day.isoformat() if day else None,
    }


def extract_clauses(doc_text: str) -> JsonObject:
    """Parties and clauses of a contract."""
    contract = read_contract(split_lines(doc_text))
    return {
        "parties": [{"role": role, "name": name} for role, name in contract.parties],
        "price": str(contract.price) if contract.price is not None else None,
        "clauses": [
            {"label": clause.label, "title": clause.title, "line": clause.lines[0].address, "text": clause.text}
            for clause in contract.clauses
        ],
    }


def detect_risks(doc_text: str, language: Language | None = None) -> JsonObject:
    """Findings of the contract rules, and which rules ran."""
    chosen, contract = language or language_of(doc_text), read_contract(split_lines(doc_text))
    findings, rules = find_risks(contract), load_contract_rules(english=contract.is_english)
    return {
        "risks": [
            {
                "id": finding.rule,
                "category": finding.source.text(chosen) if finding.source else "",
                "severity": finding.severity,
                "line": finding.address,
                "text": finding.line,
                "finding": finding.message.text(chosen),
                "suggestion": finding.advice.text(chosen) if finding.advice else "",
                "replacement": finding.replacement,
            }
            for finding in findings
        ],
        "rules_run": [*(rule.id for rule in rules.rules), *(item.id for item in rules.essentials)],
    }


def check_numbering(doc_text: str, language: Language | None = None) -> JsonObject:
    """Jumps, repeats and missing levels of the numbering."""
    chosen = language or language_of(doc_text)
    return {
        "issues": [
            {
                "line": finding.address,
                "label": finding.values["label"],
                "issue": finding.rule,
                "expected": finding.values["expected"],
                "message": finding.message.text(chosen),
            }
            for finding in find_numbering_faults(split_lines(doc_text))
        ]
    }


def check_terms(doc_text: str, terms: Mapping[str, str] | None = None) -> JsonObject:
    """Wrong spellings with the right ones; `terms` adds words of one's own."""
    found = find_wrong_terms(split_lines(doc_text), terms)
    return {
        "issues": [
            {"line": one.address, "wrong": one.values["wrong"], "right": one.values["right"], "text": one.line}
            for one in found
        ]
    }


def detect_blanks(doc_text: str) -> JsonObject:
    """Lines with blanks or empty brackets."""
    found = [(piece, count) for piece, count in find_blanks(split_lines(doc_text))]
    lines: list[JsonValue] = [{"line": piece.address, "text": piece.line, "blanks": count} for piece, count in found]
    return {"lines": lines, "blanks": sum(count for _, count in found)}


def detect_placeholders(doc_text: str) -> JsonObject:
    """Places of a template that wait for a value."""
    places = find_places(split_lines(doc_text))
    return {
        "placeholders": [
            {"name": place.name, "form": place.form, "line": place.piece.address, "text": place.piece.line}
            for place in places
        ]
    }


def parse_questions(doc_text: str) -> JsonObject:
    """Questions by type."""
    return {
        "questions": [
            {
                "label": question.label,
                "type": question.type,
                "text": question.text,
                "options": list(question.options),
                "blanks": question.blanks,
                "line": question.piece.address,
            }
            for question in find_questions(split_lines(doc_text))
        ]
    }


def locate_questions(doc_text: str, labels: Sequence[str] = ()) -> JsonObject:
    """Where the questions stand: line, and the first blank or bracket in it."""
    wanted = {"".join(filter(str.isdigit, label)) for label in labels}
    positions: list[JsonValue] = []
    for question in find_questions(split_lines(doc_text)):
        if wanted and question.number not in wanted:
            continue
        line = question.piece.line
        marks = [place for mark in ("____", "___", "__", "（", "(") if (place := line.find(mark, 2)) >= 0]
        positions.append({"q": question.label, "line": question.piece.address, "offset": min(marks, default=len(line))})
    return {"positions": positions}


def _match_answers(doc_text: str, key_text: str) -> tuple[AnswerMatch, ...]:
    return match_answers(find_questions(split_lines(doc_text)), read_answer_key(split_lines(key_text)))[0]


def _list_left(matches: Sequence[AnswerMatch]) -> JsonObject:
    """Questions without an answer in the key, and those whose answer does not fit, with the reason."""
    missing: list[JsonValue] = [one.question.label for one in matches if one.reason == "not_in_key"]
    unfit: list[JsonValue] = [
        {"q": one.question.label, "key": one.said, "reason": one.reason, "line": one.question.piece.address}
        for one in matches
        if one.reason not in ("fits", "not_in_key")
    ]
    return {"missing": missing, "not_fitting": unfit}


def format_answers(doc_text: str, key_text: str) -> JsonObject:
    """Answers of the key in the order of the paper, as lines; nothing is invented."""
    matches = _match_answers(doc_text, key_text)
    lines = [f"{one.question.label} {one.answer}" for one in matches if one.answer]
    return {"text": "\n".join(lines), **_list_left(matches)}


def write_answers(doc_text: str, key_text: str) -> JsonObject:
    """The action that fills the key's answers into the paper."""
    matches = _match_answers(doc_text, key_text)
    answers: list[JsonValue] = [{**one} for one in list_written(matches)]
    action: JsonObject = {"id": "answers", "title": "answers", "op": "answer_mode_apply", "answers": answers}
    return {"action": action if answers else None, **_list_left(matches)}

"""Tools for bids: compliance, dates, checklist, and policies that a text cites."""

from datetime import date

from metier.clock import local_today
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, language_of
from metier.packs.office.analysis._policies import find_cited_policies, load_policies
from metier.packs.office.analysis.bids import compare_bid, find_deadlines, find_periods, find_requirements
from metier.packs.office.analysis.script_tools._texts import split_lines

__all__ = ["build_checklist", "build_timeline", "check_bid", "check_policies", "list_policies", "refuse_ingestion"]

_STATUSES = ("comply", "partial", "missing", "unsure")
_WORDS = Sentences(
    {
        "no_network": (
            "Scripts have no network. Save the page and attach it, or let the assistant fetch it with "
            "fetch_web_content.",
            "脚本没有网络。请把网页保存后作为附件上传，或让助手用 fetch_web_content 读取。",
        ),
    }
)


def check_bid(tender_text: str, bid_text: str) -> JsonObject:
    """The bid's answer to each requirement of the tender."""
    answers = compare_bid(find_requirements(split_lines(tender_text)), split_lines(bid_text))
    counts = {status: sum(1 for one in answers if one.status == status) for status in _STATUSES}
    results: list[JsonValue] = [
        {
            "clause": one.requirement.label,
            "requirement": one.requirement.text,
            "response": one.piece.line if one.piece else "",
            "status": one.status,
            "evidence": one.piece.address if one.piece else "",
            "starred": one.requirement.is_starred,
            "reason": one.reason,
            "words": one.words,
            "other": one.other.line if one.other else "",
        }
        for one in answers
    ]
    at_risk = [one.requirement.label for one in answers if one.requirement.is_starred and one.status != "comply"]
    return {"results": results, "summary": {**counts, "total": len(answers)}, "high_risk": at_risk}


def build_timeline(doc_text: str, today: str = "") -> JsonObject:
    """Dates of the tender in their order, with the days that are left."""
    day = date.fromisoformat(today) if today else local_today()
    pieces = split_lines(doc_text)
    found = sorted(find_deadlines(pieces, day), key=lambda one: (one.day, one.clock))
    return {
        "today": day.isoformat(),
        "events": [
            {
                "date": one.day.isoformat(),
                "time": one.clock,
                "days_left": (one.day - day).days,
                "text": one.piece.line,
                "line": one.piece.address,
            }
            for one in found
        ],
        "periods": [
            {"period": one.words, "text": one.piece.line, "line": one.piece.address} for one in find_periods(pieces)
        ],
    }


def build_checklist(doc_text: str) -> JsonObject:
    """Requirements of the tender as a list to tick off, starred ones first."""
    found = sorted(find_requirements(split_lines(doc_text)), key=lambda one: not one.is_starred)
    items: list[JsonValue] = [
        {"clause": one.label, "mark": one.mark, "text": one.text, "line": one.piece.address, "done": False}
        for one in found
    ]
    return {"items": items, "starred": sum(1 for one in found if one.is_starred)}


def check_policies(doc_text: str) -> JsonObject:
    """Laws and standards that the text cites, and whether they are in force by the pack's list."""
    cited = []
    for words, policy, is_replaced in find_cited_policies(doc_text):
        status = "replaced" if is_replaced else "in_force" if policy else "unknown"
        entry: dict[str, str | None] = {"cited": words, "status": status}
        if policy is not None:
            entry |= {"current": policy.name, "in_force": policy.in_force.isoformat()}
        cited.append(entry)
    return {"cited": cited, "list_written": load_policies().written.isoformat()}


def list_policies(topic: str = "") -> JsonObject:
    """Policies of the pack's list, those of a topic first named."""
    known = load_policies()
    chosen = [one for one in known.policies if not topic or any(word in topic or topic in word for word in one.topics)]
    entries = [
        {"name": one.name, "in_force": one.in_force.isoformat(), "replaces": list(one.replaces)} for one in chosen
    ]
    return {"policies": entries, "list_written": known.written.isoformat()}


def refuse_ingestion(url: str, language: Language | None = None) -> JsonObject:
    """A page cannot be fetched from a script; the sentence says what to do instead."""
    return {"url": url, "ingested": False, "reason": _WORDS.render("no_network", language or language_of(url))}

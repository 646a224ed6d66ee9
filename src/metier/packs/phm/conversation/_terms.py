"""Explanations from the pack's own documents: the section whose heading or synonym the question names."""

from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import Sentences, language_of
from metier.pack import find_terms, read_terms

_FOLDER: Final = Path(__file__).parents[1] / "knowledge"
_TEXTS: Final = Sentences(
    {
        "missing": (
            "The documents do not explain this. Ask about BPFO, BPFI, envelope spectrum, kurtosis, pre-whitening, "
            "kurtogram, speed refinement, side bands, health index or remaining life.",
            "资料里没有这个词。可以问：BPFO、BPFI、包络谱、峭度、预白化、谱峭度、转速校正、边带、健康指数、剩余寿命。",
        ),
        "source": ("Source: {source}", "来源：{source}"),
    }
)


def explain_term(question: str) -> JsonObject:
    """Answer a question about a term from the documents, with the source."""
    language = language_of(question)
    hits = find_terms(read_terms(_FOLDER), question)
    if not hits:
        return {"found": False, "answer": _TEXTS.render("missing", language), "citations": []}
    term = max(hits, key=lambda hit: hit.length).term
    source = _TEXTS.render("source", language, source=term.id)
    return {"found": True, "answer": f"{term.text(language)}\n\n{source}", "citations": [term.id]}

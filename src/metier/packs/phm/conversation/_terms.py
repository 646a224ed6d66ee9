"""Explanations from the pack's own documents: the section whose heading or synonym the question names."""

from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import Sentences, join_names, language_of
from metier.pack import choose_terms, describe_unexplained, read_terms

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
    found = choose_terms(read_terms(_FOLDER), question)
    if not found:
        return {"found": False, "answer": _TEXTS.render("missing", language), "citations": []}
    sources = [one.id for one in found]
    told = [f"**{one.name(language)}** {one.text(language)}" for one in found]
    told.append(describe_unexplained(question, (word for one in found for word in one.words), language))
    source = _TEXTS.render("source", language, source=join_names([one.source(language) for one in found], language))
    return {"found": True, "answer": "\n\n".join(filter(None, (*told, source))), "citations": list(sources)}

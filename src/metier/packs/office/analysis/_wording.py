"""A sentence of a table in both languages at once."""

from metier.language import BilingualText, Sentences

__all__ = ["bilingual"]


def bilingual(table: Sentences, code: str, **values: object) -> BilingualText:
    """The sentence in both languages with the same values."""
    return BilingualText(table.render(code, "zh", **values), table.render(code, "en", **values))

"""Metier's router in the comparison, called through `Router.route`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from benchmarks.routing._measures import RouterAnswer
from metier.routing import Router, open_router
from metier.settings import load_settings
from metier.skills import Catalog, Skill

WORDS_ONLY = "Metier, words alone"
ONE_VIEW = "Metier, one view"
BOTH_VIEWS = "Metier, both views"

# The main embedder comes from the settings, so that users can measure their own. By default English catalogs use both
# views if MiniLM is installed, all others one.
OURS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        WORDS_ONLY: {"embedder": "none", "english_booster": "off"},
        ONE_VIEW: {"english_booster": "off"},
        BOTH_VIEWS: {"english_booster": "minilm"},
    },
)


class MetierRouter:
    """BenchRouter of Metier, with its own threshold for "none" and its own timing."""

    gives_probabilities = True
    says_none = True

    def __init__(self, name: str, storage: Path) -> None:
        self.name = name
        self.notes: tuple[str, ...] = ()
        self._router: Router = open_router(load_settings({"storage_dir": storage, **OURS[name]}))
        self._catalog = Catalog.from_skills([])

    def accepts(self, *, chinese: bool) -> bool:
        """False for Chinese with both views, which equals one view there."""
        return not (chinese and self.name == BOTH_VIEWS)

    def fit(self, skills: Sequence[Skill]) -> None:
        """Build the index."""
        self._catalog = Catalog.from_skills(list(skills))
        self.notes = self._router.prepare(self._catalog)

    def ask(self, message: str) -> RouterAnswer:
        """Answer with the candidates and whether the verdict is "none"."""
        decision = self._router.route(message, catalog=self._catalog)
        ranked = tuple((candidate.skill, candidate.score) for candidate in decision.candidates)
        return RouterAnswer(ranked, decision.verdict == "none", decision.elapsed_ms)

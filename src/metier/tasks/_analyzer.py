"""TaskAnalyzer: takes a message and what the router decided, returns a TaskAnalysis. Uses no language model."""

import logging
from dataclasses import dataclass
from typing import Final

from metier.errors import Unavailable
from metier.routing import Decision, Router, read_small_talk
from metier.tasks._analysis import TaskAnalysis, TaskNote, choose_complexity, explain_types
from metier.tasks._cues import names_things, remove_denied
from metier.tasks._type_model import Embed, TaskTypeModel, TypeJudgement, load_type_model
from metier.textsearch import fold
from metier.tools import TaskType, TaskTypeMatch, TaskTypes

_log = logging.getLogger(__name__)
_MAX_CHARS: Final = 1_200
_MIN_TALK: Final = 0.7


@dataclass(frozen=True, slots=True)
class TaskAnalyzer:
    """Analyses messages. By meaning where the model's own task types and embedder are in use, else by keywords."""

    types: TaskTypes
    model: TaskTypeModel | None = None
    embed: Embed | None = None

    def analyze(self, message: str, decision: Decision | None = None) -> TaskAnalysis:
        """Analyse a message; `decision` is the router's, for the candidates and the slash command."""
        asked = decision.message if decision is not None and decision.route == "explicit" else message
        command = decision.skill or "" if decision is not None and decision.route == "explicit" else ""
        ranked = decision.candidates if decision is not None else ()
        candidates = tuple((one.skill, one.score) for one in ranked)
        reasons = [TaskNote.of("command", skill=command)] if command else []
        if read_small_talk(fold(asked)):
            talk = (*reasons, TaskNote("greeting"))
            return TaskAnalysis((), "simple", command, candidates, reasons=talk, is_talk=not command)
        match, judged = self.types.classify(asked), self._judge(asked)
        types, scores = (match.matched, {}) if judged is None else (judged.types, judged.scores)
        can_be_talk = not types and not match.matched and not command and not names_things(asked[:_MAX_CHARS])
        is_talk = can_be_talk and judged is not None and judged.talk >= _MIN_TALK
        reasons += [TaskNote("talk")] if is_talk else explain_types(match, types, scores)
        if decision is not None and len(decision.requests) > 1:
            reasons.append(TaskNote.of("requests", count=len(decision.requests)))
        if judged is None and match.matched:
            reasons.append(TaskNote("words_only"))
        return TaskAnalysis(
            types,
            choose_complexity(types, decision),
            command,
            candidates,
            scores,
            self._merge(types, match),
            tuple(reasons),
            is_talk,
        )

    def _judge(self, message: str) -> TypeJudgement | None:
        """Types by meaning; None without model or vectors."""
        if self.model is None or self.embed is None:
            return None
        try:
            return self.model.judge(remove_denied(message[:_MAX_CHARS]), self.embed)
        except Unavailable as error:
            _log.info("task types are judged by keywords: %s", error)
            return None

    def _merge(self, types: tuple[str, ...], match: TaskTypeMatch) -> TaskType | None:
        """Type for the gate: those found by meaning and by keywords, so that neither takes a tool from the other."""
        return self.types.merge(dict.fromkeys((*types, *match.matched)))


def open_analyzer(types: TaskTypes, router: Router) -> TaskAnalyzer:
    """Open the analyzer for these types; without the model's own embedder it judges by keywords."""
    model = load_type_model()
    view = next((one for one in router.views if one.name.startswith(model.embedder)), None)
    if view is None or set(model.types) != set(types.types):
        return TaskAnalyzer(types)
    return TaskAnalyzer(types, model, view.embed)

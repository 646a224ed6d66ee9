"""Records of the workbench: share links, feedback on answers, branches of conversations and figures over time."""

from metier.store.workbench._branches import Branches
from metier.store.workbench._feedback import FEEDBACK_REASONS, Feedback, FeedbackAccess, FeedbackReason, Verdict
from metier.store.workbench._figures import Figures, TurnFigure
from metier.store.workbench._shares import NewShare, Share, Shares

__all__ = [
    "FEEDBACK_REASONS",
    "Branches",
    "Feedback",
    "FeedbackAccess",
    "FeedbackReason",
    "Figures",
    "NewShare",
    "Share",
    "Shares",
    "TurnFigure",
    "Verdict",
]

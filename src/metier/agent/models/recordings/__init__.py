"""Recordings of model answers: written while a real endpoint answers, read back in place of one."""

from metier.agent.models.recordings._kept import KeptReplies
from metier.agent.models.recordings._recorded import RecordedModel
from metier.agent.models.recordings._recorder import Recorder, record_client
from metier.agent.models.recordings._replay import StageModel, StageReply, record_model, replay_model
from metier.agent.models.recordings._reply import RecordedReply, digest_prompt

__all__ = [
    "KeptReplies",
    "RecordedModel",
    "RecordedReply",
    "Recorder",
    "StageModel",
    "StageReply",
    "digest_prompt",
    "record_client",
    "record_model",
    "replay_model",
]

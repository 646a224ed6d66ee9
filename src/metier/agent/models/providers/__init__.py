"""Clients of model providers: made by name, asked with retries and a fallback, their errors explained."""

from metier.agent.models.providers._clients import OPENAI, client_options, make_client
from metier.agent.models.providers._errors import classify
from metier.agent.models.providers._resilient import ResilientModel, RetryPolicy

__all__ = ["OPENAI", "ResilientModel", "RetryPolicy", "classify", "client_options", "make_client"]

"""A turn as a deep run: data, form, gate, model, events and files of a skill with `mode: deep`."""

from metier.agent.deep._form import FACTS_PURPOSE, save_form_facts
from metier.agent.deep._run import is_deep, run_deep

__all__ = ["FACTS_PURPOSE", "is_deep", "run_deep", "save_form_facts"]

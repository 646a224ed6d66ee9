"""Scripted chat model for testing agents without a model, a key or waiting.

model = FakeModel().call("search", q="5G").say("Found it.")
agent = create_agent(model, tools=[search])

`metier.testing.journeys` runs whole conversations written as data.
"""

from metier.testing._fake_model import FakeModel, Prompt

__all__ = ["FakeModel", "Prompt"]

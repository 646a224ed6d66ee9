"""The last request once more: in the other language, for something else, or as it was; never an effect twice."""

from metier.agent.choice.again._last_request import changes_something, follows_order, repeats_order
from metier.agent.choice.again._say_again import do_again, say_again

__all__ = ["changes_something", "do_again", "follows_order", "repeats_order", "say_again"]

"""Messages about attached files that no skill carries out: another file is named, or a language model is needed."""

from metier.agent.choice.attached._files import answer_about_file
from metier.agent.choice.attached._one_reader import find_one_reader

__all__ = ["answer_about_file", "find_one_reader"]

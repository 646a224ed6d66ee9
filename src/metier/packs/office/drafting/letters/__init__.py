"""People and courtesy around an order: who is asked, who asks, greetings, thanks and signatures."""

from metier.packs.office.drafting.letters._letter import Letter, read_letter
from metier.packs.office.drafting.letters._people import is_person

__all__ = ["Letter", "is_person", "read_letter"]

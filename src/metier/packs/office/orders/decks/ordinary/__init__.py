"""Ordinary orders about the deck that is open: a new slide of a known form, a title and a text on the only slide."""

from metier.packs.office.orders.decks.ordinary._read import read_deck_orders

__all__ = ["read_deck_orders"]

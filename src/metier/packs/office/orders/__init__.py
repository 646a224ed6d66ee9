"""Orders for a document in words: a small grammar of verbs, objects, places and values over the plan's operations."""

from metier.packs.office.orders._read import ReadOrders, read_orders
from metier.packs.office.orders._unclear import OrderNote

__all__ = ["OrderNote", "ReadOrders", "read_orders"]

"""Orders for a document in words: a small grammar of verbs, objects, places and values over the plan's operations."""

from metier.packs.office.orders._read import ReadOrders, read_orders
from metier.packs.office.orders._unclear import OrderNote
from metier.packs.office.orders.grounded import names_contents

__all__ = ["OrderNote", "ReadOrders", "names_contents", "read_orders"]

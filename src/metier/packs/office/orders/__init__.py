"""Orders for a document in words: a small grammar of verbs, objects, places and values over the plan's operations."""

from metier.packs.office.orders._assurances import read_promise
from metier.packs.office.orders._clauses import VERBS, is_talk_beside
from metier.packs.office.orders._read import ReadOrders, read_orders
from metier.packs.office.orders._unclear import OrderNote
from metier.packs.office.orders.grounded import names_contents

__all__ = ["VERBS", "OrderNote", "ReadOrders", "is_talk_beside", "names_contents", "read_orders", "read_promise"]

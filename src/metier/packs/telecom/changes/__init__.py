"""What a message wants with recommended parameters: apply them or take them back, and which of them."""

from metier.packs.telecom.changes._bounds import RANKS_CELLS, ChangeBounds, Rank
from metier.packs.telecom.changes._requests import (
    ChangeRequest,
    limits_change,
    limits_delivery,
    names_change,
    read_change_request,
)
from metier.packs.telecom.changes._trials import WishedChange, asks_for_trial, read_trial

__all__ = [
    "RANKS_CELLS",
    "ChangeBounds",
    "ChangeRequest",
    "Rank",
    "WishedChange",
    "asks_for_trial",
    "limits_change",
    "limits_delivery",
    "names_change",
    "read_change_request",
    "read_trial",
]

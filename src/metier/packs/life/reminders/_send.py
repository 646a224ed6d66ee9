"""Sends the due reminders of all users: each is marked as sent in the store before it is handed out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from metier.packs.life.reminders._schedule import read_book
from metier.store import Store

PATH: Final = "life_context.reminders"


@dataclass(frozen=True, slots=True)
class SentReminder:
    """A reminder that was due and is marked as sent."""

    user: str
    id: str
    text: str


async def send_due(store: Store, now: datetime) -> tuple[SentReminder, ...]:
    """Reminders that are due at this time; a second run at the same time finds none."""
    sent = []
    for user in await store.profiles.list_users():
        kept = (await store.profiles.get(user, [PATH])).get(PATH)
        for one in read_book(kept).find_due(now):
            last = {one.id: {"last": now.isoformat(timespec="seconds")}}
            await store.profiles.merge(user, {"life_context": {"reminders": {"items": last}}})
            sent.append(SentReminder(user, one.id, one.text))
    return tuple(sent)

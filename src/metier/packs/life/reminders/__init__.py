"""Reminders of goals: user's zone, quiet hours over midnight, cooldown; paused after a crisis."""

from metier.packs.life.reminders._schedule import DEFAULT_ZONE, Reminder, ReminderBook, is_quiet, read_book
from metier.packs.life.reminders._send import PATH, SentReminder, send_due

__all__ = ["DEFAULT_ZONE", "PATH", "Reminder", "ReminderBook", "SentReminder", "is_quiet", "read_book", "send_due"]

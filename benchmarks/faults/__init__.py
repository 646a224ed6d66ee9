"""Fault suite: starts the real server, kills and disturbs it, and checks that its promises hold (`make faults`)."""

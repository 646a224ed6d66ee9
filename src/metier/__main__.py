"""`python -m metier` is the `metier` command."""

from metier.cli import main

main()

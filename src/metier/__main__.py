"""Entry point of `python -m metier`, the same as the `metier` command."""

from metier.cli import main

main()

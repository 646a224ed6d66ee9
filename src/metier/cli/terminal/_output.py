"""Output of commands: one JSON document on stdout or text for people; control characters are escaped."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal._phrases import translate_text
from metier.cli.terminal._words import find_language, say, say_in, translate_heads
from metier.errors import MetierError

if TYPE_CHECKING:
    from metier.skills import Diagnostic

JSON_OPTION = typer.Option(False, "--json", help="Print one JSON document.")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_MARKS: Mapping[str, str] = {"error": "✗", "warning": "!", "info": "·"}


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether the command line asks for JSON; works even if parsing it failed."""
    formats = pairwise(arguments)
    return "--json" in arguments or any(name in ("--format", "-f") and value == "json" for name, value in formats)


def print_json(document: Mapping[str, object]) -> None:
    """Print a JSON document; Chinese is not escaped."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


def escape_control_chars(text: str) -> str:
    """Escape control and bidi characters so that untrusted text cannot control the terminal."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def print_line(text: str) -> None:
    """Print a line on stdout, in the reader's language if it is a sentence of Metier."""
    typer.echo(escape_control_chars(translate_text(text)))


def print_note(text: str) -> None:
    """Print a line on stderr: it is not part of the result."""
    typer.echo(escape_control_chars(translate_text(text)), err=True)


def print_error(error: MetierError, *, as_json: bool) -> None:
    """Print an error with its hint on stderr, and as JSON on stdout if requested."""
    if as_json:
        print_json({"ok": False, "error": error.to_json()})
    words = error.to_words(find_language())
    if words is None:
        print_failure(error.code, error.message, error.hint)
    else:
        print_note(say("error", code=error.code, message=words[0]))
        print_note(say("hint", hint=words[1]))


def print_failure(code: str, message: str, hint: str, write: Callable[[str], None] = print_note) -> None:
    """Print what failed and what to do on stderr; in another language than English with the original words below."""
    from metier.events import describe_error

    told = describe_error(code, message, find_language())
    write(say("error", code=code, message=told))
    if told != message:
        write(say("detail", message=f"{message}; {hint}" if hint else message))
    elif hint:
        write(say("hint", hint=hint))


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print aligned columns; wide characters count as two."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
    for head in translate_heads(heads):
        table.add_column(head, overflow="fold")
    language = find_language()
    for row in rows:
        table.add_row(*(Text(escape_control_chars(translate_text(cell, language))) for cell in row))
    width = None if sys.stdout.isatty() else 160
    Console(width=width, highlight=False).print(table)


def format_time(at: datetime) -> str:
    """A moment for people: local time, to the second."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def print_diagnostics(found: Iterable["Diagnostic"]) -> None:
    """Print diagnostics on stderr: one line each, with the hint below."""
    language = find_language()
    for one in found:
        where = f"{one.path}:{one.line}" if one.line else str(one.path)
        text = one.text(language)
        print_note(f"{_MARKS[one.severity]} {where}: {text} [{one.code}, {say_in(language, one.effect)}]")
        if advice := one.advise(language):
            print_note(f"    {advice}")

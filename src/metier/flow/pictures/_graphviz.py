"""Graphviz drawing one graph at a time, without its library of fonts talking at the terminal."""

import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pygraphviz import AGraph

_LOCK = threading.Lock()  # Graphviz keeps state of its own and is not safe in threads
_NOISE: Final = b"Fontconfig warning"
_STDERR: Final = 2


def draw_graph(graph: "AGraph", form: str) -> bytes:
    """Lay a graph out with `dot` and draw it as `png` or `svg`; safe in threads."""
    with _LOCK:
        _load_fonts()
        content = graph.draw(format=form, prog="dot")
    return content if isinstance(content, bytes) else b""


@cache
def _load_fonts() -> None:
    """Let Graphviz load its fonts, once.

    Its wheel has a Fontconfig of its own. Where that is older than the system's files, it writes a line to standard
    error for each word in them that it does not know, whatever configuration it is given.
    """
    import pygraphviz

    with _without_noise(), suppress(ValueError):
        graph = pygraphviz.AGraph()
        graph.add_node("a")
        graph.draw(format="png", prog="dot")


@contextmanager
def _without_noise() -> Iterator[None]:
    """Keep lines of Fontconfig from standard error; all other lines are written afterwards."""
    try:
        usual = os.dup(_STDERR)
    except OSError:  # closed: nobody reads it
        yield
        return
    with tempfile.TemporaryFile() as kept:
        if sys.stderr is not None:
            sys.stderr.flush()
        os.dup2(kept.fileno(), _STDERR)
        try:
            yield
        finally:
            os.dup2(usual, _STDERR)
            os.close(usual)
            kept.seek(0)
            if rest := b"".join(line for line in kept if not line.startswith(_NOISE)):
                with suppress(OSError):
                    os.write(_STDERR, rest)

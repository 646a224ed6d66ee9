"""How many tokens a text costs, counted offline with a real byte-pair encoding.

`bpe-openai` carries the o200k tables inside its wheel; `tiktoken` fetches them from the network at first use.
"""

import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding

__all__ = ["count_tokens"]

ENCODING = "o200k_base"
# The tokenizer refuses more than 200,000 tokens at once, and a character may be four.
_PIECE_CHARS = 50_000


@cache
def _encoding() -> "Encoding":
    with warnings.catch_warnings():  # it opens its tables with a function that Python 3.11 calls deprecated
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding  # 40 MB of tables: about a second, once per process

        return get_encoding(ENCODING)


def count_tokens(text: str) -> int:
    """The number of o200k tokens in `text`, of any length."""
    encode = _encoding().encode_ordinary
    return sum(len(encode(text[at : at + _PIECE_CHARS])) for at in range(0, len(text), _PIECE_CHARS))

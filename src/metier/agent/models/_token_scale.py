"""How an endpoint counts tokens, against the count here: learned from the usage that it reports."""

from typing import Final

_MIN_TOKENS: Final = 100
# Beyond these, the endpoint counted something else: a repeated request, an image, only what was not cached.
_MIN_RATIO: Final = 0.5
_MAX_RATIO: Final = 1.6
_WEIGHT_OF_NEW: Final = 0.3


class TokenScale:
    """Ratio of an endpoint's tokens to those counted here, by the name of the model; 1 until it is known.

    Prompts are counted with one encoding, and every family of models has its own: o200k counts 4 % more than Qwen's.
    """

    def __init__(self) -> None:
        self._ratios: dict[str, float] = {}

    def __getitem__(self, name: str) -> float:
        return self._ratios.get(name, 1.0)

    def learn(self, name: str, counted_tokens: int, reported_tokens: int) -> None:
        """Take in what an endpoint reported for a prompt that was counted here."""
        if counted_tokens < _MIN_TOKENS or not _MIN_RATIO <= reported_tokens / counted_tokens <= _MAX_RATIO:
            return
        ratio = reported_tokens / counted_tokens
        known = self._ratios.get(name)
        self._ratios[name] = ratio if known is None else known + _WEIGHT_OF_NEW * (ratio - known)

    def scale(self, name: str, counted_tokens: int) -> int:
        """Tokens that the endpoint will count."""
        return round(counted_tokens * self[name])

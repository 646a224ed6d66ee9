"""How an endpoint counts tokens, against the count here: learned from the usage that it reports."""

from typing import Final, TypeAlias

TokenKey: TypeAlias = tuple[str, str]
_MIN_TOKENS: Final = 100
# Beyond these, the endpoint counted something else: a repeated request, an image, only what was not cached.
_MIN_RATIO: Final = 0.5
_MAX_RATIO: Final = 1.6
_WEIGHT_OF_NEW: Final = 0.3


class TokenScale:
    """Ratio of an endpoint's tokens to those counted here, by model and stage; 1 until it is known.

    Families whose encoding is not at hand are counted with another one. The stages differ as well: against o200k, Qwen
    counts 4 % less for a menu of skills and 7 % more for a report, as each digit is a token of its own.
    """

    def __init__(self) -> None:
        self._ratios: dict[TokenKey, float] = {}

    def __getitem__(self, name: TokenKey) -> float:
        return self._ratios.get(name, 1.0)

    def knows(self, name: TokenKey) -> bool:
        """Whether an endpoint has reported usage for this stage."""
        return name in self._ratios

    def learn(self, name: TokenKey, counted_tokens: int, reported_tokens: int) -> None:
        """Take in what an endpoint reported for a prompt that was counted here."""
        if counted_tokens < _MIN_TOKENS or not _MIN_RATIO <= reported_tokens / counted_tokens <= _MAX_RATIO:
            return
        ratio = reported_tokens / counted_tokens
        known = self._ratios.get(name)
        self._ratios[name] = ratio if known is None else known + _WEIGHT_OF_NEW * (ratio - known)

    def scale(self, name: TokenKey, counted_tokens: int) -> int:
        """Tokens that the endpoint will count."""
        return round(counted_tokens * self[name])

"""Tokens as endpoints report them: counts that cannot be are left out, running totals become what each chunk adds."""

from typing import Final

from langchain_core.messages.ai import UsageMetadata, subtract_usage
from langchain_core.outputs import ChatGenerationChunk

_MAX_TOKENS: Final = 10**9  # of one call; no window is nearly as large


def check_usage(usage: UsageMetadata | None) -> UsageMetadata | None:
    """The usage of one reply; None if it is missing or impossible, so that tokens are estimated."""
    if usage is None:
        return None
    counts = (usage["input_tokens"], usage["output_tokens"])
    return usage if all(0 <= count <= _MAX_TOKENS for count in counts) else None


class UsageSoFar:
    """Usage of one stream. Some servers send the total so far with every chunk, and LangChain adds chunks up."""

    def __init__(self) -> None:
        self._total: UsageMetadata | None = None

    def to_added(self, chunk: ChatGenerationChunk) -> ChatGenerationChunk:
        """The chunk with the tokens that it adds to the chunks before."""
        usage = getattr(chunk.message, "usage_metadata", None)
        if usage is None:
            return chunk
        before, self._total = self._total, usage
        if before is None:
            return chunk
        added = chunk.message.model_copy(update={"usage_metadata": subtract_usage(usage, before)})
        return chunk.model_copy(update={"message": added})

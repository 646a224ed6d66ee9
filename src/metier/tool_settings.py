"""Settings of tools that run code."""

from pydantic import Field

from metier.server_settings import ServerSettings

__all__ = ["ToolSettings"]


class ToolSettings(ServerSettings):
    """Fields of `Settings` about the limits of tools that run code."""

    python_memory_max_bytes: int = Field(
        default=536_870_912,
        ge=134_217_728,
        description="How much memory one run of run_python may use, in bytes; 512 MiB hold a table of a million rows.",
    )
    python_max_s: float = Field(
        default=120.0,
        gt=0,
        le=580,
        description="How long one run of run_python may take, in seconds.",
    )

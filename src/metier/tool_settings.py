"""Settings of tools that run code or a browser."""

from pydantic import Field

from metier.server_settings import ServerSettings

__all__ = ["ToolSettings"]


class ToolSettings(ServerSettings):
    """Fields of `Settings` about the limits of tools that run code or a browser."""

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
    tests_memory_max_bytes: int = Field(
        default=1_073_741_824,
        ge=134_217_728,
        description="How much memory one run of run_tests may use with all its processes, in bytes.",
    )
    tests_max_s: int = Field(
        default=60,
        ge=1,
        le=300,
        description="How long one run of run_tests may take if the call names no time of its own, in seconds.",
    )
    browser: str = Field(
        default="",
        max_length=4096,
        description="Chrome or Chromium for browser_use: a path; empty: the one that is installed; 'off': none, pages "
        "are read without one.",
    )
    browser_timeout_s: float = Field(
        default=30.0,
        ge=5,
        le=300,
        description="How long one call of browser_use may take, in seconds; starting a browser may take as long.",
    )
    browser_idle_s: float = Field(
        default=40.0,
        ge=1,
        le=55,
        description="How long a conversation's browser stays open after its last use, in seconds.",
    )
    browser_memory_max_bytes: int = Field(
        default=1_610_612_736,
        ge=134_217_728,
        description="How much memory one browser may use with all its processes, in bytes; then it is closed.",
    )
    browsers_max: int = Field(
        default=4,
        ge=1,
        le=64,
        description="How many browsers run at once, one for each conversation; the one unused for longest makes room.",
    )

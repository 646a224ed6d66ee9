"""Settings of the server: where it listens, who may use it, and its limits."""

from typing import Literal

from pydantic import AliasChoices, Field, SecretStr

from metier.model_settings import ModelSettings, Names

__all__ = ["ServerSettings"]


class ServerSettings(ModelSettings):
    """Fields of `Settings` about the server."""

    host: str = Field(
        default="127.0.0.1",
        description="Where `metier serve` listens; anything but this machine itself needs METIER_API_KEYS.",
    )
    port: int = Field(
        default=8321,
        ge=0,
        le=65_535,
        description="The port of `metier serve`; 0 takes a free one.",
    )
    api_keys: dict[str, SecretStr] = Field(
        default_factory=dict,
        description="Who may use the server: a table of names and keys of at least 16 characters in metier.toml, or "
        "JSON in the variable; beside those of `metier keys`. A name sees its own conversations only. No key at all: "
        "anyone on this machine, without a key.",
    )
    roles: dict[str, str] = Field(
        default_factory=dict,
        description="Roles of the names in METIER_API_KEYS, beside 'user': 'approver', 'operator', joined with ','; a "
        "table or JSON. A name that is not here is a user; a single key has all roles.",
    )
    self_approval: Literal["auto", "on", "off"] = Field(
        default="auto",
        description="Whether the key that asked for a call may approve it. auto: only while there is at most one key; "
        "an MCP client may only if it is on.",
    )
    allowed_hosts: Names = Field(
        default=(),
        description="Names under which the server may be addressed beside localhost, joined with ','.",
    )
    premium_users: Names = Field(
        default=("*",),
        description="Users of the paid tier, joined with ','; * means everybody. Others may begin a skill with "
        "`pricing` as often as its `trial_messages` says.",
    )
    rate_limit: int = Field(
        default=1200,
        ge=0,
        description="How many requests one user may make in a minute; 0 means any number.",
    )
    body_max_bytes: int = Field(
        default=4_194_304,
        ge=1024,
        description="The largest body of a request that the server reads, in bytes.",
    )
    attachment_max_bytes: int = Field(
        default=10_485_760,
        ge=1024,
        description="The largest file that can be attached to a conversation, in bytes.",
    )
    connections_max: int = Field(
        default=4096,
        ge=1,
        description="How many connections the server holds at once, those of event streams included.",
    )
    streams_max: int = Field(
        default=100,
        ge=1,
        description="How many event streams one user may have open at once.",
    )
    conversation_streams_max: int = Field(
        default=50,
        ge=1,
        description="How many event streams of one conversation may be open at once, whoever reads them.",
    )
    dev_routes: bool = Field(
        default=False,
        validation_alias=AliasChoices("METIER_DEV_ROUTES", "AH32_ENABLE_DEV_ROUTES", "dev_routes"),
        description="Answer under /dev as well: queries over telemetry. AH32_ENABLE_DEV_ROUTES works too.",
    )
    faults: str = Field(
        default="",
        description="For tests of crashes only: where this process is to fail, as tool_done=kill. Needs "
        "METIER_DEV_ROUTES and an address of this machine.",
    )

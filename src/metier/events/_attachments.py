"""Data of the events of attached files."""

from pydantic import Field

from metier.events._model import EventData, Sender


class AttachmentAdded(EventData):
    """A user attached a file to the conversation: the next turn reads its text as the document."""

    path: str = Field(description="in the workspace")
    name: str = Field(description="for people")
    media_type: str = Field(description="told from the content")
    bytes: int
    text_chars: int = Field(description="how much text skills read from it")
    by: Sender | None = Field(None, description="who attached it")


class AttachmentRemoved(EventData):
    """A user removed an attached file."""

    path: str = Field(description="in the workspace")
    name: str = Field(description="for people")
    by: Sender | None = Field(None, description="who removed it")

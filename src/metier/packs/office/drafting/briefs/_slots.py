"""What a laid-out message says of the thing that is to be made, by slots."""

from dataclasses import dataclass, field

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._topics import list_topics

__all__ = ["LaidOut", "UnreadLine"]


class UnreadLine(Exception):  # no error of the program: the line is asked about
    """A line whose meaning is not known."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


@dataclass(slots=True)
class LaidOut:
    """What a message says, by slots; `clauses` are sentences that the rules read as they stand."""

    order: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)
    demands: list[str] = field(default_factory=list)  # clauses of fields and points: no talk
    texts: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    count: int | None = None
    width: int | None = None
    levels: int | None = None
    weeks: int | None = None
    is_bold: bool = False
    is_bold_title: bool = False
    formulas: list[str] = field(default_factory=list)
    said_parts: list[tuple[int, str]] = field(default_factory=list)
    parts: "list[LaidOut]" = field(default_factory=list)

    @property
    def written(self) -> tuple[str, ...]:
        """Names and texts that the plan must have."""
        cells = [cell for row in self.rows for cell in row]
        parts = [one for part in self.parts for one in part.columns]
        names = (*self.columns, *self.header, *self.items, *self.tasks, *self.lines, *cells, *parts)
        return (*names, *(text for slot, text in self.texts.items() if slot not in ("data", "topic", "place")))

    @property
    def kinds(self) -> set[str]:
        """Kinds of things that the order names."""
        said = "，".join([*self.order, *self.clauses, self.texts.get("kind", "")])
        mask = RequestText(said).mask
        quoted = [one.text for one in RequestText(said).quotes]
        return {
            topic.kind
            for topic in list_topics()
            if topic.pattern.search(mask) or any(topic.pattern.search(one) for one in quoted)
        }

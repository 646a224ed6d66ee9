"""Differences between a project as it was copied and as it is now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile

from metier.limits import diff_lines

ChangeKind = Literal["changed", "new", "deleted"]


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file before and after; None where it does not exist."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def kind(self) -> ChangeKind:
        if self.before is None:
            return "new"
        return "deleted" if self.after is None else "changed"

    def count_lines(self) -> tuple[int, int]:
        """How many lines were added and removed."""
        lines = list(self.iter_diff())
        added = sum(line.startswith("+") for line in lines[2:])
        return added, sum(line.startswith("-") for line in lines[2:])

    def iter_diff(self, context: int = 3) -> Iterator[str]:
        """The lines of a unified diff, with its two header lines; carriage returns are shown as they are."""
        old, new = _split(self.before), _split(self.after)
        before = "/dev/null" if self.before is None else f"a/{self.path}"
        after = "/dev/null" if self.after is None else f"b/{self.path}"
        yield from diff_lines(old, new, before, after, context=context)


def render_diff(changes: Iterable[ChangedFile], max_lines: int = 400) -> str:
    """Unified diff of some files; a long one is cut, and the last line says so."""
    lines = [line for one in changes for line in one.iter_diff()]
    cut = len(lines) - max_lines
    return "\n".join(lines[:max_lines] + ([f"… {cut} more lines"] if cut > 0 else []))


def pack_changes(changes: Sequence[ChangedFile]) -> bytes:
    """Zip file with the files as they are now and `changes.diff`, which also names those that were deleted."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        archive.writestr("changes.diff", "\n".join(line for one in changes for line in one.iter_diff()) + "\n")
        for one in changes:
            if one.after is not None:
                archive.writestr(one.path, one.after)
    return packed.getvalue()


def _split(content: bytes | None) -> list[str]:
    if not content:
        return []
    text = content.decode("utf-8", "replace")
    lines = text.removesuffix("\n").split("\n")
    return lines if text.endswith("\n") else [*lines, "\\ No newline at end of file"]

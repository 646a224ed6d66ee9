"""Expected problems of a tool as sentences in the user's language."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from metier.errors import MetierError
from metier.language import Language, Sentences
from metier.tools._calls import ToolError


class ExpectedProblem(Exception):
    """Expected problem of a room, with a code and its values; each room sets its own tables in a subclass."""

    sentences: ClassVar[Sentences] = Sentences({})
    hints: ClassVar[Sentences] = Sentences({})

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(self.sentences.render(code, "en", **values))
        self.code = code
        self.values = values

    def text(self, language: Language) -> str:
        """The sentence in this language."""
        return self.sentences.render(self.code, language, **self.values).strip()

    def hint(self, language: Language) -> str:
        """What to do about it; empty if there is nothing to say."""
        return self.hints.render(self.code, language, **self.values) if self.code in self.hints else ""

    def to_error(self, language: Language) -> ToolError:
        """Sentence and hint as the failure of a tool call."""
        return ToolError(self.text(language), code=self.code, hint=self.hint(language))


@contextmanager
def problems_in(language: Language) -> Iterator[None]:
    """Raise expected problems, errors of this program and unreadable files as `ToolError` in this language."""
    try:
        yield
    except ExpectedProblem as problem:
        raise problem.to_error(language) from problem
    except MetierError as error:
        said, advised = (getattr(error, name, None) for name in ("text", "hint_text"))
        message = str(said(language)) if callable(said) else error.message
        hint = str(advised(language)) if callable(advised) else error.hint
        raise ToolError(message, code=error.code, hint=hint) from error
    except OSError as error:
        raise ToolError(f"{error.strerror or error}", code="file_unavailable") from error

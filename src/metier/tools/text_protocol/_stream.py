"""A reply as it arrives: what may be shown now, what is reasoning, and what is held back as a possible call."""

from typing import Final, Literal

from metier.tools.text_protocol._marks import (
    MARKS,
    MARKS_AND_CALLS,
    MAX_MARK_CHARS,
    THOUGHT_END,
    find_partial_mark,
)
from metier.tools.text_protocol._problems import TextProblem, TextReply
from metier.tools.text_protocol._read import ReadingRules, invented_problem, read_calls

MAX_CHARS: Final = 1_000_000


class ReplyStream:
    """Reads a reply piece by piece; the result does not depend on how it was cut into pieces.

    Reasoning, invented results and what follows them are never shown. From the first possible call on, text is held
    back until `finish`. With `thinking` the reply begins inside its reasoning, as with models whose template has
    written `<think>` already.
    """

    def __init__(self, rules: ReadingRules, *, thinking: bool = False) -> None:
        self._rules = rules
        self._marks = MARKS_AND_CALLS if rules.tools else MARKS
        self._state: Literal["prose", "thought", "held", "over"] = "thought" if thinking else "prose"
        self._text = "\n"  # from the character before the text that was not read yet
        self._at = 1  # where that text begins
        self._shown: list[str] = []
        self._blank = ""  # white space before the first word
        self._untagged: list[str] | None = [] if thinking else None  # prose after all if no end of it comes
        self._reasoning: list[str] = []
        self._taken_reasoning = 0
        self._held: list[str] = []
        self._invented = False
        self._chars = 0
        self._cut = False

    def take_reasoning(self) -> str:
        """Reasoning that arrived since the last call of this method."""
        new = "".join(self._reasoning[self._taken_reasoning :])
        self._taken_reasoning = len(self._reasoning)
        return new

    def add(self, piece: str) -> str:
        """Add a piece; returns the text that may be shown now."""
        if self._chars + len(piece) > MAX_CHARS:
            piece, self._cut = piece[: MAX_CHARS - self._chars], True
        self._chars += len(piece)
        if self._state == "held":
            self._held.append(piece)
        if self._state in ("held", "over"):
            return ""
        self._text, self._at = self._text[self._at - 1 :] + piece, 1
        return self._read()

    def finish(self) -> TextReply:
        """End the reply: its prose, its calls, and in `rest` the prose that was not shown before."""
        rest = self._end_thought()
        if self._state == "prose":
            rest += self._take(len(self._text))
        if self._blank and not self._reasoning:
            rest = self._show(self._blank)
        held = read_calls("".join(self._held), self._rules, before="".join(self._shown))
        problem = held.problem or self._find_problem(held)
        reasoning = "".join(self._reasoning) + held.reasoning
        return TextReply(held.text, held.calls, problem, reasoning, rest + held.rest, self._cut)

    def _find_problem(self, reply: TextReply) -> TextProblem | None:
        if self._invented:
            return invented_problem()
        is_empty = not reply.text.strip() and not reply.calls
        return TextProblem("empty_reply") if is_empty else None

    def _end_thought(self) -> str:
        if self._state != "thought":
            return ""
        if self._untagged is None:
            self._reasoning.append(self._text[self._at :])
            return ""
        self._text, self._at = f"\n{''.join(self._untagged)}{self._text[self._at :]}", 1
        self._state, self._untagged = "prose", None
        return self._read()

    def _read(self) -> str:
        """Read from mark to mark, as far as it is certain what the text is."""
        out = []
        while self._state in ("prose", "thought"):
            if self._state == "thought":
                if not self._read_thought():
                    break
                continue
            mark = self._marks.search(self._text, self._at)
            if mark is None:
                out.append(self._take(find_partial_mark(self._text, self._at, calls=bool(self._rules.tools))))
                break
            out.append(self._take(mark.start()))
            self._pass_mark(str(mark.lastgroup), mark.end())
        return "".join(out)

    def _pass_mark(self, kind: str, end: int) -> None:
        if kind in ("tag", "object"):
            self._state = "held"
            self._held.append(self._text[self._at :])
        elif kind in ("result", "end"):
            self._state, self._invented = "over", kind == "result"
        elif kind == "thought":
            self._state = "thought"
        self._at = end

    def _read_thought(self) -> bool:
        ending = THOUGHT_END.search(self._text, self._at)
        kept = max(self._at, len(self._text) - MAX_MARK_CHARS)
        inside = self._reasoning if self._untagged is None else self._untagged
        inside.append(self._text[self._at : ending.start() if ending else kept])
        self._at = ending.end() if ending else kept
        if ending is None:
            return False
        self._reasoning += self._untagged or ()
        self._state, self._untagged = "prose", None
        return True

    def _take(self, until: int) -> str:
        """Show the text up to this position."""
        start, self._at = self._at, until
        return self._show(self._text[start:until])

    def _show(self, text: str) -> str:
        if not self._shown:
            text, self._blank = self._blank + text, ""
            if not text.strip():
                self._blank = text
                return ""
            text = text.lstrip() if self._reasoning else text
        self._shown.append(text)
        return text

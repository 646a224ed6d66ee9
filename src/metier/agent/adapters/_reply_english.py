"""Yes and no in English: phrases first, then the votes of single words; one unknown word is allowed beside a vote."""

import re
from typing import Final

from metier.agent.adapters._assent import Assent
from metier.patterns import compile_later


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(*lines: str) -> re.Pattern[str]:
    return compile_later("|".join(rf"\b(?:{line})\b" for line in lines))


_ASKS: Final = compile_later(
    r"\?|^(?:when|is|are|does|did)\b|^(?:ok(?:ay)?|yes|sure|fine|good),? later$"
    r"|\b(?:what(?! (?:happens|(?:i|we) (?:want|need|meant)))|why(?! not)|how|where|who|which)\b",
    re.I,
)
# Neither yes nor no: somebody asks for a moment, is not sure, or does not mean it.
_UNSURE: Final = compile_later(
    r"\b(?:wait|hold on|hang on|maybe|perhaps|hmm+|moment|sec(?:ond)?s?|minute|guess|sort of|kind of|still|but|thinking"
    r"|let me (?:see|check|look)|(?<!i )(?<!we )think|suppose|morning|afternoon|evening|want out|yeah,? right|as if"
    r"|grief|cool down|calm down|good luck|whatever|no worries|not no)\b|:-?[(/|]",
    re.I,
)
_POLITE_FORM: Final = compile_later(r"^(?:can|could|would|will) (?:you|we)(?: please| kindly| just)*\b|\bkindly\b")
_PHRASES: Final = (
    (
        _phrases(
            r"no problem|not a problem|why not|of course|by all means|no objections?|i (?:don't|do not) mind|for sure",
            r"sounds (?:good|great|fine|right|like a plan)|makes sense|suits me|i agree|that (?:would help|helps)",
            r"you bet|hit it|fire away|(?:i'm|we're|count (?:me|us)) in|bring it on|green light|it's a go|yes ?sir",
            r"(?:good|great|nice) (?:idea|plan|call|thinking)|make it happen|be my guest|with pleasure|mm-?hmm|uh-?huh",
            r"(?:have|give it) a (?:go|try|shot)",
            r"get (?:it |us )?(?:started|going|done)|let's see(?: it| what happens)?|(?:fine|ok|okay) (?:by|with) me",
            r"as you (?:wish|like|suggest|say)|^(?:i|we) (?:would|do|will)$|right away",
            r"(?:would|will) be (?:nice|great|good|lovely)",
        ),
        "yes",
    ),
    (
        _phrases(
            r"never ?mind|forget (?:it|that|about (?:it|that))|no need|(?:don't|do not) bother|rather not|hold off",
            r"(?:maybe )?(?:later|tomorrow|another time|next time)",
            r"some other (?:day|time)|put (?:it|that|this) off|postpone",
            r"(?:skip|leave|drop) (?:it|that|this)|save (?:it|that|this) for later",
            r"let (?:it|that) be|call it a day|that'll do",
            r"not (?:now|yet|today|this time|interested|necessary|needed|really|so fast|for me|keen|right now)",
            r"not at (?:the|this) moment|(?:i'll |i will |i'd |let me )?pass(?! (?:it|the))|(?:won't|not) be needed",
            r"(?:better|maybe|probably|perhaps) not|hard no|no way|negative|no can do|out of the question|by no means",
            r"stop (?:here|there|right there)|changed (?:my|our) mind|on second thoughts?",
            r"that(?: i|')s (?:enough|all|it)",
            r"enough|(?:i'm|i am|we're|we are) (?:done|all set|fine|good|okay|ok)|nothing (?:more|else)",
            r"let me think|(?:i'll|i will|i need to) think about it|hold your horses|(?:won't|not) be necessary",
        ),
        "no",
    ),
)
_SIGNS: Final = ((compile_later("[👍👌✅]+"), "yes"), (compile_later("[👎❌]+"), "no"))
_YES: Final = _words(
    """yes yep yeah yup yea y ok okay k sure absolutely definitely certainly agreed right correct affirmative aye fine
    great perfect good alright proceed approved excellent exactly indeed totally cool wonderful"""
)
_WEAK_YES: Final = _words("ok okay k alright fine right good great cool absolutely definitely certainly totally indeed")
_DO: Final = _words(
    """go ahead do run start begin continue try want need like love make let's lets let simulate execute perform carry
    launch proceed works keep going appreciate welcome happy glad"""
)
_NO: Final = _words(
    "no nope nah n not dont never nothing cancel stop decline reject refuse refrain skip abort quit"
)  # and what ends in n't
_FILL: Final = _words(
    """it that this the a an now then just so i we me us you to for with and would i'd we'd i'll can may could should
    thanks thank much very well really all up on be am is think say my your one of at in by oh hmm please any anything
    more rid get out that's that'd it'd here there today tonight tomorrow sorry some as
    boss mate man sir madam buddy dear friend guys pal folks dokey thing"""
)
_CONDITION: Final = _words("if unless only except after before when until first instead other another also")
_WORD: Final = compile_later(r"[a-z']+|[^\sa-z',.!;:~-]+")
_NAME: Final = compile_later(r"(?<=[\w,] )[A-Z]\w+")
_MAX_WORDS: Final = 6


def read_english(said: str, asked: str) -> Assent | None:
    """Whether the text says yes or no to the question that was asked."""
    if _ASKS.search(said):
        return None
    names = {word.casefold() for word in _NAME.findall(said)}
    said, votes = _take_phrases(_POLITE_FORM.sub(" ", said.casefold()))
    said, is_unsure = _UNSURE.subn(" ", said)
    words, known = _WORD.findall(said), {word[:5] for word in _WORD.findall(asked) if len(word) > 3}
    is_weak = all(word not in _YES or word in _WEAK_YES for word in words)
    is_clear = bool(votes) or not is_weak or any(_vote(word, known) == "no" for word in words)
    votes |= {_vote(word, known) for word in words} - {""}
    unknown = [word for word in words if not _is_known(word, known)]
    allowed = 1 if len(words) <= _MAX_WORDS and is_clear else 0  # "fine print" and "ok boomer" are no yes
    if len(unknown) > allowed or names & set(unknown) or any(_is_blocking(word) for word in words):
        return None
    if "no" in votes:
        return "no" if "yes" not in votes or is_weak else None
    return "yes" if votes and not is_unsure else None


def _take_phrases(said: str) -> tuple[str, set[str]]:
    """The text without phrases that vote, and their votes."""
    votes: set[str] = set()
    for pattern, vote in (*_PHRASES, *_SIGNS):
        said, hits = pattern.subn(" ", said)
        votes |= {vote} if hits else set()
    return said, votes


def _vote(word: str, known: set[str]) -> str:
    if word in _YES:
        return "yes"
    if word in _NO or word.endswith("n't"):
        return "no"
    return "do" if word in _DO or word[:5] in known else ""


def _is_known(word: str, known: set[str]) -> bool:
    return word in _FILL or _vote(word, known) != ""


def _is_blocking(word: str) -> bool:
    """Whether the word makes a condition of the answer, or is no word."""
    return word in _CONDITION or not word.isascii() or any(one.isdecimal() for one in word)

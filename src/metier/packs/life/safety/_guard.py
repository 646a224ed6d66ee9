"""Guard of the pack: crisis first, then what is never foretold, then the rules for minors."""

import asyncio
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from metier.clock import utc_now
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, join_sentences
from metier.pack import GuardedMessage, GuardReply, LoadProfile, PackContext
from metier.packs.life.birth import BirthInfo, check_form, is_field
from metier.packs.life.safety._age import ADULT_YEARS, CONSENT_YEARS, is_in_future, read_age
from metier.packs.life.safety._claims import (
    ClosedTopic,
    decline_minor,
    find_claim,
    find_closed_question,
    find_learned_question,
    is_about_reading,
    is_adult_claim,
    is_adult_topic,
)
from metier.packs.life.safety._crisis import (
    write_check_in,
    write_crisis_reply,
    write_open_ear,
    write_reply_after_crisis,
)
from metier.packs.life.safety._crisis_check import CrisisCheck, CrisisFinding
from metier.packs.life.safety._crisis_scores import SentenceEmbedder

BIRTH_INFO: Final = "birth_info"
GUARDIAN: Final = "guardian"
PAUSED: Final = "life_context.reminders.paused"
_CRISIS_IN: Final = "life_context.reminders.paused_in"
LIFE_SKILLS: Final = frozenset({"core", "bazi", "zodiac", "tarot", "career", "lifecoach", "life_terms"})
_READINGS: Final = LIFE_SKILLS - {"career", "lifecoach"}  # skills of cards and charts
# As long as this after a crisis reply, in its conversation, what no skill fits is not answered by a list of skills.
_AFTER_CRISIS: Final = timedelta(days=1)
_KEPT_SENTENCES: Final = 256
_ANY_WORDS: Final = "一切都好 all is well"
_CONSENT: Final = re.compile(
    r"我是(.{0,8})(?:监护人|爸爸|妈妈|父亲|母亲|家长)(.{0,16})(?:同意|允许)|(?:监护人|家长)(.{0,6})同意保存"
    r"|\bi(?:'m| am) (?:the|a|his|her|their|my child's) (?:legal )?(?:guardian|parent|mother|father)\b"
    r"(.{0,40})\b(?:agree|consent|allow)",
    re.IGNORECASE,
)
_FINE: Final = re.compile(
    r"我(?:现在)?(?:已经)?(?:没事|好了|还好|很好)|(?:只?是|在|做)(?:个|一个|一下)?测试|开玩笑|说着玩|误会"
    r"|\bi(?:'m| am) (?:fine|ok|okay|all right|alright|good)\b"
    r"|\b(?:just|only|was) (?:a )?(?:test|joke|testing|joking|kidding)\b",
    re.IGNORECASE,
)
_TEST: Final = re.compile(r"测试|\btest", re.IGNORECASE)
_AGE_FIELDS: Final = frozenset({"date", "calendar"})
_TEXTS: Final = Sentences(
    {
        "fine": (
            "Good to hear. We go on as usual; if it gets hard again, say so at any time. Reminders stay paused until "
            "you switch them on.",
            "好的，那就好。我们照常继续；什么时候觉得难受，随时可以说。提醒仍然停着，想恢复时告诉我。",
        ),
        "guardian": (
            "For somebody under 14 I store nothing without a guardian's yes, so nothing was kept. If a guardian is "
            "here, they can say: “I am the guardian and I agree”, and fill in the form again.",
            "未满 14 岁，没有监护人同意我什么都不保存，刚才填的没有留下。如果监护人在旁边，"
            "可以说“我是监护人，我同意保存”，再填一次。",
        ),
        "birth_field": (
            "“{name}” is no part of birth data, or its value cannot be; parts are date, time, place, calendar and sex.",
            "出生信息里没有“{name}”这一项，或者它的值不对；可以改的有日期、时间、地点、历法和性别。",
        ),
        "guardian_said": (
            "A guardian's consent is said in a conversation, not written here: “I am the guardian and I agree”. It is "
            "deleted with the profile.",
            "监护人的同意要在对话里说（“我是监护人，我同意保存”），不能在这里改写；删除档案时它会一并删除。",
        ),
        "agreed": (
            "Thank you. The guardian's consent is noted; say again what you would like to see.",
            "好的，监护人的同意已经记下。想看什么，请再说一次。",
        ),
    }
)


class LifeGuard:
    """Checks messages, data and texts of the life pack."""

    def __init__(self, clock: Callable[[], datetime] = utc_now, crisis: CrisisCheck | None = None) -> None:
        self._clock = clock
        self._crisis = crisis or CrisisCheck()
        # A text that is being written is checked anew with each piece.
        self._find_claim = lru_cache(_KEPT_SENTENCES)(self._find_new_claim)

    def describe(self) -> str:
        """By what the guard finds a crisis."""
        if self._crisis.embedder is None:
            by = "rules and words, without sentence vectors"
        elif self._crisis.tuned is None:
            by = "rules, words and sentence vectors, without the tuned encoder (it needs ONNX Runtime: metier[english])"
        else:
            by = "rules, words, sentence vectors and a tuned encoder"
        return f"crisis wording by {by}"

    def prepare(self) -> None:
        """Load rules, words, weights and the embedder, which the first message would wait for."""
        self._crisis.check(_ANY_WORDS)
        find_closed_question(_ANY_WORDS, in_reading=False)
        is_adult_topic(_ANY_WORDS, in_reading=False)

    async def check_message(self, message: GuardedMessage) -> GuardReply | None:
        """Crisis in any conversation; closed questions and rules for minors where cards or charts are the subject."""
        language, now = message.language, self._clock().isoformat(timespec="seconds")
        agrees = _CONSENT.search(message.text) is not None
        crisis = await self._find_crisis(message, agrees=agrees)
        if crisis.level == "stop":
            text = write_crisis_reply(language)
            return GuardReply(
                f"crisis:{crisis.rule}", text, "warm", {PAUSED: now, _CRISIS_IN: message.conversation}, ends_work=True
            )
        is_after = not message.skill and self._is_after_crisis(
            message, await message.load_profile([PAUSED, _CRISIS_IN])
        )
        if is_after and _FINE.search(message.text) and (crisis.level == "none" or _TEST.search(message.text)):
            return GuardReply("crisis_over", _TEXTS.render("fine", language), "warm", {_CRISIS_IN: None})
        asked = f"{write_check_in(language)}\n\n" if crisis.level == "ask" else ""
        if agrees:
            text = asked + _TEXTS.render("agreed", language)
            return GuardReply("guardian_agreed", text, keep={GUARDIAN: {"agreed": now}})
        in_reading = message.skill in LIFE_SKILLS
        closed = find_closed_question(message.text, in_reading=in_reading)
        if closed is None and (message.skill in _READINGS or is_about_reading(message.text)):
            closed = await asyncio.to_thread(find_learned_question, message.text, self._crisis.embedder)
        if closed is not None:
            return GuardReply(f"declined:{closed.id}", asked + closed.decline(language))
        is_adult = is_adult_topic(message.text, in_reading=in_reading)
        is_sarcastic = message.voice == "sarcastic"
        if (is_adult or is_sarcastic) and self._is_minor(await message.load_profile([BIRTH_INFO])):
            text = decline_minor(language) if is_adult else ""
            return GuardReply("minor", text, "warm")
        if crisis.level == "ask":
            opening, listen = write_check_in(language), write_open_ear(language)
            return GuardReply(f"check_in:{crisis.rule}", voice="warm", opening=opening, unmatched=listen)
        if is_after:
            return GuardReply("after_crisis", voice="warm", unmatched=write_reply_after_crisis(language))
        return None

    async def _find_crisis(self, message: GuardedMessage, *, agrees: bool) -> CrisisFinding:
        crisis = await asyncio.to_thread(self._crisis.check, message.text)
        if agrees and crisis.is_learned:
            crisis = await asyncio.to_thread(self._crisis.check, _drop_consent(message.text))
        if message.skill and message.skill not in LIFE_SKILLS and crisis.is_faint:
            return CrisisFinding("none")  # an office or a network is the subject: a faint doubt does not interrupt
        return crisis

    def _is_after_crisis(self, message: GuardedMessage, profile: JsonObject) -> bool:
        if profile.get(_CRISIS_IN) != message.conversation:
            return False
        try:
            since = datetime.fromisoformat(str(profile.get(PAUSED, "")))
        except ValueError:
            return False
        return self._clock() - since < _AFTER_CRISIS

    async def check_data(
        self, changes: Mapping[str, JsonValue], language: Language, load_profile: LoadProfile
    ) -> GuardReply | None:
        """Refuse to store anything of a person under 14 before a guardian has agreed."""
        given = _find_birth_info(changes)
        if given is None:
            return None
        if not given.keys() >= _AGE_FIELDS:  # the rest of the date is in the profile
            given = await _foresee_birth_info(changes, load_profile)
        age = read_age(given, self._clock().date())
        if age is None or age >= CONSENT_YEARS or is_in_future(given, self._clock().date()):
            return None  # the form says that a day in the future is none
        if (await load_profile([GUARDIAN])).get(GUARDIAN):
            return None
        return GuardReply("guardian_needed", _TEXTS.render("guardian", language))

    async def check_correction(
        self, changes: Mapping[str, JsonValue], language: Language, load_profile: LoadProfile
    ) -> GuardReply | None:
        """Refuse birth data that cannot be (1990-02-30) where no form asks; what is only missing may come later."""
        if any(path.partition(".")[0] == GUARDIAN for path in changes):
            return GuardReply("guardian_said", _TEXTS.render("guardian_said", language))
        if odd := _find_odd_field(changes):
            return GuardReply("birth_field", _TEXTS.render("birth_field", language, name=odd[:40]))
        if _find_birth_info(changes) is None:
            return None
        found = check_form(await _foresee_birth_info(changes, load_profile), self._clock())
        wrong = [] if isinstance(found, BirthInfo) else [one for one in found if not one.code.endswith("_missing")]
        text = join_sentences((text for one in wrong for text in (one.message(language), one.hint(language))), language)
        return GuardReply(wrong[0].code, text) if wrong else None

    def check_sentence(self, sentence: str, language: Language, skill: str, profile: JsonObject) -> str:
        """Sentence in place of one that foretells what is never foretold, or that is not for minors."""
        if skill and skill not in LIFE_SKILLS:
            return ""
        if self._is_minor(profile) and is_adult_claim(sentence):
            return decline_minor(language)
        claimed = self._find_claim(sentence, in_reading=bool(skill) or is_about_reading(sentence))
        return "" if claimed is None else claimed.decline(language)

    def _find_new_claim(self, sentence: str, *, in_reading: bool) -> ClosedTopic | None:
        return find_claim(sentence, self._crisis.embedder, in_reading=in_reading)

    def _is_minor(self, profile: JsonObject) -> bool:
        age = read_age(profile.get(BIRTH_INFO), self._clock().date())
        return age is not None and age < ADULT_YEARS


def build_guard(context: PackContext) -> LifeGuard:
    """Create the guard of the pack."""

    def load() -> SentenceEmbedder | None:
        from metier.routing import load_text_embedder

        return load_text_embedder(context.settings)

    return LifeGuard(crisis=CrisisCheck(load))


def _drop_consent(text: str) -> str:
    """The message without the words of consent, which were asked for; what stands between them stays."""
    return _CONSENT.sub(lambda match: " ".join(one for one in match.groups() if one), text)


def _find_odd_field(changes: Mapping[str, JsonValue]) -> str:
    """Name of the first unknown or mistyped field of corrected birth info; empty if all fields are valid."""
    whole = changes.get(BIRTH_INFO)
    if whole is not None and not isinstance(whole, Mapping):
        return BIRTH_INFO
    return next((name for name, value in (_find_birth_info(changes) or {}).items() if not is_field(name, value)), "")


def _find_birth_info(changes: Mapping[str, JsonValue]) -> JsonObject | None:
    """Birth info among the changes, stored whole, field by field or both; a field that is named counts last."""
    whole = changes.get(BIRTH_INFO)
    inside = {path.partition(".")[2]: value for path, value in changes.items() if path.startswith(f"{BIRTH_INFO}.")}
    return {**whole, **inside} if isinstance(whole, Mapping) else inside or None


async def _foresee_birth_info(changes: Mapping[str, JsonValue], load_profile: LoadProfile) -> JsonObject:
    """Birth info as it would be stored after all changes."""
    stored = None if BIRTH_INFO in changes else (await load_profile([BIRTH_INFO])).get(BIRTH_INFO)
    return {**(stored if isinstance(stored, Mapping) else {}), **(_find_birth_info(changes) or {})}

"""Guards of packs at the start of a turn: before routing, forms, protocols and quotas."""

from collections.abc import Mapping, Sequence
from functools import partial

from metier.agent.adapters import drops_all, read_reply
from metier.agent.turn import Resources, TurnState, abandon_open_work
from metier.errors import Refused
from metier.json_values import JsonObject, JsonValue, iter_texts
from metier.language import language_of, resolve_language
from metier.pack import GuardedMessage, GuardReply
from metier.store import Conversation, Pause, write_user_data


async def check_guards(
    resources: Resources, conversation: Conversation, text: str, voice: str | None = None
) -> GuardReply | None:
    """First decision of a guard about these words of the user; None if all let them pass."""
    message = GuardedMessage(
        text,
        resolve_language(resources.settings.language, text),
        partial(resources.store.profiles.get, conversation.user),
        conversation.skill or "",
        voice or conversation.voice_mode or resources.settings.voice_mode,
        conversation.id,
    )
    for guard in resources.guards:
        if (found := await guard.check_message(message)) is not None:
            return found
    return None


async def check_form_data(resources: Resources, pause: Pause, answer: JsonValue) -> None:
    """Raise `Refused` if a guard does not let the data in a form be stored, whose ever it is: the form stays open.

    Checked before the answer is stored, which would keep the data too.
    """
    given = answer if isinstance(answer, Mapping) else {}

    async def load(fields: Sequence[str]) -> JsonObject:
        user = (await resources.store.conversations.get(pause.conversation)).user
        return await resources.store.profiles.get(user, fields)

    changes = {path: value for path, value in given.items() if "." in path}
    language = language_of(str(pause.payload.get("text", "")))
    for guard in resources.guards if changes else ():
        if (refused := await guard.check_data(changes, language, load)) is not None:
            raise Refused(refused.text, hint=refused.code)


async def apply_guard(state: TurnState, reply: GuardReply) -> None:
    """End the turn with the guard's text."""
    if reply.ends_work:
        await abandon_open_work(state)
        if state.skill.active is not None:
            await state.switch_skill(None, None, "router")
    if reply.keep:
        save = partial(write_user_data, state.request.user, reply.keep)
        await state.resources.store.write_together(save)
    state.queue_reply(reply.text)


async def find_guarded_text(resources: Resources, place: Conversation, answer: JsonValue) -> tuple[str, str]:
    """Text in the answer to a form that a guard stops, to be answered in its place; and what a guard wants said first.

    The form stays open or is closed.
    """
    opening = ""
    for text in iter_texts(answer) if resources.guards else ():
        if (found := await check_guards(resources, place, text)) is None:
            continue
        if found.text:
            return text, ""
        opening = opening or choose_opening(found, text)
    return "", opening


def choose_opening(found: GuardReply, answer: str) -> str:
    """What a guard wants said before an answer is taken; a plain no to a question is an answer and no sign of worry."""
    return "" if read_reply(answer, "") is not None or drops_all(answer) else found.opening

"""Facts that a person changes or removes: what waits on the old value is put away."""

from collections.abc import Mapping
from dataclasses import replace

from metier.errors import ConversationBusy, InvalidInput
from metier.facts import Fact, clean_fact_text, make_fact
from metier.json_values import JsonObject, JsonValue
from metier.plans import is_fact_used, plan_from_json
from metier.store import Event, Principal, Store, Transaction


async def change_fact(store: Store, conversation: str, name: str, value: JsonValue, by: Principal) -> tuple[Event, ...]:
    """Give a fact another value: one of its options (or the label of one), otherwise one of the same type.

    Whoever changes a fact asks for what follows from it. A plan that waits and uses the fact is abandoned with its
    question, because its results belong to the old value. Returns the stored events.
    """
    known = (await store.facts.get(conversation, name)).fact
    made = make_fact(replace(known, value=_read_value(known, value), label="", source="user", step=""))
    if made.value == known.value:
        return ()
    async with store.transaction() as tx:
        await tx.facts.save(conversation, made, by=by)
        await _require_idle(tx, conversation)
        saved = await tx.events.append(conversation, "fact.saved", {**made.to_json(), "by": by.to_json()})
        return saved, *await _abandon_work(tx, conversation, name)


async def remove_fact(store: Store, conversation: str, name: str, by: Principal) -> tuple[Event, ...]:
    """Remove a fact, and abandon a plan that waits and uses it; returns the stored events."""
    known = (await store.facts.get(conversation, name)).fact
    told: JsonObject = {"name": known.name, "title": known.title, "by": by.to_json()}
    async with store.transaction() as tx:
        await tx.facts.remove(conversation, name)
        await _require_idle(tx, conversation)
        removed = await tx.events.append(conversation, "fact.removed", told)
        return removed, *await _abandon_work(tx, conversation, name)


async def _require_idle(tx: Transaction, conversation: str) -> None:
    newest = await tx.turns.list(conversation, limit=1)
    if newest and newest[0].state == "running":
        raise ConversationBusy(
            f"conversation {conversation!r} is busy with a turn", hint="change the fact when it has ended, or stop it"
        )


async def _abandon_work(tx: Transaction, conversation: str, name: str) -> list[Event]:
    """Abandon the plan that waits, and cancel its questions, if it uses the fact."""
    saved = await tx.plans.get_latest(conversation)
    if saved is None or saved.state != "running" or not _uses_fact(saved.plan, name):
        return []
    await tx.plans.save(conversation, saved.plan, "abandoned")
    events = []
    for pause in await tx.pauses.list_open(conversation):
        await tx.pauses.answer(pause.id, None, answer_key="cancelled")
        told: JsonObject = {"pause": pause.id, "cancelled": True}
        events.append(await tx.events.append(conversation, "pause.answered", told, turn=pause.turn))
    return events


def _uses_fact(saved: JsonObject, name: str) -> bool:
    run = saved.get("run")
    if not isinstance(run, Mapping):
        return False
    try:
        return is_fact_used(plan_from_json(run.get("plan")), name)
    except InvalidInput:  # of another version: nobody can go on with it
        return True


def _read_value(fact: Fact, value: JsonValue) -> JsonValue:
    if fact.options:
        said = clean_fact_text(value).casefold() if isinstance(value, str) else ""
        for one in fact.options:
            if one.value == value or (said and said in (one.label.casefold(), str(one.value).casefold())):
                return one.value
        labels = ", ".join(one.label for one in fact.options[:12])
        raise InvalidInput(f"{fact.title or fact.name} cannot be this", hint=f"one of: {labels}")
    kept = replace(fact, value=value)
    if kept.type != fact.type:
        message = f"{fact.title or fact.name} is of type {fact.type}, not {kept.type}"
        raise InvalidInput(message, hint=f"give a value of type {fact.type}")
    return value

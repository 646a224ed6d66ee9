"""What is known of a user: seen, corrected, exported and deleted by the user."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from metier.errors import Conflict, InvalidInput, Refused
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.pack import CorrectionGuard, PackGuard
from metier.store import Principal, Store, Transaction, write_user_data
from metier.user_data._corrections import check_corrections

_MAX_TRIES: Final = 3
_Seen: TypeAlias = Mapping[tuple[str, ...], JsonObject]


async def read_profile(store: Store, user: str) -> JsonObject:
    """Profile, data of each skill with its version, and the facts of all conversations of a user."""
    kept = await store.skill_data.list(user)
    facts: list[JsonValue] = []
    for conversation in await store.owned.list_conversations(user):
        facts += [{"conversation": conversation, **one.fact.to_json()} for one in await store.facts.list(conversation)]
    return {
        "user": user,
        "profile": await store.profiles.get(user),
        "skill_data": {one.skill: {"version": one.version, "data": one.data} for one in kept},
        "facts": facts,
    }


async def correct_profile(
    store: Store,
    user: str,
    changes: Mapping[str, JsonValue],
    *,
    by: Principal,
    guards: Sequence[PackGuard] = (),
    language: Language = "en",
) -> JsonObject:
    """Replace values by path (`birth_info.date`, `skill_data.career.interests`); None removes one.

    A value keeps its kind, a new one is plain, and a guard of a pack may refuse; then nothing is changed.
    """
    if not changes:
        raise InvalidInput("there is nothing to change", hint="name a path and its new value")
    for _ in range(_MAX_TRIES):
        seen = await _ask_guards(store, user, changes, guards, language)
        if await _write_correction(store, user, changes, by, seen):
            return await read_profile(store, user)
    raise Conflict("the profile is being changed by others", hint="read it again, and correct it then")


async def _ask_guards(
    store: Store, user: str, changes: Mapping[str, JsonValue], guards: Sequence[PackGuard], language: Language
) -> _Seen:
    """What the guards were shown; `Refused` if one refuses.

    Outside of a transaction: a slow guard would hold a connection, and on SQLite everybody's writing.
    """
    seen: dict[tuple[str, ...], JsonObject] = {}

    async def load(fields: Sequence[str]) -> JsonObject:
        """Read fields once: every guard of one try judges the same values."""
        if (key := tuple(fields)) not in seen:
            seen[key] = await store.profiles.get(user, fields)
        return seen[key]

    for guard in guards:
        refused = await guard.check_data(changes, language, load)
        if refused is None and isinstance(guard, CorrectionGuard):
            refused = await guard.check_correction(changes, language, load)
        if refused is not None:
            raise Refused(refused.text, hint=refused.code)
    return seen


async def _write_correction(
    store: Store, user: str, changes: Mapping[str, JsonValue], by: Principal, seen: _Seen
) -> bool:
    """Check and write; False, and nothing is written, if what the guards were shown is another by now."""
    async with store.transaction() as tx:
        await _hold_profile(tx, user, changes)
        kept = {one.skill: one.data for one in await tx.skill_data.list(user)}
        check_corrections(changes, await tx.profiles.get(user), kept)
        for fields, value in seen.items():
            if await tx.profiles.get(user, fields) != value:
                return False
        await write_user_data(user, changes, tx)
        await tx.audit.append(by, "profile.corrected", user, {"paths": sorted(changes)})
    return True


async def _hold_profile(tx: Transaction, user: str, changes: Mapping[str, JsonValue]) -> None:
    """Keep others from writing what is checked here until it is written: a row that is changed is locked."""
    await tx.profiles.merge(user, {})
    named = {path.split(".")[1] for path in changes if path.startswith("skill_data.")}
    for one in await tx.skill_data.list(user):
        if one.skill in named:
            await tx.skill_data.merge(user, one.skill, {})


async def delete_profile(store: Store, user: str, by: Principal) -> None:
    """Delete profile, skill data, reminders, the user's words and facts; conversations stay."""
    async with store.transaction() as tx:
        await tx.owned.delete_profile(user)
        await tx.audit.append(by, "profile.deleted", user)
    await store.truncate_log()

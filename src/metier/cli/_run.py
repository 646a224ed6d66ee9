"""`metier run`: run one turn and print the answer, or every event as a line of JSON."""

import asyncio
import shlex
from collections.abc import AsyncIterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.background import run_async
from metier.cli._library import SKILLS_OPTION
from metier.cli.terminal import (
    LoadingStatus,
    Screen,
    add_folder,
    attach_documents,
    check_documents,
    choose_language,
    is_terminal,
    print_event,
    print_note,
    print_question,
    read_answer,
    say,
    say_in,
    suggest_answer,
    take_written_documents,
)
from metier.errors import PathNotFound, UsageError
from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.workspaces import workspace_folder

if TYPE_CHECKING:
    from metier.agent import Runtime
    from metier.language import Language
    from metier.model_settings import SkillChooser
    from metier.pack import Pack
    from metier.settings import Settings
    from metier.store import Event, Principal

MODEL_OPTION = typer.Option(
    None, "--model", "-m", help="A configured name, provider:name, or 'builtin'; default: the settings'."
)
PACK_OPTION = typer.Option(
    None, "--pack", "-p", metavar="ID", help="Work with this pack (repeat); default: the settings'."
)
ALL_PACKS_OPTION = typer.Option(
    None, "--pack", "-p", metavar="ID", help="Work with this pack (repeat); default: the settings', else all."
)
DEFAULT_USER = "local"
TERMINAL_KEY = "terminal"
REASONING_OPTION = typer.Option(False, "--reasoning", help="Also print what the model thought, apart from the answer.")
FOLDER_OPTION = typer.Option(
    None, "--folder", metavar="DIR", help="Work on a copy of this project; written back only after approval."
)
USER_OPTION = typer.Option(DEFAULT_USER, "--user", "-u", help="Whose conversation it is.")


class SkillChooserOption(StrEnum):
    """Who chooses the skill, as values of an option."""

    router = "router"
    model = "model"
    both = "both"


def run_command(
    message: str | None = typer.Argument(None, help="What you want; '-' reads it from standard input."),
    skill: list[str] | None = typer.Option(None, "--skill", "-s", help="Answer with this skill (repeat: together)."),
    skills: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    conversation: str | None = typer.Option(None, "--conversation", "-c", help="Go on with this conversation."),
    answer: tuple[str, str] | None = typer.Option(
        None, "--answer", "-a", metavar="PAUSE ANSWER", help="Answer an open question, in words or JSON."
    ),
    model: str | None = MODEL_OPTION,
    skill_choice: SkillChooserOption | None = typer.Option(
        None, "--skill-choice", help="Who chooses the skill; default: the settings'."
    ),
    user: str = USER_OPTION,
    as_json: bool = typer.Option(False, "--json", help="Print every event as one line of JSON."),
    reasoning: bool = REASONING_OPTION,
    documents: list[Path] | None = typer.Option(
        None,
        "--document",
        "--file",
        "-f",
        metavar="FILE",
        help="Attach this file (repeat); its changes are written beside it, new files are kept with the conversation.",
    ),
    in_place: bool = typer.Option(
        False, "--in-place", help="Write results into the attached files themselves; a backup is kept."
    ),
    folder: Path | None = FOLDER_OPTION,
) -> None:
    """Run one turn. The skill is found, its steps run, and questions are asked when somebody is there to answer."""
    if (message is None) == (answer is None):
        raise UsageError("give a message, or --answer PAUSE ANSWER", hint='for example: metier run "退货"')
    settings = load_run_settings(skills, model)
    check_documents(documents or (), settings)
    chosen = load_chosen_packs(settings, packs)
    chooser: SkillChooser | None = None if skill_choice is None else skill_choice.value
    asked = _TurnInput(message, answer, skill or [], conversation, user, chooser)
    asked.documents, asked.in_place, asked.folder = tuple(documents or ()), in_place, folder
    options = repeat_options(skills, packs, model, user)
    with LoadingStatus(choose_language(settings.language, message or "")) as loading:
        screen = None if as_json else Screen(skill_tool=settings.skill_tool, show_reasoning=reasoning)
        failed = run_async(_run_turn(settings, asked, chosen, options, loading, screen))
    raise typer.Exit(1 if failed else 0)


def load_run_settings(skills: list[Path] | None, model: str | None) -> "Settings":
    """Load the settings with the command line's skills folders and model on top."""
    from metier.settings import load_settings

    for folder in skills or ():
        if not folder.is_dir():
            raise PathNotFound(f"no folder {str(folder)!r}", hint="check the path of the skills folder")
    given: dict[str, object] = {"skills_dir": tuple(skills)} if skills else {}
    return load_settings(given | ({"model": model} if model else {}))


def load_chosen_packs(
    settings: "Settings", names: list[str] | None, *, all_by_default: bool = False
) -> "tuple[Pack, ...]":
    """Load the packs to use; print a note for each one that is broken."""
    from metier.pack import select_packs

    packs = select_packs(settings, names or (), all_by_default=all_by_default)
    for problem in packs.problems:
        print_note(say("pack_problem", pack=problem.pack, message=problem.message))
    return packs.found


def repeat_options(skills: list[Path] | None, packs: list[str] | None, model: str | None, user: str) -> str:
    """Options that the next command of the same conversation needs too, ready to paste; ends with a space."""
    given = [("--skills", str(folder)) for folder in skills or ()]
    given += [("--pack", name) for name in packs or ()]
    given += [("--model", model)] if model else []
    given += [("--user", user)] if user != DEFAULT_USER else []
    return "".join(f"{option} {shlex.quote(value)} " for option, value in given)


class _TurnInput:
    """The message or answer of the command line, as input of a turn."""

    def __init__(
        self,
        message: str | None,
        answer: tuple[str, str] | None,
        skills: list[str],
        conversation: str | None,
        user: str,
        skill_choice: "SkillChooser | None" = None,
    ) -> None:
        self._skill_choice = skill_choice
        self._message = message
        self._answer = answer
        self._skills = skills
        self._conversation = conversation
        self.user = user
        self.text = ""
        self.documents: tuple[Path, ...] = ()
        self.in_place = False
        self.folder: Path | None = None

    @property
    def answer_text(self) -> str:
        """The words of an answer; empty for a message."""
        return "" if self._answer is None else self._answer[1]

    async def attach_documents(self, runtime: "Runtime", settings: "Settings") -> None:
        """Attach the files and the folder of the command line; without a conversation a new one is made for them."""
        if not (self.documents or self.folder) or self._answer is not None:
            return
        store = runtime.store
        title = (self._message or "").strip().partition("\n")[0][:80]
        self._conversation, workspace = await open_workspace(
            runtime, settings, self._conversation or "", self.user, title
        )
        if self.folder is not None:
            language = choose_language(settings.language, self._message or "")
            print_note(await asyncio.to_thread(add_folder, workspace, self.folder, settings, language))
        by = terminal_user(self.user).to_json()
        made = await asyncio.to_thread(attach_documents, workspace, self.documents, settings, in_place=self.in_place)
        for one in made:
            await store.events.append(self._conversation, "attachment.added", {**one.to_json(), "by": by})

    def stream_events(self, runtime: "Runtime") -> "AsyncIterator[Event]":
        from metier.agent import TurnRequest

        if self._answer is not None:
            pause, text = self._answer
            return runtime.answer(pause, _read_typed(text), user=self.user, by=terminal_user(self.user))
        self.text = typer.get_text_stream("stdin").read() if self._message == "-" else self._message or ""
        by = terminal_user(self.user)
        return runtime.turn(
            TurnRequest(
                self.text,
                conversation=self._conversation,
                skill=self._skills[0] if self._skills else None,
                skills=tuple(self._skills[1:]),
                user=self.user,
                by=by,
                skill_choice=self._skill_choice,
            )
        )


async def open_workspace(
    runtime: "Runtime", settings: "Settings", conversation: str, user: str, title: str
) -> tuple[str, Path]:
    """A conversation and the folder of its files; a new one if none is named."""
    conversations = runtime.store.conversations
    found = await (conversations.get(conversation) if conversation else conversations.create(user, title=title))
    return found.id, workspace_folder(settings.storage_dir, found.id)


def terminal_user(user: str) -> "Principal":
    """The user at this terminal, who has every role: whoever runs commands can read the database anyway."""
    from metier.store import Principal

    return Principal(user, TERMINAL_KEY)


def parse_answer(text: str) -> JsonValue:
    """Parse a typed answer: JSON if possible, otherwise plain text."""
    try:
        return load_json(text)
    except JsonInvalid:
        return text


def _read_typed(text: str) -> JsonValue:
    """A typed answer; a number stays words, which the question reads: the place of a choice, a value or a name."""
    answer = parse_answer(text)
    return text if isinstance(answer, int | float) and not isinstance(answer, bool) else answer


async def _run_turn(
    settings: "Settings",
    asked: _TurnInput,
    packs: "tuple[Pack, ...]",
    options: str,
    loading: LoadingStatus,
    screen: Screen | None,
) -> bool:
    """Run the turn on the screen; without one, print its events as lines of JSON. True if it failed."""
    from metier.agent import Runtime
    from metier.telemetry import open_telemetry

    async with (
        open_telemetry(settings) as telemetry,
        Runtime.open(settings, packs=packs, observers=telemetry.observers, recover_turns="mark") as runtime,
    ):
        await asked.attach_documents(runtime, settings)
        events = loading.until_output(asked.stream_events(runtime))
        if screen is None:
            failed = False
            talk = ""
            async for event in events:
                loading.stop()
                print_event(event)
                talk = event.conversation
                failed = failed or event.kind == "turn.failed"
            print_written_documents(settings, talk)
            return failed
        await screen.follow(events)
        while screen.pause is not None and is_terminal():
            await answer_in_terminal(runtime, screen, asked.user)
        print_written_documents(settings, screen.conversation, screen.files)
        words = asked.text or str((screen.pause or {}).get("text", "")) or asked.answer_text
        _print_next_steps(screen, options, choose_language(settings.language, words))
        if asked.text and not screen.skill and screen.pause is None and not screen.failed:
            command = f"metier run {{pack}}{options}{shlex.quote(asked.text)}"
            print_fitting_packs(asked.text, packs, runtime, settings, command)
        return screen.failed


def print_written_documents(settings: "Settings", conversation: str, files: Sequence[str] = ()) -> None:
    """Copy what was written to attached files of this machine beside them, and print their paths.

    Without attached files the paths of `files`, which the turn made, are printed where the conversation keeps them.
    """
    if not conversation:
        return
    workspace = workspace_folder(settings.storage_dir, conversation)
    written = take_written_documents(workspace)
    for one in written:
        print_note(say("backup", file=one.file, backup=one.backup) if one.backup else f"→ {one.file}")
    for path in dict.fromkeys(files) if not written else ():
        print_note(f"→ {workspace / path}")


def print_fitting_packs(
    message: str, packs: "tuple[Pack, ...]", runtime: "Runtime", settings: "Settings", command: str
) -> None:
    """Print which installed packs would have done what no skill did, and the command to use one."""
    from metier.cli._packs import suggest_packs

    language = choose_language(settings.language, message)
    for line in suggest_packs(message, packs, language, command, list_all=not len(runtime.catalog())):
        print_note(line)


async def answer_in_terminal(runtime: "Runtime", screen: Screen, user: str) -> None:
    """Ask the open question on the terminal and continue this user's turn."""
    from metier.agent import TurnRequest
    from metier.errors import ApprovalChanged, InvalidInput, SelfApproval

    pause = screen.pause or {}
    shown = str(pause.get("shown") or "")
    print_question(pause, screen.write_block)
    fits, value = await asyncio.to_thread(read_answer, pause, input)
    try:
        if fits:
            answered = runtime.answer(str(pause["pause"]), value, user=user, by=terminal_user(user), shown=shown)
            await screen.follow(answered)
        else:
            by = terminal_user(user)
            reply = TurnRequest(str(value), conversation=screen.conversation, user=user, by=by, shown=shown)
            await screen.follow(runtime.turn(reply))
            screen.pause = screen.pause or await _find_if_open(runtime, pause)
    except InvalidInput as error:
        screen.write_note(f"! {error.message}" + (f" ({error.hint})" if error.hint else ""))
        screen.pause = pause
    except ApprovalChanged:  # asked again, about what it is now
        screen.write_note(f"! {say('approval_changed')}")
        screen.pause = await _find_if_open(runtime, pause)
    except SelfApproval as error:  # the question stays open for somebody else
        screen.write_note(f"! {error.message}: metier approvals approve {pause['pause']} ({error.hint})")
        screen.pause = None


async def _find_if_open(runtime: "Runtime", pause: Mapping[str, JsonValue]) -> Mapping[str, JsonValue] | None:
    from metier.agent import digest_question

    kept = await runtime.store.pauses.get(str(pause["pause"]))
    if kept.answered_at is not None:
        return None
    rows, is_in_doubt = kept.payload.get("chosen_rows"), kept.payload.get("in_doubt")
    return {**pause, "chosen_rows": rows, "in_doubt": is_in_doubt, "shown": digest_question(kept.payload)}


def _print_next_steps(screen: Screen, options: str, language: "Language") -> None:
    pause = screen.pause
    if pause is not None:
        print_question(pause, screen.write_block)
        answer, note = suggest_answer(pause, language)
        command = f"metier run {options}--answer {pause['pause']} {shlex.quote(answer)}"
        print_note(say_in(language, "answer_with", command=command))
        if note:
            print_note(note)
    if screen.conversation:
        print_note(say_in(language, "conversation", id=screen.conversation))

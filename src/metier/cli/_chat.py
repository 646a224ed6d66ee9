"""`metier chat`: a conversation in the terminal."""

import asyncio
import re
import signal
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.background import run_async
from metier.cli._library import SKILLS_OPTION
from metier.cli._run import (
    ALL_PACKS_OPTION,
    FOLDER_OPTION,
    MODEL_OPTION,
    REASONING_OPTION,
    USER_OPTION,
    answer_in_terminal,
    load_chosen_packs,
    load_run_settings,
    open_workspace,
    parse_answer,
    print_fitting_packs,
    repeat_options,
    terminal_user,
)
from metier.cli.terminal import (
    LoadingStatus,
    Screen,
    add_folder,
    choose_language,
    escape_control_chars,
    print_note,
    say,
)
from metier.errors import MetierError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from rich.console import Console

    from metier.agent import Runtime
    from metier.pack import Pack
    from metier.settings import Settings

_FACTS_COMMAND = re.compile(r"/facts?(?:\s+(?P<name>\w+)\s*[=＝]\s*(?P<value>.*))?\s*")
_EXIT_WORDS = frozenset({"/bye", "/quit", "/q", "再见", "bye"})


def chat_command(
    skills: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = ALL_PACKS_OPTION,
    conversation: str | None = typer.Option(None, "--conversation", "-c", help="Go on with this conversation."),
    model: str | None = MODEL_OPTION,
    user: str = USER_OPTION,
    reasoning: bool = REASONING_OPTION,
    folder: Path | None = FOLDER_OPTION,
) -> None:
    """Talk in the terminal.

    `/` lists the skills, `/name …` uses one, 退出 or `/exit` leaves it, Ctrl-C stops a turn, `/bye` or Ctrl-D ends.
    `/facts` lists what was settled, `/facts NAME = VALUE` changes it, `/facts NAME =` removes it.
    """
    settings = load_run_settings(skills, model)
    chosen = load_chosen_packs(settings, packs, all_by_default=True)  # as the page has them
    with LoadingStatus(choose_language(settings.language, "")) as loading:
        options = repeat_options(skills, packs, model, user)
        talk = run_async(
            _run_chat(settings, chosen, conversation, user, options, loading, folder, show_reasoning=reasoning)
        )
    if talk:
        typer.echo(say("goes_on", options=options, talk=talk))


async def _run_chat(
    settings: "Settings",
    packs: "tuple[Pack, ...]",
    conversation: str | None,
    user: str,
    options: str,
    loading: LoadingStatus,
    folder: Path | None,
    *,
    show_reasoning: bool,
) -> str:
    from rich.console import Console

    from metier.agent import Runtime
    from metier.telemetry import open_telemetry

    console = Console(highlight=False)
    async with (
        open_telemetry(settings) as telemetry,
        Runtime.open(settings, packs=packs, observers=telemetry.observers, recover_turns="mark", watch=True) as runtime,
    ):
        loading.stop()
        if folder is not None:
            conversation, workspace = await open_workspace(runtime, settings, conversation or "", user, folder.name)
            language = choose_language(settings.language, "")
            print_note(await asyncio.to_thread(add_folder, workspace, folder, settings, language))
        count = len(runtime.catalog())
        console.print(say("chat_head", count=count, model=settings.model))

        def suggest(message: str, talk: str) -> None:
            command = f"metier chat {{pack}}{options}{f'-c {talk}' if talk else ''}"
            print_fitting_packs(message, packs, runtime, settings, command)

        async with _prepare_in_background(runtime):
            chat = Chat(
                runtime,
                console,
                conversation or "",
                user,
                settings.skill_tool,
                suggest_packs=suggest,
                show_reasoning=show_reasoning,
            )
            return await chat.run()


@asynccontextmanager
async def _prepare_in_background(runtime: "Runtime") -> "AsyncIterator[None]":
    """Load what the first turn needs while the user is typing; a turn that comes earlier loads it itself."""
    task = asyncio.create_task(runtime.prepare())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


class Chat:
    """Terminal chat loop: reads a line, runs and shows a turn, asks open questions."""

    def __init__(
        self,
        runtime: "Runtime",
        console: "Console",
        conversation: str,
        user: str,
        skill_tool: str,
        *,
        suggest_packs: "Callable[[str, str], None]" = lambda _message, _conversation: None,
        show_reasoning: bool = False,
    ) -> None:
        self._runtime = runtime
        self._suggest_packs = suggest_packs
        self._console = console
        self._user = user
        self._stopping: asyncio.Future[bool] | None = None
        self._screen = Screen(
            write_text=self._write_text,
            write_block=self._write_block,
            write_note=self._write_note,
            conversation=conversation,
            skill_tool=skill_tool,
            show_reasoning=show_reasoning,
        )

    async def run(self) -> str:
        """Read lines and run turns until the user leaves; returns the conversation, empty if there is none."""
        while (line := await self._read_line()) is not None:
            if command := _FACTS_COMMAND.fullmatch(line):
                await self._run_facts_command(command)
            elif line:
                await self._run_turn(line)
        return self._screen.conversation

    async def _run_turn(self, line: str) -> None:
        from metier.agent import TurnRequest

        asked = TurnRequest(
            line, conversation=self._screen.conversation or None, user=self._user, by=terminal_user(self._user)
        )
        try:
            with self._stop_on_interrupt():
                await self._screen.follow(self._runtime.turn(asked))
            while self._screen.pause is not None:
                await answer_in_terminal(self._runtime, self._screen, self._user)
            if not self._screen.skill:
                self._suggest_packs(line, self._screen.conversation)
        except MetierError as error:
            self._write_note(f"! {error.message}" + (f" ({error.hint})" if error.hint else ""))
        except EOFError:  # the question stays open and can be answered later
            self._console.print()

    async def _run_facts_command(self, command: "re.Match[str]") -> None:
        """Change or remove the named fact, then list the facts."""
        from metier.agent import change_fact, remove_fact

        conversation, store = self._screen.conversation, self._runtime.store
        if not conversation:
            self._write_note(say("no_facts"))
            return
        name, value = command["name"], command["value"]
        try:
            if name and value:
                await change_fact(store, conversation, name, parse_answer(value), terminal_user(self._user))
            elif name:
                await remove_fact(store, conversation, name, terminal_user(self._user))
        except MetierError as error:
            self._write_note(f"! {error.message}" + (f" ({error.hint})" if error.hint else ""))
        for one in await store.facts.list(conversation):
            self._write_note(f"  {one.fact.name}: {one.fact.title} = {one.fact.label} ({one.fact.source})")

    @contextmanager
    def _stop_on_interrupt(self) -> "Iterator[None]":
        """While a turn runs, Ctrl-C stops the turn and not the program."""
        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError, RuntimeError):  # not supported on every system, and only in the main thread
            loop.add_signal_handler(signal.SIGINT, self.stop)
        try:
            yield
        finally:
            with suppress(NotImplementedError, RuntimeError):
                loop.remove_signal_handler(signal.SIGINT)

    def stop(self) -> None:
        """Stop the running turn; its output so far is kept."""
        self._stopping = asyncio.ensure_future(self._runtime.stop(self._screen.conversation))

    async def _read_line(self) -> str | None:
        try:
            line = (
                await asyncio.to_thread(self._console.input, f"[bold cyan]{await self._render_badge()}› [/]")
            ).strip()
        except EOFError:
            return None
        return None if line.casefold() in _EXIT_WORDS else line

    async def _render_badge(self) -> str:
        """Title of the skill in use, shown in the prompt."""
        from rich.markup import escape

        if not self._screen.conversation:
            return ""
        talk = await self._runtime.store.conversations.get(self._screen.conversation)
        skill = self._runtime.catalog().get(talk.skill) if talk.skill else None
        return f"{escape(escape_control_chars(skill.title))} " if skill else ""

    def _write_text(self, text: str) -> None:
        self._console.out(escape_control_chars(text), end="")

    def _write_block(self, text: str) -> None:
        from rich.markdown import Markdown

        self._console.print(Markdown(escape_control_chars(text)))

    def _write_note(self, text: str) -> None:
        self._console.out(escape_control_chars(text), style="dim")

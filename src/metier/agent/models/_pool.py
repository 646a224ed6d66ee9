"""Models by name, loaded when first needed, and the choice among them for one model call."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent.adapters import Price
from metier.agent.models._builtin import BuiltinModel
from metier.agent.models._entries import ModelEntry, entries_from_settings
from metier.agent.models._load import ModelConfig, load_model, supervise_model
from metier.agent.models._token_scale import TokenScale
from metier.agent.models._tool_modes import AskedToolModel
from metier.agent.models._wrapping import iter_wrapped, model_name
from metier.agent.models.decoding import CapabilityStore
from metier.errors import InvalidSettings, ModelNotFound
from metier.model_settings import StageName
from metier.names import suggest
from metier.settings import Settings, read_variable

ModelChooser = Literal["request", "conversation", "skill", "stage", "default"]
GIVEN: Final = "given"
_MAX_ASKING_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class ModelWishes:
    """Names of models that a turn asks for; None where nobody asked."""

    request: str | None = None
    conversation: str | None = None
    skill: str | None = None


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Model of one call, and who chose it. `unknown` is a name that was asked for and is not configured."""

    name: str
    chosen_by: ModelChooser
    unknown: str | None = None


class ModelPool:
    """Configured models by name. Only these may be chosen; each is loaded when it is first used."""

    def __init__(
        self,
        entries: Iterable[ModelEntry],
        default: str,
        stages: Mapping[StageName, str] | None = None,
        *,
        load: Callable[[ModelEntry], BaseChatModel] | None = None,
        capabilities: CapabilityStore | None = None,
    ) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self.capabilities = capabilities or CapabilityStore()
        self.token_scale = TokenScale()
        self._load = load or partial(load_entry, capabilities=self.capabilities)
        self._loaded: dict[str, BaseChatModel] = {}
        self._lock = asyncio.Lock()
        self.default = default
        self.stages: Mapping[StageName, str] = dict(stages or {})
        for stage, name in self.stages.items():
            if name not in self._entries:
                raise InvalidSettings(
                    f"stage {stage!r} cannot use model {name!r}: it is not configured", hint=self._suggest(name)
                )

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        *,
        model: BaseChatModel | None = None,
        models: Mapping[str, BaseChatModel] | None = None,
    ) -> "ModelPool":
        """Pool of the models in the settings; nothing is loaded yet.

        `model` and `models` are objects that the caller brings: the default model, and those for configured or further
        names.
        """
        entries = dict(entries_from_settings(settings, read_variable))
        given = {name: supervise_model(one, settings.model_timeout_s) for name, one in (models or {}).items()}
        default = settings.model
        if model is not None:
            given[GIVEN] = supervise_model(model, settings.model_timeout_s)
            default = GIVEN
            if settings.model not in settings.models:
                del entries[settings.model]
        price = Price(settings.price_input, settings.price_output)
        for name, one in given.items():
            window = settings.model_window if name == default else 0
            entries.setdefault(name, ModelEntry(name, ModelConfig(model_name(one)), window=window, price=price))
        known = CapabilityStore(settings.storage_dir)
        pool = cls(entries.values(), default, settings.stage_models, capabilities=known)
        pool._loaded.update(given)
        return pool

    @classmethod
    @contextmanager
    def open(
        cls,
        settings: Settings,
        *,
        model: BaseChatModel | None = None,
        models: Mapping[str, BaseChatModel] | None = None,
    ) -> Iterator["ModelPool"]:
        """As `from_settings`; on exit the models are forgotten.

        Their HTTP clients are not closed here: LangChain shares them between all models of a process and closes each
        with the last model that uses it.
        """
        pool = cls.from_settings(settings, model=model, models=models)
        try:
            yield pool
        finally:
            pool._loaded.clear()

    def __iter__(self) -> Iterator[ModelEntry]:
        return iter(self._entries.values())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the configured models, the default one included."""
        return tuple(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __getitem__(self, name: str) -> ModelEntry:
        """Entry of a configured model; `ModelNotFound` names the nearest one."""
        if name not in self._entries:
            raise ModelNotFound(f"there is no model {name[:100]!r}", hint=self._suggest(name))
        return self._entries[name]

    def choose(self, stage: StageName | None, wishes: ModelWishes) -> ModelChoice:
        """Choose the model for a stage: request, conversation, skill, stage, default, the first that is configured."""
        asked: tuple[tuple[ModelChooser, str | None], ...] = (
            ("request", wishes.request),
            ("conversation", wishes.conversation),
            ("skill", wishes.skill),
            ("stage", self.stages.get(stage) if stage else None),
        )
        unknown = None
        for chosen_by, name in asked:
            if name in self._entries and name is not None:
                return ModelChoice(name, chosen_by, unknown)
            unknown = unknown or name
        return ModelChoice(self.default, "default", unknown)

    def is_builtin(self, choice: ModelChoice) -> bool:
        """Whether the chosen model is the built-in one, which reads no prompt."""
        loaded = self._loaded.get(choice.name)
        return isinstance(loaded, BuiltinModel) if loaded is not None else self[choice.name].is_builtin

    def is_self_hosted(self, choice: ModelChoice) -> bool:
        """Whether the chosen model is served on this machine or a private network; such models are mostly small."""
        return self[choice.name].is_self_hosted

    def list_connected(self, choices: Iterable[ModelChoice]) -> tuple[ModelEntry, ...]:
        """Language models that the choices may send to: the chosen ones and their fallbacks, each once."""
        asked = {one.name: one for one in choices if not self.is_builtin(one)}
        entries = [entry for name in asked for entry in (self[name], *self[name].fallbacks)]
        return tuple({one.name: one for one in entries}.values())

    @property
    def is_all_builtin(self) -> bool:
        """Whether no configured model needs a prompt."""
        return all(self.is_builtin(ModelChoice(entry.name, "default")) for entry in self)

    def get(self, name: str) -> BaseChatModel:
        """Load a model, or return it if it is loaded; raises what `load_model` raises."""
        found = self._loaded.get(name)
        if found is None:
            found = self._loaded[name] = self._load(self[name])
        return found

    async def load(self, name: str) -> BaseChatModel:
        """As `get`, in a thread: importing a provider's package takes up to a second."""
        if name in self._loaded:
            return self._loaded[name]
        async with self._lock:
            return await asyncio.to_thread(self.get, name)

    async def write_text(self, prompt: str, stage: StageName | None = None) -> str:
        """Answer of the stage's model to a prompt, without tools and outside of any conversation."""
        model = await self.load(self.choose(stage, ModelWishes()).name)
        return (await model.ainvoke(prompt)).text

    async def ask_window(self, name: str) -> int:
        """Tokens that the window of a model has: from the settings, or asked from its endpoint once; 0 if not known."""
        asked = next((one for one in iter_wrapped(await self.load(name)) if isinstance(one, AskedToolModel)), None)
        if asked is None:
            return self[name].window
        asking = asyncio.ensure_future(asked.ask_capabilities())
        await asyncio.wait({asking}, timeout=_MAX_ASKING_S)
        if not asking.done() or asking.exception() is not None:  # the call that follows fails the same way, and says so
            asking.cancel()
            return self[name].window
        return self[name].window or asking.result().window_tokens or 0

    def _suggest(self, name: str) -> str:
        return f"{suggest(name, self._entries)} configured: {', '.join(self._entries)}".strip()


def load_entry(entry: ModelEntry, *, capabilities: CapabilityStore | None = None) -> BaseChatModel:
    """Load a configured model with its fallbacks; `InvalidSettings` if it needs a key and has none."""
    if entry.missing_key:
        raise InvalidSettings(f"model {entry.config.label or entry.name!r} needs a key", hint=entry.missing_key)
    fallbacks = [one.config for one in entry.fallbacks]
    return load_model(entry.config, fallbacks=fallbacks, builtin=BuiltinModel, capabilities=capabilities)

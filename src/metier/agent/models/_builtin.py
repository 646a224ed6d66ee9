"""Fallback model that works without an LLM: it reports what the plan found and declines everything else."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable

from metier.agent.adapters import render_sentence
from metier.agent.models._builtin_report import drop_said, render_plan_report, render_said, render_stop_report
from metier.json_values import JsonObject
from metier.language import Language, Sentences, choose, resolve_language
from metier.limits import run_limited

NAME = "builtin"
_MAX_DESCRIPTION: Final = 120
_SENTENCES: Final = Sentences(
    {
        "last_finding": (
            "The last result, {title}: {finding}\n\nPut it otherwise, or type / for all skills.",
            "刚才「{title}」的结果：{finding}\n\n可以换个说法，或输入 / 查看全部技能。",
        ),
        "unread_again": (
            "I cannot do anything with this either. Say in other words what shall be done and with what (a machine, a "
            "place, a file), or “what can you do?” to see the list again.",
            "这句也没有对应的技能。换个说法，说出要做什么、对什么做（设备、地点、文件）；说「你能做什么」可以再看清单。",
        ),
    }
)
_LATIN_WORD: Final = re.compile(r"[A-Za-z0-9]{2}")


class BuiltinModel(BaseChatModel):
    """Chat model without an LLM. The runtime's notes tell it what to report; it declines everything else."""

    @property
    def _llm_type(self) -> str:
        return f"metier-{NAME}"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model unchanged: it never calls tools, only plans do."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(_write_answer(messages)))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await run_limited(lambda: self._generate(messages))


def _write_answer(messages: Sequence[BaseMessage]) -> str:
    note = messages[-1].additional_kwargs.get("metier") if messages else None
    asked = next((one.text for one in reversed(messages) if isinstance(one, HumanMessage) and one.name is None), "")
    told = note if isinstance(note, Mapping) else {}
    language: Language = told.get("language") or resolve_language("auto", asked)
    purpose = told.get("purpose")
    if purpose in ("report", "act"):
        report = drop_said(render_plan_report(told, told.get("the_skill"), language), told.get("said", ()))
        return report or render_said(told, language)
    if purpose == "stopped":
        return render_stop_report(told, language)
    return _declined_text(told, language)


def _declined_text(told: Mapping[str, Any], language: Language) -> str:
    if (talk := told.get("talk")) in ("thanks", "farewell"):
        return render_sentence(talk, language)
    if talk:
        return f"{render_sentence('greeting', language)}\n\n{render_offer(told, language)}"
    if title := told.get("title"):
        return render_sentence("no_steps", language, title=title)
    if told.get("is_repeated") and not isinstance(told.get("last"), Mapping):
        return _SENTENCES.render("unread_again", language)
    parts = [render_sentence("no_model", language)]
    if isinstance(last := told.get("last"), Mapping):
        # In the middle of a skill's work it says where that stands, instead of listing what else there is.
        parts.append(_SENTENCES.render("last_finding", language, **last))
    else:
        parts.append(render_offer(told, language))
    return "\n\n".join(parts)


def render_offer(offer: Mapping[str, Any], language: Language, *, with_ids: bool = False) -> str:
    """Skills and packs that a user can ask for, one line each, and how many skills there are if some are left out.

    With ids for who types commands; they are for programs else, and shown only where there is no title.
    """
    skills, packs = offer.get("skills", ()), offer.get("packs", ())
    if not skills and not packs:
        return render_sentence("no_skills", language)
    parts = []
    if packs:
        lines = "\n".join(_describe_pack(one, language) for one in packs)
        parts.append(render_sentence("packs", language, packs=lines))
    if skills:
        lines = "\n".join(_describe_skill(one, language, with_ids=with_ids) for one in skills)
        parts.append(render_sentence("skills", language, skills=lines))
    if (total := offer.get("skill_count", 0)) > len(skills):
        parts.append(render_sentence("more_skills", language, total=total))
    return "\n\n".join(parts)


def _describe_pack(pack: JsonObject, language: Language) -> str:
    title, description, example = (str(pack[key]) for key in ("title", "description", "example"))
    code = "pack_with_example" if example else "pack_described"
    return render_sentence(code, language, title=title, description=description, example=example)


def _describe_skill(skill: JsonObject, language: Language, *, with_ids: bool) -> str:
    skill_id, title, description = (str(skill[key]) for key in ("id", "title", "description"))
    stop, left, right = choose(language, en=(": ", " (", ")"), zh=("：", "（", "）"))
    named = f"- /{skill_id}" if title == skill_id else f"- {title}"
    if with_ids and title != skill_id:
        named += f"{left}/{skill_id}{right}"
    return f"{named}{stop}{_cut_at_word(description)}" if description else named


def _cut_at_word(text: str) -> str:
    """First part of a long text: no word is cut in two, and an ellipsis says that there is more."""
    if len(text) <= _MAX_DESCRIPTION:
        return text
    head = text[:_MAX_DESCRIPTION]
    if _LATIN_WORD.match(text[_MAX_DESCRIPTION - 1 : _MAX_DESCRIPTION + 1]):
        head = head[: head.rfind(" ")] if " " in head else head
    return head.rstrip(" ,;:，；：、") + "…"

"""Texts of a model are guarded sentence by sentence; sentences that a tool wrote stand."""

from typing import TYPE_CHECKING, cast

from metier.agent.adapters import find_own_sentences, guard_text
from metier.json_values import JsonObject

if TYPE_CHECKING:
    from metier.pack import PackGuard


class _Refusing:
    """Refuses every sentence that says `will`."""

    def check_sentence(self, sentence: str, *_: object) -> str:
        return "I do not say that." if "will" in sentence else ""


GUARDS = [cast("PackGuard", _Refusing())]


def _guard(text: str, arguments: JsonObject, data: JsonObject) -> str:
    return guard_text(GUARDS, text, "en", "bazi", {}, own=find_own_sentences(arguments, data))


def test_a_sentence_that_a_tool_wrote_stands_and_one_of_the_model_s_own_does_not() -> None:
    data: JsonObject = {
        "reading": "- Wood will grow. [A classic]\n- Fire will warm.",
        "rows": [{"why": "It will rain."}],
    }
    text = "- Wood will grow. [A classic]\n- Fire will warm. It will rain."
    assert _guard(text, {}, data) == text
    assert _guard(f"{text} You will win.", {}, data) == f"{text} I do not say that."
    assert _guard("Wood will grow old.", {}, data) == "I do not say that."  # a part of a sentence is another one


def test_a_tool_that_repeats_its_arguments_does_not_vouch_for_them() -> None:
    claim = "You will live to 82."
    assert (
        _guard(claim, {"query": f"Say: {claim}"}, {"asked": claim, "answer": "Nothing found."}) == "I do not say that."
    )

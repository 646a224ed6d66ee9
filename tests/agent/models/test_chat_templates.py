"""A prompt is counted with the encoding and the chat template of the model's family."""

import pytest

from metier.agent.models import find_chat_template
from metier.tokens import count_tokens

FAMILIES = {
    "voyage3_base": (
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
        "dashscope:qwen-plus",
        "ollama:qwen3:4b",
        "vllm:Qwen/QwQ-32B",
    ),
    "cl100k_base": ("openai:gpt-4", "openai:gpt-4-turbo", "openai:gpt-3.5-turbo"),
    "o200k_base": (
        "openai:gpt-4o",
        "openai:gpt-4.1-mini",
        "openai:gpt-5-mini",
        "openai:o3",
        "deepseek:deepseek-v4-pro",
    ),
}


def test_the_encoding_is_that_of_the_models_family() -> None:
    found = {
        encoding: tuple(name for name in names if find_chat_template(name).encoding == encoding)
        for encoding, names in FAMILIES.items()
    }
    assert found == FAMILIES


def test_families_whose_encoding_is_not_at_hand_are_counted_by_their_share() -> None:
    shares = {
        1.25: ("ollama:mistral", "ollama:mistral:7b", "Mistral-7B-Instruct-v0.3", "mixtral-8x7b"),
        1.09: ("mistral-small-2506", "ollama:mistral-nemo", "ministral-8b", "codestral-2508", "magistral-medium"),
        1.0: ("llama3.1:8b", "deepseek-chat", "glm-4.6", "administrale"),
    }
    found = {
        share: tuple(one for one in names if find_chat_template(one).scale == share) for share, names in shares.items()
    }
    assert found == shares
    text = "覆盖 coverage " * 40
    assert find_chat_template("mixtral-8x7b").count(text) == pytest.approx(1.25 * count_tokens(text), abs=1)


def test_text_and_tools_of_a_prompt_are_counted_with_the_template() -> None:
    qwen = find_chat_template("qwen-plus")
    assert (qwen.message_tokens, qwen.reply_tokens) == (
        5,
        3,
    )  # <|im_start|> role, line break, text, <|im_end|>, line break
    assert "<tools>" in qwen.tools_heading

"""A prompt is counted with the encoding and the chat template of the model's family."""

from metier.agent.models import find_chat_template

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


def test_text_and_tools_of_a_prompt_are_counted_with_the_template() -> None:
    qwen = find_chat_template("qwen-plus")
    assert (qwen.message_tokens, qwen.reply_tokens) == (
        5,
        3,
    )  # <|im_start|> role, line break, text, <|im_end|>, line break
    assert "<tools>" in qwen.tools_heading

"""Chat templates of the families of models whose encoding is known, to count a prompt as they do."""

import re
from typing import Any, Final

from metier.agent.models._wrapping import model_name
from metier.context import DEFAULT_TEMPLATE, ChatTemplate
from metier.patterns import compile_later

# As the templates of Qwen 2.5 and 3 write it before and after the tools, between the delimiters of the system message.
_QWEN_TOOLS: Final = (
    "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>\n</tools>\n\n"
    "For each function call, return a json object with function name and arguments within <tool_call></tool_call> "
    "XML tags:\n<tool_call>\n"
    '{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>'
)
_FAMILIES: Final[tuple[tuple[re.Pattern[str], ChatTemplate], ...]] = (
    (
        compile_later(r"(?<![a-z])(qwen|qwq|qvq)", re.IGNORECASE),
        ChatTemplate("voyage3_base", message_tokens=5, reply_tokens=3, tools_heading=_QWEN_TOOLS),
    ),
    (compile_later(r"(?<![a-z])gpt-(3\.5|4(?![.\do]))", re.IGNORECASE), ChatTemplate("cl100k_base")),
    # Measured with the tokenizers of mistral-common on prose, skills, schemas and code in both languages: the older
    # vocabulary of 32,768 tokens takes 25 % more than o200k, the newer one 9 %. Llama 3, 4 and DeepSeek are within 3 %.
    (
        compile_later(r"(?<![a-z])(mixtral|mathstral|mistral(-?7b|-instruct|:|$))", re.IGNORECASE),
        ChatTemplate(scale=1.25),
    ),
    (compile_later(r"(?<![a-z])(mi|mini|code|dev|magi|pix|vox)stral", re.IGNORECASE), ChatTemplate(scale=1.09)),
)


def find_chat_template(model: Any) -> ChatTemplate:
    """Template of the family that the name of a model tells; of any other the one of OpenAI's newer models.

    `model` may be the name itself.
    """
    name = model_name(model)
    return next((template for pattern, template in _FAMILIES if pattern.search(name)), DEFAULT_TEMPLATE)

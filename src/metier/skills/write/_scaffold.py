"""Creates a new skill from a template that loads, lints without an error, and tells the author what to write where."""

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import InvalidInput, InvalidSkill, Refused, TargetTaken
from metier.language import Language
from metier.skills.checks import file_name_problem, fold, has_homoglyphs, id_problem, standard_name_problem
from metier.skills.model import MAX_NAME_CHARS, Layout, Skill
from metier.skills.read import SCHEMA_VERSION, SkillRoot, read_skill, scan_root
from metier.skills.write._agent_skill import escape_dashes, quote_yaml, to_standard_name
from metier.skills.write._convert import ensure_target_folder

_MANIFEST_ID = re.compile(r"[a-z0-9][a-z0-9_-]{1,63}")
_TOOL_NAME: Final = "text_statistics"


def scaffold(
    folder: Path, name: str, *, layout: Layout = "agent-skill", title: str = "", language: Language = "en"
) -> Path:
    """Create a skill in a skills folder and return the skill's folder, or its file in the flat layout."""
    _check_name(name, layout)
    title = _validate_title(title) or _title_from_name(name)
    _check_free(folder, name)
    files = _BUILDERS[layout](name, title, _TEXTS[language])
    with ensure_target_folder(folder):
        return _write(files, folder)


def _write(files: Mapping[str, str], folder: Path) -> Path:
    """Write to a temporary folder, check that the skill loads, and only then move it into place."""
    try:
        with tempfile.TemporaryDirectory(prefix=".metier-", dir=folder) as temporary:
            stage = Path(temporary)
            for file, text in files.items():
                path = stage / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode())
            _check_loads(stage)
            (made,) = stage.iterdir()
            return made.rename(folder / made.name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(f"cannot write below {str(folder)!r}: {reason}", hint="check the path and its rights") from error


def _check_name(name: str, layout: Layout) -> None:
    why = id_problem(name) or file_name_problem(name)
    if not why and has_homoglyphs(name):
        why = "it mixes look-alike letters"
    if not why and layout == "agent-skill":
        why = standard_name_problem(name)
    if not why and layout == "manifest" and not _MANIFEST_ID.fullmatch(name):
        why = "a manifest's id has 2 to 64 of a-z, 0-9, - and _, and starts with a letter or digit"
    if not why and len(name) > MAX_NAME_CHARS:
        why = f"it has {len(name)} characters; the most is {MAX_NAME_CHARS}"
    if why:
        raise InvalidInput(f"{name[:80]!r} cannot be a skill's name: {why}", hint=_suggest_name(name, layout))


def _suggest_name(name: str, layout: Layout) -> str:
    try:
        better = to_standard_name(name)
    except InvalidSkill:
        better = ""
    fits = (
        better
        and better != name
        and not has_homoglyphs(better)
        and (layout != "manifest" or _MANIFEST_ID.fullmatch(better))
    )
    return f"{better!r} would do" if fits else "use lower-case letters, digits and hyphens, such as 'weekly-report'"


def _validate_title(title: str) -> str:
    plain = title.strip()
    if len(plain) > MAX_NAME_CHARS or not plain.isprintable():
        raise InvalidInput(
            f"{plain[:80]!r} cannot be a title", hint=f"write one line of at most {MAX_NAME_CHARS} characters"
        )
    return plain


def _title_from_name(name: str) -> str:
    words = re.sub("[-_]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def _check_free(folder: Path, name: str) -> None:
    """Refuse a name that exists in any layout, also in a spelling that a file system or a person would confuse."""
    for entry in folder.iterdir() if folder.is_dir() else ():
        if fold(entry.name) in (fold(name), fold(f"{name}.md")):
            raise TargetTaken(
                f"{str(entry)!r} is there already; nothing was written",
                hint="choose another name or remove it",
            )


def _check_loads(stage: Path) -> None:
    """Raise `InvalidInput` if the new skill would be refused, for example because of its title."""
    for candidate in scan_root(SkillRoot(stage)).candidates:
        reading = read_skill(candidate)
        for found in reading.diagnostics:
            if found.effect == "refused" or found.code == "suspicious_wording":
                raise InvalidInput(f"the skill would be refused: {found.message}", hint=found.hint)


# Templates ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _TemplateTexts:
    """Texts of a new skill in one language; `{title}` is replaced literally, not with `str.format`."""

    description: str
    examples: tuple[str, ...]
    negative_examples: tuple[str, ...]
    body: str
    tool_description: str
    tool_instruction: str

    def fill_examples(self, title: str) -> list[str]:
        return [_fill_title(example, title) for example in self.examples]


_EN = _TemplateTexts(
    description="{title}: say in a sentence what this skill does. Use it when the user asks for {title}.",
    examples=(
        "I need help with {title}, where do I start?",
        "Please do {title} for the data I just sent.",
        "What do you need from me for {title}?",
        "Check this {title} and tell me what is missing.",
        "Do {title} again with last month's numbers.",
    ),
    negative_examples=("What is the weather like tomorrow?", "Tell me a joke.", "Translate this sentence into French."),
    body="""# {title}

Write here what has to be done, in the order in which an expert does it.

1. Read what the user sent and name what is missing; ask for it in one question.
2. Do the work step by step. Every number keeps its unit and says where it comes from.
3. Answer in three short sections: the result, the reasons, the next step.

## Limits

- Say so when the data is not enough. Never guess.
""",
    tool_description="Count the characters and lines of a text.",
    tool_instruction="Call `{tool}` first when the user sends a long text, and name its length in the answer.",
)
_ZH = _TemplateTexts(
    description="{title}：用一句话写明这个技能做什么。用户要做{title}时使用。",
    examples=(
        "帮我做一下{title}",
        "{title}需要我提供哪些资料？",
        "请检查这份{title}还缺什么",
        "按上个月的数据再做一次{title}",
        "{title}应该从哪一步开始？",
    ),
    negative_examples=("明天天气怎么样？", "讲个笑话吧", "把这句话翻译成法语"),
    body="""# {title}

在这里写明要做的事，按专家实际的工作顺序写。

1. 先读用户给的内容，缺什么就用一个问题问清楚。
2. 一步一步地做。每个数字都带单位，并写明来源。
3. 分三小节回答：结果、理由、下一步。

## 边界

- 数据不够时直接说明，不要猜。
""",
    tool_description="统计一段文字的字数和行数。",
    tool_instruction="用户发来长文本时，先调用 `{tool}`，并在回答里写明篇幅。",
)
_TEXTS: Mapping[Language, _TemplateTexts] = MappingProxyType({"en": _EN, "zh": _ZH})

_SCRIPT_TEMPLATE = '''"""{tool_says}"""


def {tool}(doc_text: str, **_: object) -> dict[str, int]:
    return {"characters": len(doc_text), "lines": len(doc_text.splitlines())}
'''


def _fill_title(text: str, title: str) -> str:
    return text.replace("{title}", title)


def find_template_fields(skill: Skill) -> tuple[str, ...]:
    """Fields of a skill that still say what the template says: description, examples, instructions."""
    found = set()
    for words in _TEXTS.values():
        texts = {
            "description": ([_cut_lead(words.description)], [skill.description, *skill.descriptions.values()]),
            "examples": (words.fill_examples(skill.title or _title_from_name(skill.id)), list(skill.examples)),
            "instructions": ([words.body.split("\n")[2]], [skill.instructions]),
        }
        found |= {
            name for name, (template, told) in texts.items() if any(one in text for one in template for text in told)
        }
    return tuple(name for name in ("description", "examples", "instructions") if name in found)


def _cut_lead(text: str) -> str:
    """What a template's description tells the author to write, without the title before and after it."""
    return re.split(r"[.。]", text.split("{title}")[1])[0].strip("：: ")


def _build_agent_skill(name: str, title: str, words: _TemplateTexts) -> dict[str, str]:
    front = (
        f"name: {quote_yaml(name)}\ndescription: {quote_yaml(_fill_title(words.description, title))}\nmetadata:\n"
        f"  title: {quote_yaml(title)}\n{_format_json_block('triggers', [title])}"
        f"{_format_json_block('examples', words.fill_examples(title))}"
    )
    body = _fill_title(words.body, title)
    return {f"{name}/SKILL.md": f"---\n{front}---\n\n{body}", f"{name}/{_EVALS_FILE}": _build_evals(title, words)}


def _format_json_block(key: str, items: list[str]) -> str:
    """A list as JSON text in a YAML block scalar, one item per line, which needs no further quoting."""
    listed = json.dumps(items, ensure_ascii=False, indent=2).split("\n")
    return f"  {key}: |\n" + "".join(f"    {escape_dashes(line)}\n" for line in listed)


def _build_flat(name: str, title: str, words: _TemplateTexts) -> dict[str, str]:
    front = (
        f"name: {quote_yaml(name)}\ntitle: {quote_yaml(title)}\n"
        f"description: {quote_yaml(_fill_title(words.description, title))}\n"
        f"triggers:\n  - {quote_yaml(title)}\nexamples:\n"
    )
    examples = "".join(f"  - {quote_yaml(example)}\n" for example in words.fill_examples(title))
    return {f"{name}.md": f"---\n{front}{examples}priority: 0\n---\n\n{_fill_title(words.body, title)}"}


def _build_manifest(name: str, title: str, words: _TemplateTexts) -> dict[str, str]:
    parameters = {
        "type": "object",
        "properties": {"doc_text": {"type": "string"}},
        "required": ["doc_text"],
    }
    manifest = {
        "schema_version": SCHEMA_VERSION,
        "meta": {
            "id": name,
            "name": title,
            "version": "0.1.0",
            "description": _fill_title(words.description, title),
        },
        "routing": {"triggers": [title], "examples": words.fill_examples(title)},
        "tools": [{"name": _TOOL_NAME, "description": words.tool_description, "parameters": parameters}],
        "entry": {"system_prompt": "SYSTEM.md"},
    }
    script = _SCRIPT_TEMPLATE.replace("{tool_says}", words.tool_description).replace("{tool}", _TOOL_NAME)
    return {
        f"{name}/skill.json": json.dumps(manifest, ensure_ascii=False, indent=2) + "\n",
        f"{name}/SYSTEM.md": (
            f"{_fill_title(words.body, title)}\n{words.tool_instruction.replace('{tool}', _TOOL_NAME)}\n"
        ),
        f"{name}/scripts/{_TOOL_NAME}.py": script,
        f"{name}/{_EVALS_FILE}": _build_evals(title, words),
    }


def _build_bare(name: str, title: str, words: _TemplateTexts) -> dict[str, str]:
    return {f"{name}/SYSTEM.md": _fill_title(words.body, title), f"{name}/{_EVALS_FILE}": _build_evals(title, words)}


_EVALS_FILE: Final = "evals/eval_queries.json"


def _build_evals(title: str, words: _TemplateTexts) -> str:
    meant = [{"query": example, "should_trigger": True} for example in words.fill_examples(title)]
    others = [{"query": query, "should_trigger": False} for query in words.negative_examples]
    return json.dumps([*meant, *others], ensure_ascii=False, indent=2) + "\n"


_BUILDERS = MappingProxyType(
    {"agent-skill": _build_agent_skill, "flat": _build_flat, "manifest": _build_manifest, "bare": _build_bare}
)

"""Skills that nobody would write by hand, in files of every layout and as objects."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from metier.json_values import JsonObject, JsonValue
from metier.skills import DeclaredTool, DocumentUse, Layout, OutputContract, Skill, Source, Text

# What breaks naive writers of YAML, JSON and Markdown; the reader's own refusals (hidden text) stay out.
_SNIPPETS = (
    *("---", "----", "a --- b", "\n---\n", ": ", "x: y", "# no comment", "- item", "'", '"', "''", '\\"', "\\n", "\\"),
    *("[1, 2]", "{a: b}", "[", "{", "&a", "*a", "!tag", "%", "@", "`", "|", ">", "null", "true", "no", "1.0", "0x1f"),
    *("网络优化", "，、；", "“引号”", "Ü", "é", "😀", "\n", "\n\n", " ", "  ", "…", "\u00a0", "a", "Z", "7", "<<", "~"),
)
texts = st.lists(st.sampled_from(_SNIPPETS), max_size=6).map("".join)
said = texts.map(str.strip).filter(bool)
lines = said.map(lambda text: " ".join(text.split())).filter(bool)
ids = st.from_regex(r"[A-Za-z0-9网络优化][A-Za-z0-9_网络优化-]{1,20}", fullmatch=True).filter(
    lambda text: re.sub(r"[_-]", "", text) != ""
)
manifest_ids = st.from_regex(r"[a-z0-9][a-z0-9_-]{1,20}", fullmatch=True)
numbers = st.integers(0, 100_000)
scalars: st.SearchStrategy[JsonValue] = st.one_of(
    texts, st.integers(-(10**9), 10**9), st.booleans(), st.none(), st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
)
values: st.SearchStrategy[JsonValue] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2), max_leaves=3
)
objects: st.SearchStrategy[JsonObject] = st.dictionaries(texts, values, max_size=2)
schemas: st.SearchStrategy[JsonObject] = st.sampled_from(
    [
        {},
        {"type": "object", "properties": {"x": {"type": "string", "description": "a --- b: 'c'"}}, "required": ["x"]},
        {"type": "object", "properties": {"n": {"type": "integer", "minimum": -3, "default": 0}}},
    ]
)


def _lists(items: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(items, max_size=3, unique=True)


def _some(required: Mapping[str, st.SearchStrategy[JsonValue]], **optional: object) -> st.SearchStrategy[JsonObject]:
    return st.fixed_dictionaries(dict(required), optional=optional)  # type: ignore[arg-type]


_tool_names = st.sampled_from(["search", "web_fetch", "run.sql", "make-chart", "compute"])
_tools = st.lists(
    _tool_names
    | _some(
        {"name": _tool_names},
        description=lines,
        parameters=schemas,
        hints=st.dictionaries(lines, scalars, max_size=2),
        builtin=st.booleans(),
    ),
    max_size=3,
    unique_by=lambda tool: tool if isinstance(tool, str) else str(tool["name"]),
)
_cases = st.lists(
    _some({"content": said}, id=manifest_ids, title=lines, tags=_lists(lines), rules=_lists(lines)), max_size=2
)
_output = _some({}, schema=lines, markers=_lists(said), max_chars=st.integers(1, 9999), style_hints=values)
_capabilities = _some(
    {},
    active_doc_text=st.booleans(),
    active_doc_max_chars=st.integers(0, 200_000),
    rag_missing_hint=said | st.booleans(),
    writeback=st.sampled_from([{"default_anchor": "cursor"}, {"default_anchor": "end"}]),
)
_delivery = st.sampled_from([{"default_writeback": "direct"}, {"default_writeback": "compare_table"}])

_FRONT = _some(
    {},
    title=said,
    version=said,
    license=said,
    compatibility=said,
    when_to_use=said,
    priority=numbers,
    enabled=st.booleans(),
    group=said,
    hosts=_lists(said),
    tags=_lists(said),
    intents=_lists(said),
    triggers=_lists(said),
    examples=_lists(said),
    tools=_tools,
    allowed_tools=_lists(said),
    forbidden_tools=_lists(said),
    profile_fields=_lists(said),
    requires=_lists(said),
    next=_lists(said),
    inputs=schemas,
    outputs=schemas,
    output=_output,
    sop=st.lists(objects, max_size=2),
    milestones=st.lists(objects, max_size=2),
    cases=_cases,
    mode=st.sampled_from(["chat", "deep"]),
    default_scenario=said,
    requires_birth_info=st.booleans(),
    requires_compute=st.booleans(),
    compute_type=said,
    compute_tool=said,
    auto_collect=st.booleans(),
    auto_trigger=st.booleans(),
    disable_model_invocation=st.booleans(),
    user_invocable=st.booleans(),
    argument_hint=said,
    context=st.sampled_from(["inline", "fork"]),
    category=said,
    icon=said,
    color=said,
    theme=objects,
    pricing=objects,
    features=st.lists(objects, max_size=2),
    showcase=objects,
    delivery=_delivery,
    capabilities=_capabilities,
    metadata=st.dictionaries(texts | st.sampled_from(["author", "metier.priority", "model"]), texts, max_size=3),
)
_FILES = st.fixed_dictionaries(
    {},
    optional={
        "references/layout.md": said,
        "assets/table.csv": said,
        "rules/first.md": said.map(lambda text: f"---\nname: The first\ntags: [a, 'b']\n---\n{text}"),
        "cases/one.md": said.map(lambda text: f"---\nid: one\n---\n\n{text}\n"),
        "cases.json": _cases.map(json.dumps),
        "tools/tools.yaml": st.just("tools:\n  - name: from_file\n    parameters:\n      - {name: x, type: string}\n"),
        "scripts/search.py": st.just("def search(q: str) -> str:\n    return q\n"),
        "evals/eval_queries.json": st.just('[{"query": "x", "should_trigger": true}]'),
    },
)


@dataclass(frozen=True, slots=True)
class SkillFiles:
    """The files of one skill, relative to a skills folder."""

    layout: Layout
    files: Mapping[str, str]

    def write(self, folder: Path) -> Path:
        """Write them below `folder` and give the skill's own folder, or its file in the flat layout."""
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        first = next(iter(self.files)).split("/")[0]
        return folder / first


def as_front_matter(data: JsonObject) -> str:
    """The mapping as YAML that our reader takes: one line of JSON for each key."""
    lines_ = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in data.items())
    return f"---\n{''.join(lines_)}---\n"


@st.composite
def agent_skills(draw: st.DrawFn) -> SkillFiles:
    """`<id>/SKILL.md` and what may lie beside it."""
    name = draw(ids)
    front = {"name": name, "description": draw(said), **draw(_FRONT)}
    if draw(st.booleans()):
        front["allowed-tools"] = draw(_lists(said | st.sampled_from(["Read", "Bash(git:*)"])))
    beside = {f"{name}/{path}": text for path, text in draw(_FILES).items()}
    return SkillFiles("agent-skill", {f"{name}/SKILL.md": as_front_matter(front) + draw(texts), **beside})


@st.composite
def flat_skills(draw: st.DrawFn) -> SkillFiles:
    """`<id>.md`, with or without a description."""
    name = draw(ids)
    front = {"name": name, **draw(_some({}, description=said)), **draw(_FRONT)}
    return SkillFiles("flat", {f"{name}.md": as_front_matter(front) + draw(texts)})


@st.composite
def manifest_skills(draw: st.DrawFn) -> SkillFiles:
    """`<id>/skill.json` and `SYSTEM.md`."""
    manifest = {"schema_version": "ah32.skill.v1", **draw(_manifests())}
    folder = draw(manifest_ids)
    beside = {f"{folder}/{path}": text for path, text in draw(_FILES).items()}
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    return SkillFiles("manifest", {f"{folder}/skill.json": text, f"{folder}/SYSTEM.md": draw(said), **beside})


@st.composite
def bare_skills(draw: st.DrawFn) -> SkillFiles:
    """`<id>/SYSTEM.md` and nothing that says what it is."""
    name = draw(ids)
    beside = {f"{name}/{path}": text for path, text in draw(_FILES).items()}
    return SkillFiles("bare", {f"{name}/SYSTEM.md": draw(said), **beside})


def _manifests() -> st.SearchStrategy[JsonObject]:
    meta = _some(
        {"id": manifest_ids},
        name=said,
        version=said,
        enabled=st.booleans(),
        priority=numbers,
        description=said,
        group=said,
    )
    routing = _some(
        {},
        hosts=_lists(st.sampled_from(["writer", "et", "wpp", "*"])),
        **{name: _lists(said) for name in ("tags", "intents", "triggers", "examples")},
    )
    output = _some({}, output_schema=said, markers=_lists(said), max_chars=st.integers(1, 9999), styleSpecHints=values)
    return _some(
        {"meta": meta},
        routing=routing,
        output=output,
        delivery=_delivery,
        capabilities=_capabilities,
        tools=_tools,
        **{"x-team": said},
    )


skill_files = st.one_of(agent_skills(), flat_skills(), manifest_skills(), bare_skills())


def _tool_objects() -> st.SearchStrategy[list[DeclaredTool]]:
    tool = st.builds(
        DeclaredTool,
        name=_tool_names,
        description=lines | st.just(""),
        parameters=st.none() | schemas,
        origin=st.sampled_from(["builtin", "declared"]),
        hints=st.dictionaries(lines, scalars, max_size=2),
    )
    return st.lists(tool, max_size=3, unique_by=lambda tool: tool.name)


def _tuples(items: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return _lists(items).map(tuple)


# A Skill that says only what a manifest can say.
manifest_objects = st.builds(
    Skill,
    id=manifest_ids,
    title=said,
    description=texts.map(str.strip),
    source=st.just(Source(Path("x/skill.json"), Path("x"), "manifest")),
    digest=st.just(""),
    version=texts.map(str.strip),
    priority=numbers,
    enabled=st.booleans(),
    group=texts.map(str.strip),
    hosts=_tuples(st.sampled_from(["writer", "et", "wpp", "wps", "office", "*"])),
    tags=_tuples(said),
    intents=_tuples(said),
    triggers=_tuples(said),
    examples=_tuples(said),
    body=said.map(Text),
    tools=_tool_objects().map(tuple),
    output=st.builds(
        OutputContract,
        schema=texts.map(str.strip),
        markers=_tuples(said),
        max_chars=st.none() | st.integers(1, 1_000_000),
        style_hints=values,
    ),
    document=st.builds(
        DocumentUse,
        active_text=st.none() | st.booleans(),
        active_max_chars=st.none() | st.integers(0, 200_000),
        writeback=st.sampled_from(["", "direct", "compare_table"]),
        anchor=st.sampled_from(["", "cursor", "end"]),
        missing_library_hint=st.none() | said | st.booleans() | objects,
    ),
    metadata=st.dictionaries(lines.map(lambda text: f"x-{text}"), values, max_size=2),
)

import pytest

from metier.errors import InvalidTool, ToolNotFound
from metier.skills import DeclaredTool
from metier.tools import Approval, Registry, ToolContext, ToolSpec, function_tool
from tests.tools.support import HERE, FakeRunner, FakeTool, registry, skill


def test_registering_makes_a_new_registry() -> None:
    before = registry("a")
    after = before.register(FakeTool(ToolSpec("b", "")))
    assert [spec.name for spec in before.specs()] == ["a"]
    assert [spec.name for spec in after.specs()] == ["a", "b"]
    assert "b" in after
    assert "b" not in before
    assert len(after) == 2


def test_a_function_is_registered_as_it_is() -> None:
    def add(left: int, right: int) -> dict[str, int]:
        """Add two numbers."""
        return {"sum": left + right}

    assert registry().register(function_tool(add)).get("add").spec.description == "Add two numbers."


def test_a_name_is_given_once() -> None:
    with pytest.raises(InvalidTool, match="has a tool 'a' already"):
        registry("a").register(FakeTool(ToolSpec("a", "")))


async def test_a_taken_name_of_a_server_gets_the_servers_prefix() -> None:
    theirs = FakeTool(ToolSpec("search", "", origin="mcp"))
    free = FakeTool(ToolSpec("push", "", origin="mcp"))
    tools = registry("search").register(theirs, free, namespace="github")
    assert [spec.name for spec in tools.specs()] == ["github__search", "push", "search"]
    assert (await tools.get("github__search").run({"q": 1}, HERE)).data == {"done": True}
    assert theirs.seen == [{"q": 1}]


@pytest.mark.parametrize(
    "name",
    ["", "two words", "a\nb", "x" * 65, "-dash", "ｆｕｌｌ", "rm;ls", "tool\u202e"],
    ids=lambda name: repr(name)[:12],
)
def test_a_name_that_cannot_be_called_is_refused(name: str) -> None:
    with pytest.raises(InvalidTool, match="cannot be a tool's name"):
        registry(name)


@pytest.mark.parametrize("name", ["查询", "server__tool", "a.b-c_1"])
def test_names_of_all_scripts_are_fine(name: str) -> None:
    assert name in registry(name)


@pytest.mark.parametrize("expression", ["amount >", "nope(a)", "", "length(a, b)", "x" * 2000])
def test_an_approval_that_cannot_be_read_is_refused(expression: str) -> None:
    with pytest.raises(InvalidTool, match="approval"):
        Registry([FakeTool(ToolSpec("pay", "", approval=Approval("expression", expression)))])


def test_an_approval_that_needs_arguments_is_fine() -> None:
    assert Registry([FakeTool(ToolSpec("pay", "", approval=Approval("expression", "length(note) > `3`")))])


def test_a_schema_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(InvalidTool, match="points to"):
        Registry([FakeTool(ToolSpec("a", "", {"properties": {"x": {"$ref": "https://example.com/s.json"}}}))])


def test_a_missing_tool_is_answered_with_the_nearest() -> None:
    with pytest.raises(ToolNotFound) as caught:
        registry("web_search").get("websearch")
    assert caught.value.hint == "did you mean 'web_search'?"


async def test_a_skill_brings_its_scripts() -> None:
    minutes = skill("meeting-minutes", scripts=["speaker_extractor"])
    tools = registry("memory").with_skills([minutes], FakeRunner())
    assert tools.get("speaker_extractor", skill="meeting-minutes").spec.skill == "meeting-minutes"
    result = await tools.get("speaker_extractor", skill="meeting-minutes").run({}, HERE)
    assert result.data == {"from": "meeting-minutes"}
    with pytest.raises(ToolNotFound):
        tools.get("speaker_extractor")


def test_a_script_that_is_not_declared_is_no_tool() -> None:
    assert len(registry().with_skills([skill("bare")], FakeRunner())) == 0


async def test_without_a_runner_a_script_is_known_and_cannot_run() -> None:
    tools = registry().with_skills([skill("s", scripts=["count"])])
    result = await tools.get("count", skill="s").run({}, ToolContext(HERE.workspace))
    assert result.failure
    assert result.failure.code == "no_script_runner"


def test_one_bad_tool_does_not_take_another_down() -> None:
    bad = DeclaredTool("pay", origin="script", script="scripts/pay.py", hints={"approval": {"when": "amount >"}})
    slow = DeclaredTool("slow", origin="script", script="scripts/slow.py", hints={"timeout": "for ever"})
    mixed = skill("shop", scripts=["count", "use_skill", "two words"], tools=[bad, slow, "memory", "nowhere"])
    tools = registry("memory").with_skills([mixed], FakeRunner())
    assert [spec.name for spec in tools.specs()] == ["count", "memory"]
    assert [(one.tool, one.code) for one in tools.problems] == [
        ("use_skill", "invalid_tool"),
        ("two words", "invalid_tool"),
        ("pay", "invalid_tool"),
        ("slow", "invalid_tool"),
        ("nowhere", "tool_not_found"),
    ]


async def test_a_skill_that_was_edited_replaces_its_tools() -> None:
    before = registry().with_skills([skill("s", scripts=["old"], tools=["nowhere"]), skill("t", scripts=["other"])])
    after = before.with_skills([skill("s", scripts=["new"])])
    assert [spec.name for spec in after.specs()] == ["new", "other"]
    assert after.problems == ()


def test_one_bad_tool_of_a_server_keeps_no_other_away() -> None:
    bad = ToolSpec("bad", "", {"properties": {"x": {"pattern": "^(?=a)"}}}, "mcp")
    theirs = [
        FakeTool(bad),
        FakeTool(ToolSpec("search", "", origin="mcp")),
        FakeTool(ToolSpec("log", "", origin="mcp")),
    ]
    tools = registry("search").with_server("git", theirs)
    assert [spec.name for spec in tools.specs()] == ["git__search", "log", "search"]
    assert [(one.owner, one.tool, one.code) for one in tools.problems] == [("server git", "bad", "invalid_tool")]


def test_a_server_cannot_bring_a_tool_that_no_layer_judges() -> None:
    sly = FakeTool(ToolSpec("use_skill", "", origin="mcp"))
    with pytest.raises(InvalidTool, match="a name of the runtime"):
        registry().register(sly)
    assert [spec.name for spec in registry().register(sly, namespace="sly").specs()] == ["sly__use_skill"]


def test_what_a_skill_says_of_a_tool_is_kept() -> None:
    pay = DeclaredTool(
        "pay",
        "付款",
        {"type": "object"},
        "script",
        "scripts/pay.py",
        hints={"approval": "always", "timeout": 5, "idempotent": True},
    )
    spec = registry().with_skills([skill("shop", tools=[pay])]).get("pay", skill="shop").spec
    assert (spec.approval.when, spec.timeout_s, spec.idempotent) == ("always", 5.0, True)
    assert (spec.origin, spec.skill, spec.description) == ("script", "shop", "付款")


def test_collisions_are_named_with_their_owners() -> None:
    both = [skill("exam", scripts=["parse"]), skill("contract", scripts=["parse", "memory"])]
    tools = registry("memory").with_skills(both)
    assert dict(tools.collisions) == {
        "parse": ("skill contract", "skill exam"),
        "memory": ("skill contract", "the runtime"),
    }

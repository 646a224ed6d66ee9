"""Plans that nobody would write by hand, and results that no tool would give."""

from functools import lru_cache

from hypothesis import strategies as st

from metier.json_values import JsonObject, JsonValue
from metier.plans import Plan, plan_from_json

TOOLS = ("look", "查询", "write_file", "web.search")
_words = st.sampled_from(["", "a", "$5", "$$", "RSRP", "弱覆盖", "{x}", "{{7*7}}", "no", "😀", "$.", "x" * 50])
scalars: st.SearchStrategy[JsonValue] = st.one_of(
    _words, st.integers(-(10**12), 10**12), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none()
)
values: st.SearchStrategy[JsonValue] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "x", "rows", "名"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_on_fail: st.SearchStrategy[JsonValue] = st.sampled_from(
    [
        "stop",
        "continue",
        "replan",
        "retry",
        {"retry": 3},
        {"retry": 2, "then": "replan"},
        {"retry": 1, "then": "continue"},
    ]
)
_schemas: st.SearchStrategy[JsonObject] = st.sampled_from(
    [{}, {"type": "object"}, {"type": ["array", "string"]}, {"type": "object", "required": ["id"]}]
)


# The n-th step and the name of its result: fixed, so that strategies over them are built once.
IDS = ("s0", "步骤1", "a-2", "s3", "步骤4", "a-5")
NAMES = ("s0", "步骤1", "out_2", "s3", "步骤4", "out_5")


@lru_cache
def paths(count: int) -> st.SearchStrategy[str]:
    """Expressions over the results of the first steps and the run's own data."""
    roots = ["message", "inputs", *(f'"{name}"' for name in NAMES[:count])]
    shapes = (
        *("$.{0}", "$.{0}.id", "$.{0}[0].x", "$.{0}.rows[*].id", "$.length({0})", "$.to_string({0})", "$.keys({0})"),
        *("$.{0} == {1}", "$.{0} && {1}", "$.!{0}", "$.max_by({0}, &id)", "$.[{0}, {1}]", "$.{{a: {0}, b: {1}}}"),
        *("$.sum({0})", "$.to_number({0})", "$.sort({0})", "$.join(',', {0})", "$.{0}[?x > `1`]", "$.{0}[::-1]"),
    )
    return st.sampled_from([shape.format(one, other) for shape in shapes for one in roots for other in roots])


@lru_cache
def templates(count: int) -> st.SearchStrategy[JsonValue]:
    """Arguments with such expressions inside."""
    plain = st.sampled_from(["a", "$$5", "弱覆盖", "{x}", 1, True, None, 2.5])
    return st.recursive(
        plain | paths(count),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["q", "n"]), inner, max_size=2),
        max_leaves=4,
    )


@st.composite
def plan_jsons(draw: st.DrawFn) -> JsonObject:
    """The JSON of a valid plan."""
    count = draw(st.integers(0, len(IDS)))
    steps = [draw(_step(number)) for number in range(count)]
    milestones = draw(_milestones(count)) if count else []
    allowed: JsonValue = list(TOOLS) if draw(st.booleans()) else None
    constraints: JsonObject = {"allowed": allowed, "forbidden": ["rm"], "source": "skill"}
    return {"goal": "目标", "source": "sop", "steps": steps, "milestones": milestones, "constraints": constraints}


plans: st.SearchStrategy[Plan] = plan_jsons().map(plan_from_json)


@lru_cache
def _step(number: int) -> st.SearchStrategy[JsonObject]:
    own: JsonObject = {"id": IDS[number], "title": "t", "save": NAMES[number]}
    more: dict[str, st.SearchStrategy[JsonValue]] = {"when": paths(number), "expects": _schemas}
    if number:
        more["needs"] = st.lists(st.sampled_from(IDS[:number]), max_size=2, unique=True)
    rest = st.fixed_dictionaries({"on_fail": _on_fail}, optional=more)
    return st.builds(lambda action, others: {**own, **action, **others}, _actions(number), rest)


def _actions(count: int) -> st.SearchStrategy[JsonObject]:
    arguments = st.dictionaries(st.sampled_from(["q", "region", "filter"]), templates(count), max_size=3)
    call = st.fixed_dictionaries({"call": st.sampled_from(TOOLS), "with": arguments})
    looked_up = st.fixed_dictionaries({"call": paths(count)})
    choices: JsonValue = [{"text": "yes", "value": True}]
    ask = st.fixed_dictionaries(
        {"ask": st.sampled_from(["要继续吗？", "$.message {x}", "Go on?"])},
        optional={"choices": st.sampled_from([["要", "不要"], choices]), "show": templates(count)},
    )
    act = st.fixed_dictionaries({}, optional={"tools": st.just(["look"])})
    return st.one_of(call, call, looked_up, ask, act)


@lru_cache
def _milestones(count: int) -> st.SearchStrategy[list[JsonObject]]:
    of = paths(count)
    checks: st.SearchStrategy[JsonObject] = st.one_of(
        st.fixed_dictionaries({"kind": st.just("contains"), "text": st.just("a")}, optional={"of": of}),
        st.fixed_dictionaries({"kind": st.just("regex"), "pattern": st.sampled_from(["a+", "^$", "(a+)+$"])}),
        st.fixed_dictionaries({"kind": st.just("json_schema"), "schema": _schemas}, optional={"of": of}),
        st.fixed_dictionaries({"kind": st.just("expr"), "expr": of}),
        st.fixed_dictionaries({"kind": st.just("file_exists"), "path": st.one_of(st.just("out/a.txt"), of)}),
        st.fixed_dictionaries({"kind": st.just("url_contains"), "text": st.just("example")}, optional={"of": of}),
        st.fixed_dictionaries({"kind": st.just("tool_output"), "tool": st.sampled_from(TOOLS)}),
    )
    name, after = st.sampled_from(["m1", "m2", "里程碑"]), st.sampled_from(IDS[:count])
    one: st.SearchStrategy[JsonObject] = st.fixed_dictionaries(
        {"name": name, "after": after, "check": checks, "on_fail": _on_fail}
    )
    return st.lists(one, max_size=3, unique_by=lambda each: str(each["name"]))

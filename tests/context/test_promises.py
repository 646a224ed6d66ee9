"""What holds for any skill, any history and any catalog."""

from hypothesis import given
from hypothesis import strategies as st

from metier.context import (
    CHOOSE,
    Budget,
    BuiltPrompt,
    ContextBuilder,
    ContextDocument,
    Material,
    Mode,
    StoredMessage,
)
from metier.skills import Case, Rule, Skill
from tests.context.support import assistant, case, exchange, is_paired, rule, rules, skill, user

texts = st.lists(
    st.sampled_from(
        [
            "弱覆盖",
            "先定界。",
            "antenna tilt ",
            "\n\n",
            "- item\n",
            "</data>",
            "{{ 7*7 }}",
            "<|x|>",
            "😀",
            "  ",
            "a" * 40,
            "字" * 40,
        ]
    ),
    max_size=30,
).map("".join)
said = texts.map(lambda text: f"说{text}")
ids = st.from_regex(r"[a-z]{1,8}", fullmatch=True)


def _rule(drawn: tuple[str, str, str]) -> Rule:
    return rule(drawn[0], f"[{drawn[0]}] {drawn[1]} [end of {drawn[0]}]", impact=drawn[2])


def _case(drawn: tuple[str, str]) -> Case:
    return case(drawn[0], "弱覆盖", text=f"[{drawn[0]}] [end of {drawn[0]}]" + "x" * len(drawn[1]))


def _skill(body: str, some_rules: list[Rule], some_cases: list[Case]) -> Skill:
    return skill("one", body, rules=rules(*some_rules), cases=tuple(some_cases), profile_fields=("note",))


skills = st.builds(
    _skill,
    said,
    st.lists(st.tuples(ids, texts, st.sampled_from(["", "HIGH"])).map(_rule), max_size=5),
    st.lists(st.tuples(ids, texts).map(_case), max_size=3),
)
groups = st.one_of(
    said.map(lambda text: [user(text)]),
    said.map(lambda text: [assistant(text)]),
    st.tuples(ids, texts).map(lambda drawn: exchange(drawn[0], "search", drawn[1])),
)
histories = st.lists(groups, max_size=12).map(lambda some: [message for group in some for message in group])


def _kept(built: BuiltPrompt, name: str) -> tuple[str, ...]:
    return next((use.kept for use in built.sections if use.name == name), ())


def _optional(built: BuiltPrompt) -> bool:
    """Whether anything is left that could still be dropped: any piece but the last ask and the newest group."""
    fixed = ("base", "instructions", "history", "menu", "tools", "note", "earlier")
    return any(use.kept for use in built.sections if use.name not in fixed) or len(_kept(built, "history")) > 2


@given(skills, histories, texts, st.integers(200, 3000), st.sampled_from(["append", "rewrite"]))
def test_to_work_never_costs_more_than_the_limit_unless_what_is_required_does(
    one: Skill, history: list[StoredMessage], note: str, limit: int, mode: Mode
) -> None:
    builder = ContextBuilder(mode=mode, budgets={"act": Budget(limit, 10, {"rules": 800, "history": 800})})
    built = builder.build_act_prompt(
        one, history, Material(profile={"note": note}, documents=(ContextDocument("page", note),))
    )
    assert built.tokens <= limit or not _optional(built)
    assert built.over_budget == any(text.startswith("over budget") for text in built.notes)


@given(skills, histories, st.integers(200, 3000), st.sampled_from(["append", "rewrite"]))
def test_nothing_but_a_long_message_is_ever_cut(
    one: Skill, history: list[StoredMessage], limit: int, mode: Mode
) -> None:
    built = ContextBuilder(mode=mode, budgets={"act": Budget(limit, 10)}).build_act_prompt(one, history)
    text = "\n".join([built.system, *(message.content for message in built.messages)])
    assert one.instructions.strip() in text
    for name in _kept(built, "rules"):
        assert str(one.rules[name].text).strip() in text
    for name in _kept(built, "cases"):
        assert f"[{name}] [end of {name}]" in text
    for name in set(one.rules) - set(_kept(built, "rules")):
        assert f"[end of {name}]" not in text.replace(f"[{name}] [end of {name}]", "")
    stored = {message.content for message in history}
    assert all(message.content in stored for message in built.messages if message.role == "user" and not message.name)


@given(skills, histories, st.integers(200, 3000), st.sampled_from(["append", "rewrite"]))
def test_calls_and_results_are_never_parted(one: Skill, history: list[StoredMessage], limit: int, mode: Mode) -> None:
    builder = ContextBuilder(mode=mode, budgets={"act": Budget(limit, 10)})
    chosen = builder.build_choose_prompt(history, [(one, 0.5)])
    assert is_paired(chosen.messages)
    assert is_paired(builder.build_act_prompt(one, history).messages)
    assert is_paired(builder.build_act_prompt(one, history, after=chosen).messages)


described = st.builds(
    skill,
    skill_id=st.from_regex(r"[a-z]{1,12}(-[a-z]{1,12}){0,4}", fullmatch=True),
    title=texts,
    description=texts,
)


@given(st.lists(described, max_size=40), histories, st.sampled_from(["zh", "en"]))
def test_to_choose_takes_at_most_two_thousand_tokens_for_any_catalog(
    catalog: list[Skill], history: list[StoredMessage], language: str
) -> None:
    builder = ContextBuilder(language="zh" if language == "zh" else "en")
    built = builder.build_choose_prompt([*history, user("帮我看看")], [(one, 0.5) for one in catalog])
    assert built.tokens <= CHOOSE.budget.limit_tokens
    assert built.menu is None or built.menu.enum

"""Who approved: which messages ask it, and what is told of an approval about several calls."""

from datetime import UTC, datetime

from metier.agent.choice import asks_who_decided, describe_decisions
from metier.json_values import JsonValue
from metier.store import Pause

ASKED = (
    "谁批准的？", "是谁同意的", "还没批准吧，谁批准的？", "什么时候下发的", "参数什么时候生效的？", "审批人是谁",
    "who approved this?", "When was it applied?", "when were the changes approved", "approved by whom?",
)  # fmt: skip
OTHERS = (
    "什么时候改标题比较好", "什么时候下发比较好", "When did the population change?", "谁改的标题",
    "who changed the title?",
    "谁来写周报", "When should I apply?", "who signed the contract?",
)  # fmt: skip
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def describe(answer: JsonValue) -> list[str]:
    calls: JsonValue = [{"id": "a", "title": "Send"}, {"id": "b", "title": "Write"}]
    told = {"purpose": "approve", "calls": calls}
    return describe_decisions(Pause("p", "c", "t", "k", "approval", {}, told, NOW, None, answer, "x", NOW, "ann"), "en")


def test_only_words_of_what_was_approved_or_applied_ask_who_did_it() -> None:
    assert [one for one in ASKED if not asks_who_decided(one)] == []
    assert [one for one in OTHERS if asks_who_decided(one)] == []


def test_each_call_of_an_approval_has_its_own_decision() -> None:
    no: JsonValue = {"decision": "reject"}
    both = describe({"decisions": {"a": no, "b": no}})
    assert [("refused" in one, "approved" in one) for one in both] == [(True, False)] * 2
    one_of_two = describe({"decisions": {"a": {"decision": "approve"}, "b": no}})
    assert ["approved" in one for one in one_of_two] == [True, False]
    assert all("approved by ann" in one for one in describe({"decision": "approve"}))
    assert describe(None) == []

import pytest

from metier.json_values import JsonObject
from metier.tools import (
    REQUEST_EXCEPTION,
    AskPerson,
    DenyAll,
    ExceptionOutcome,
    ExceptionPolicy,
    ExceptionRuling,
    Gate,
    MemoryLedger,
    Registry,
    Rules,
    ToolExceptionRequest,
    ToolSpec,
    gate_for,
    handle_exception_request,
    settle_exception,
)
from tests.policies import grant
from tests.tools.support import HERE, FakeTool, call, registry, skill

TOOLS = registry("web_search", "pdf", "shell")
POLICY = Rules("operator", "policy", forbidden=frozenset({"shell"}))
GATE = gate_for([skill("research", allowed=["web_search"])], tools=TOOLS, policy=POLICY)
ASKED = ToolExceptionRequest("c1", "t1", "pdf", "客户只收 PDF", "research")


async def asked(tool: str, policy: ExceptionPolicy, ledger: MemoryLedger, gate: Gate = GATE) -> ExceptionOutcome:
    arguments: JsonObject = {"tool": tool, "reason": "客户只收 PDF"}
    return await handle_exception_request(arguments, gate=gate, policy=policy, ledger=ledger, context=HERE)


async def test_a_listed_tool_is_granted_for_this_turn_and_recorded() -> None:
    ledger = MemoryLedger()
    outcome = await asked("pdf", grant("pdf"), ledger)
    assert outcome.state == "granted"
    assert outcome.gate.check(call("pdf")).code == "granted"
    assert GATE.check(call("pdf")).answer == "deny"
    assert ledger.asks == {"exception-1": ASKED}
    assert ledger.rulings["exception-1"].state == "granted"


async def test_a_person_is_asked_and_the_answer_counts() -> None:
    ledger = MemoryLedger()
    waiting = await asked("pdf", AskPerson(), ledger)
    assert (waiting.state, waiting.request, waiting.ask) == ("asked", "exception-1", ASKED)
    assert waiting.gate.check(call("pdf")).answer == "deny"
    assert ledger.rulings == {}
    assert waiting.ask
    yes = ExceptionRuling("granted", "李工", "这次可以")
    settled = await settle_exception(waiting.request, yes, ask=waiting.ask, gate=waiting.gate, ledger=ledger)
    assert settled.gate.check(call("pdf")).answer == "allow"
    assert ledger.rulings == {"exception-1": yes}


@pytest.mark.parametrize("policy", [DenyAll(), grant("web_search")], ids=["deny all", "not listed"])
async def test_a_denied_wish_is_recorded_and_changes_nothing(policy: ExceptionPolicy) -> None:
    ledger = MemoryLedger()
    outcome = await asked("pdf", policy, ledger)
    assert (outcome.state, outcome.gate) == ("denied", GATE)
    assert outcome.result.failure
    assert outcome.result.failure.code == "exception_denied"
    assert ledger.rulings["exception-1"].state == "denied"


@pytest.mark.parametrize("tool", ["shell", "unheard_of"])
async def test_no_policy_can_grant_what_the_operator_denies_or_what_is_not_there(tool: str) -> None:
    ledger = MemoryLedger()
    outcome = await asked(tool, grant(tool), ledger)
    assert outcome.state == "denied"
    assert list(ledger.asks) == list(ledger.rulings) == ["exception-1"]


async def test_even_a_persons_yes_leaves_the_operators_no() -> None:
    ask = ToolExceptionRequest("c1", "t1", "shell", "need it")
    yes = ExceptionRuling("granted", "li")
    settled = await settle_exception("1", yes, ask=ask, gate=GATE, ledger=MemoryLedger())
    assert settled.gate.check(call("shell")).code == "denied_by_policy"


async def test_what_may_run_already_needs_no_exception() -> None:
    ledger = MemoryLedger()
    outcome = await asked("web_search", DenyAll(), ledger)
    assert (outcome.state, outcome.result.ok, ledger.asks) == ("not_needed", True, {})


@pytest.mark.parametrize(
    "arguments",
    [{}, {"tool": "pdf"}, {"tool": "pdf", "reason": "so"}, {"tool": "pdf", "reason": "because", "by": "me"}],
)
async def test_a_wish_needs_a_tool_and_a_reason(arguments: JsonObject) -> None:
    ledger = MemoryLedger()
    outcome = await handle_exception_request(arguments, gate=GATE, policy=AskPerson(), ledger=ledger, context=HERE)
    assert (outcome.state, outcome.gate, ledger.asks) == ("invalid", GATE, {})
    assert outcome.result.failure


def test_the_tool_can_be_registered_and_is_always_allowed() -> None:
    tools = Registry([FakeTool(REQUEST_EXCEPTION), FakeTool(ToolSpec("pdf", ""))])
    gate = gate_for([skill("tarot", allowed=[])], tools=tools)
    assert gate.check(call("request_exception")).code == "control_tool"
    assert gate.allowed_tools() == ("request_exception",)

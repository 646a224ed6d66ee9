"""One tool call outside a turn, with the gate, argument checks, sandbox and records of a turn."""

from metier.agent.turn import Resources
from metier.skills import Catalog, Skill
from metier.tools import Outcome, ToolCall, ToolContext


async def call_directly(
    kit: Resources, catalog: Catalog, call: ToolCall, *, conversation: str, skill: Skill | None
) -> Outcome:
    """Run the call if the gate allows it. A call that needs approval is not run: there is nobody to ask."""
    gate = kit.open_gate_for(catalog, skill, None, None, frozenset()).gate
    context = ToolContext(kit.workspace(conversation), conversation)
    return await kit.toolset(catalog).executor.run(call, gate=gate, context=context)

"""One tool call outside a turn: the same gate, the same checks, the same sandbox, the same record."""

from metier.agent._kit import Kit
from metier.skills import Catalog, Skill
from metier.tools import Outcome, ToolCall, ToolContext


async def call_directly(
    kit: Kit, catalog: Catalog, call: ToolCall, *, conversation: str, skill: Skill | None
) -> Outcome:
    """Run the call if it may run. Nobody is there to agree, so what needs a person's word is not run."""
    gate = kit.opened(catalog, skill, None, None, frozenset()).gate
    context = ToolContext(kit.workspace(conversation), conversation)
    return await kit.bench(catalog).executor.run(call, gate=gate, context=context)

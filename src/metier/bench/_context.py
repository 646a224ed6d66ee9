"""Benchmark of the prompt tokens for choosing a skill, from ten to ten thousand, beside listing all skills."""

import random
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from metier.bench._corpus import make_messages, write_corpus
from metier.bench._figures import Figure
from metier.context import ContextBuilder, ContextMessage
from metier.routing import Router
from metier.skills import Catalog, SkillLibrary
from metier.testing import FakeModel
from metier.tokens import count_tokens

SIZES = (10, 100, 1_000, 10_000)
MESSAGES = 20
_LIMIT_TOKENS = 2_000
_SHORTLIST = 8


def measure_context() -> Iterator[Figure]:
    """Measure the whole phase-1 prompt with the menu; beside deepagents' prompt if it is installed."""
    for size in SIZES:
        with tempfile.TemporaryDirectory() as temporary:
            write_corpus(Path(temporary), size)
            catalog = SkillLibrary.from_folders(temporary).catalog()
            tokens = median(_count_prompt_tokens(catalog))
            peer = _count_deepagents_tokens(catalog) if find_spec("deepagents") else None
        name = f"choose a skill among {size:,}, prompt"
        yield Figure("context", name, tokens, _LIMIT_TOKENS, MESSAGES, peer, "deepagents", unit="tokens")


def _count_prompt_tokens(catalog: Catalog) -> list[int]:
    router = Router(top_k=_SHORTLIST)
    builder = ContextBuilder()
    spent = []
    for message in make_messages(random.Random(3), MESSAGES):  # noqa: S311 - repeatable messages
        found = router.route(message, catalog=catalog).candidates
        shortlist = [(catalog[one.skill], one.score) for one in found]
        spent.append(builder.build_choose_prompt([ContextMessage("user", message)], shortlist).tokens)
    return spent


def _count_deepagents_tokens(catalog: Catalog) -> float:
    """System prompt tokens of a deepagents agent with its skills middleware."""
    create_agent: Callable[..., object] = import_module("langchain.agents").create_agent
    with tempfile.TemporaryDirectory() as temporary:
        for skill in catalog:
            home = Path(temporary, "skills", skill.id.replace("_", "-"))
            home.mkdir(parents=True)
            front = f"name: {home.name}\ndescription: {skill.description or skill.title}"
            (home / "SKILL.md").write_text(f"---\n{front}\n---\n\n{skill.title}\n", "utf-8")
        backend = import_module("deepagents.backends").FilesystemBackend(root_dir=temporary, virtual_mode=True)
        middleware = import_module("deepagents.middleware.skills").SkillsMiddleware(
            backend=backend, sources=["/skills"]
        )
        model = FakeModel().say("ok")
        agent = create_agent(model, [], middleware=[middleware])
        agent.invoke({"messages": [("user", "分析网络")]})  # type: ignore[attr-defined]  # deepagents has no types
    return float(count_tokens(model.prompts[0].system))

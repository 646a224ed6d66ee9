"""Config shared by the models that wrap another model."""

from langchain_core.runnables import RunnableConfig


def silent() -> RunnableConfig:
    """Config without callbacks for the wrapped model: a call of the wrapper is one run, its tokens counted once."""
    return {"callbacks": []}

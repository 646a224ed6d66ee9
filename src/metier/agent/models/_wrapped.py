"""Config shared by the models that wrap another model."""

from langchain_core.runnables import RunnableConfig


def no_callbacks() -> RunnableConfig:
    """Config without callbacks for the wrapped model: a call of the wrapper is one run, its tokens counted once."""
    return {"callbacks": []}

"""A class and a pattern whose code is compared before the compilers of Python are replaced."""

import importlib.util
from typing import Final

_BODY: Final = "metier.compiled._sample_body"


def load_sample() -> object:
    """Run a small module anew and give what its class and its pattern are made of."""
    spec = importlib.util.find_spec(_BODY)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.describe()

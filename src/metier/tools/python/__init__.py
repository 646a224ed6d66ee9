"""`run_python`: Python code in the sandbox, whose tables, pictures and files become results."""

from metier.tools.python._run import PythonLimits
from metier.tools.python._tool import python_tool

__all__ = ["PythonLimits", "python_tool"]

"""Asks a running server for the plans of eight cases, as a quick check; same options as `macro_bench_30.py`."""

import sys
from typing import Final

from metier.packs.office.planbench import load_cases, run_wire_bench

_CASES: Final = ("wps-01", "wps-02", "wps-06", "wps-08", "et-01", "et-02", "wpp-01", "wpp-05")

if __name__ == "__main__":
    chosen = [case for case in load_cases("shipped") if case.id in _CASES]
    sys.exit(run_wire_bench(chosen, title=__doc__.splitlines()[0]))

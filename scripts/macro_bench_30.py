"""Asks a running server for the plans of the 30 shipped cases: success, repairs and times; exits with 1 on a failure.

`python scripts/macro_bench_30.py --api-base http://127.0.0.1:8000 --json-out results.json --resume`
"""

import sys

from metier.packs.office.planbench import load_cases, run_wire_bench

if __name__ == "__main__":
    sys.exit(run_wire_bench(load_cases("shipped"), title=__doc__.splitlines()[0]))

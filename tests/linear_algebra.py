"""One thread for linear algebra, for whoever imports this before NumPy, which reads it once.

A test process per core leaves none for a second thread, which would wait for its turn by spinning.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

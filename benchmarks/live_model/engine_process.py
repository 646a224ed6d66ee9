"""Serves one model on loopback, in the engine's own environment: `python engine_process.py MODEL WINDOW THREADS`."""

import sys
import threading

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = int(sys.argv[2])
params.n_parallel = 1
params.cpuparams.n_threads = int(sys.argv[3])
params.cpuparams_batch.n_threads = int(sys.argv[3])
params.warmup = False
server = xllamacpp.Server(params)
sys.stdout.write(f"{server.listening_address}\n")
sys.stdout.flush()
threading.Event().wait()

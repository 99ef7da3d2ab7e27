"""Real OpenAI-compatible servers with the small model, each on a port that the kernel gave to it alone."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

START_S = 240.0  # how long a loaded machine may take; nothing is asserted about it

# the socket listens before its address is told: no port is chosen that another process could take meanwhile
PYTHON_SERVER = """
import socket, sys
import uvicorn
from llama_cpp.server.app import create_app
from llama_cpp.server.settings import ModelSettings, ServerSettings
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
model = ModelSettings(model=sys.argv[1], n_ctx=int(sys.argv[2]), n_threads=2)
app = create_app(server_settings=ServerSettings(), model_settings=[model])
uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])
"""
LLAMA_SERVER = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_ctx = sys.argv[1], 0, int(sys.argv[2])
params.n_parallel, params.cpuparams.n_threads = 1, 2
params.endpoint_metrics, params.use_jinja, params.ctx_shift = True, True, True
server = xllamacpp.Server(params)
print(server.listening_address.rpartition(":")[2], flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def serving(source: str, model: Path, *, window: int = 1024) -> Iterator[str]:
    """Run a server's program until the block ends; gives its address without a path.

    Raises:
        AssertionError: it ended by itself, or does not answer.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", source, str(model), str(window)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        told = process.stdout.readline().split()
        assert told, f"the server ended with {process.wait()}"
        base = f"http://127.0.0.1:{int(told[-1])}"
        _wait_for(base, process)
        yield base
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def _wait_for(base: str, process: subprocess.Popen[bytes]) -> None:
    """Until the model is loaded; llama-server says 503 while it loads."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the server ended with {process.returncode}"
        try:
            urllib.request.urlopen(f"{base}/v1/models", timeout=START_S).close()
        except urllib.error.HTTPError as error:
            error.close()
        except OSError:
            pass
        else:
            return
        time.sleep(0.05)
    raise AssertionError("the server did not start")

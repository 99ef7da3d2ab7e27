"""Imported before numpy: its threads would spin against those of the embedder (see partner/__main__.py)."""

import os

THREADS = 1
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, str(THREADS))

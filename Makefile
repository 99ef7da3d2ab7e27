# Two commands on a fresh machine with Python 3.11+, a C++ compiler and a package registry:
#   make chat    environment, models, conversation        make test    the whole suite
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
# Hash-checked, and no build step may fetch anything that is not in the locks.
PIP    := $(PY) -m pip install --disable-pip-version-check --no-deps --require-hashes --no-build-isolation
TORCH  ?= torch==2.13.0

.PHONY: chat setup test test-all test-store-full lint bench bench-scale lock help clean

help:  ## this list
	@$(PY) -m pip install -q --disable-pip-version-check $(TORCH) 'sentence-transformers>=5' </dev/null >&2
	@touch $@

test: $(VENV)/.dev setup  ## the whole suite, without torch
	$(PY) -m pytest -m "not torch" -n 2 --dist loadgroup

test-all: $(VENV)/.torch  ## what the sentence-transformers extra adds (torch's CPU build)
	$(PY) -m pytest -m torch

lint: $(VENV)/.dev  ## style, types, and the arrows between the packages
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/pyright
	$(VENV)/bin/lint-imports --no-cache

bench: $(VENV)/.dev setup  ## the benchmarks on the project's own data, one JSON line each (minutes)
	@$(PY) -m benchmarks.gate --cases tests/data/gate-fresh-2.jsonl --json | tail -1
	@$(PY) -m benchmarks.gate --cases tests/data/gate-actions.jsonl --json | tail -1
	@$(PY) -m benchmarks.memory --cases tests/data/memory-fresh-2.jsonl --json | tail -1
	@$(PY) -m benchmarks.supersede --worlds tests/data/supersede-worlds.jsonl --json | tail -1
	@for name in turn router; do $(PY) -m benchmarks.$$name --json | tail -1; done
	@$(PY) -m benchmarks.store --entries 100000 --json | tail -1

bench-scale: $(VENV)/.dev setup  ## 100,000 rules, a million engrams (an hour)
	@$(PY) -m benchmarks.gate --scale --json | tail -1
	@$(PY) -m benchmarks.store --entries 1000000 --json | tail -1

test-store-full: $(VENV)/.dev  ## the store's crash, power-cut and tampering tests at full size (half an hour)
	STORE_TEST_FULL=1 STORE_TEST_ROUNDS=5 $(PY) -m pytest tests/store tests/contracts -q

lock: $(VENV)/.dev  ## resolve the versions anew (maintainers; needs uv)
	uv pip compile -q pyproject.toml --universal --generate-hashes --python-version 3.11 --group dev -o configs/lock/dev.txt
	uv pip compile -q pyproject.toml --universal --generate-hashes --python-version 3.11 -c configs/lock/dev.txt -o configs/lock/runtime.txt
	uv pip compile -q --universal --generate-hashes --python-version 3.11 --group pyproject.toml:build -c configs/lock/dev.txt -o configs/lock/build.txt

clean:  ## remove the environment (never your data)
	rm -rf $(VENV)
